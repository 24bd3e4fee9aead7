#include <algorithm>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/table_model.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/plain_table.h"
#include "app/views/ranks/rank_heat_view.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/views/ranks/ranks_view.h"
#include "app/views/side_panel/allocation_facts.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/painted_texts.h"
#include "tests/app/labels/text_device.h"

namespace highwater::gui::test {

namespace {

const QString kFolder = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks");

/// Saves the sample ranks as summaries.
void summarizeRanks(const QTemporaryDir& folder)
{
    for (int rank = 0; rank < 4; ++rank) {
        const QStringList arguments{QStringLiteral("summarize"),
            QStringLiteral("%1/rank%2_snapshot.pickle.zst").arg(kFolder).arg(rank), QStringLiteral("-o"),
            folder.filePath(QStringLiteral("rank%1.hws").arg(rank))};
        QCOMPARE(QProcess::execute(QStringLiteral(HIGHWATER_CLI), arguments), 0);
    }
}

} // namespace

class RanksViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    RanksView* m_view = nullptr;

    RunSession& session() { return m_window->sessions().run; }
    QString cell(int row, int column)
    {
        return m_view->table().model()->index(row, column).data().toString();
    }
    QTableView& table() { return m_view->table(); }
    /// Moves this many entries down the list.
    void choosePicture(int further)
    {
        auto* pictures = m_view->findChild<QComboBox*>("ranksPicture");
        pictures->setFocus();
        for (int i = 0; i < further; ++i)
            QTest::keyClick(pictures, Qt::Key_Down);
    }
    int at(std::string_view key) { return static_cast<TableModel&>(*table().model()).column(key); }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1500, 900);
        m_window->show();
        m_window->openFiles({kFolder});
        QTRY_VERIFY(session().shown().has_value() && !session().run().isLoading());
        m_window->openView(QStringLiteral("ranks"));
        m_view = m_window->findChild<RanksView*>();
        QVERIFY(m_view);
        QTRY_VERIFY(m_view->isVisible());
    }
    void cleanup() { m_window.reset(); }

    void theModelKeepsTheRulesOfModelsWhileTheRunIsLoaded()
    {
        DocumentLoader loader;
        RunSession other(loader);
        RanksView view(other.run());
        view.show();
        QAbstractItemModel& model = *view.table().model();
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        other.open({kFolder, brokenPath("empty.pickle")});
        QTRY_VERIFY(other.shown().has_value() && !other.run().isLoading());
        QTRY_COMPARE(model.rowCount(), 4);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("rank 2 (outlier)"));
        model.sort(0);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("rank 0"));
        model.sort(at("peak_bytes"), Qt::DescendingOrder);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("rank 2 (outlier)"));
        QVERIFY(view.text().contains(QStringLiteral("empty.pickle: ")));
    }

    void whoRanOutOfMemoryIsNamedFirst()
    {
        QCOMPARE(table().model()->rowCount(), 4);
        QCOMPARE(cell(0, at("rank")), QStringLiteral("rank 2 (outlier)"));
        QCOMPARE(cell(0, at("peak_bytes")), QStringLiteral("515.91 MiB"));
        QCOMPARE(cell(0, at("above_median_bytes")), QStringLiteral("+131 MiB"));
        QCOMPARE(cell(1, at("above_median_bytes")), QStringLiteral("0 B"));
    }

    void theRankThatRanOutIsShown()
    {
        QCOMPARE(*session().shown(), std::size_t{2});
        QCOMPARE(cell(0, at("requested_bytes")), QStringLiteral("112 MiB"));
        QVERIFY(cell(0, at("site")).contains(QStringLiteral("LogSoftmaxBackward0")));
    }

    void columnsAreInTheOrderOfTheQuestion()
    {
        const auto& model = static_cast<const TableModel&>(*table().model());
        int place = 0;
        for (const char* key : {"rank", "peak_bytes", "requested_bytes", "site", "above_median_bytes"})
            QCOMPARE(model.column(key), place++);
    }

    void whatToDoIsSaidWhicheverRankIsShown()
    {
        QTRY_VERIFY(m_view->text().startsWith(QStringLiteral("Set PYTORCH_CUDA_ALLOC_CONF")));
        session().show(0);
        QTRY_COMPARE(*session().shown(), std::size_t{0});
        QVERIFY2(m_view->text().startsWith(QStringLiteral("Set PYTORCH_CUDA_ALLOC_CONF")),
            qPrintable(m_view->text()));
    }

    void whatHeadlineAndTableSayIsOnlyInTheToolTip()
    {
        const auto* answer = m_view->findChild<QScrollArea*>(QStringLiteral("ranksAnswer"));
        for (const char* words : {"only rank 2 ran out", "above the median of", " taken from "}) {
            QVERIFY2(!m_view->text().contains(QLatin1String(words)), qPrintable(m_view->text()));
            QTRY_VERIFY2(answer->toolTip().contains(QLatin1String(words)), qPrintable(answer->toolTip()));
        }
    }

    void rowsHaveOneLineAndNothingScrollsSideways()
    {
        m_window->resize(1280, 800);
        QTRY_COMPARE(table().horizontalScrollBar()->maximum(), 0);
        QTRY_VERIFY(!table().isColumnHidden(at("site")));
        QVERIFY(!table().isColumnHidden(at("above_median_bytes")));
        QCOMPARE(table().rowHeight(0), table().rowHeight(1));
    }

    void theAnswerHasThreeLinesAtMostAndScrolls_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {960, 1280})
            QTest::addRow("%d", width) << width;
    }
    void theAnswerHasThreeLinesAtMostAndScrolls()
    {
        QFETCH(int, width);
        m_window->resize(width, 800);
        const auto* sentences = m_view->findChild<QLabel*>(QStringLiteral("ranksSentences"));
        auto* answer = m_view->findChild<QScrollArea*>(QStringLiteral("ranksAnswer"));
        QCOMPARE(sentences->text(), m_view->text());
        QTRY_VERIFY(sentences->height() >= sentences->heightForWidth(sentences->width()));
        QTRY_VERIFY(answer->height() <= 3 * sentences->fontMetrics().lineSpacing());
        QVERIFY(answer->viewport()->height() + answer->verticalScrollBar()->maximum() >= sentences->height());
        QVERIFY(table().viewport()->height() >= table().rowHeight(0));
    }

    void aNarrowMapCutsNoFigureOfItsScale()
    {
        RankHeatView view;
        view.resize(330, 300);
        view.show();
        view.setRanks(session().run().ranks());
        TextDevice device(view.size());
        const PaintedTexts recorder; // while it lives, the map is painted without its cached picture
        view.render(&device);
        const auto highest
            = std::ranges::find(device.texts(), QStringLiteral("515.91 MiB"), &DrawnText::text);
        QVERIFY(highest != device.texts().end());
        QVERIFY2(highest->ink.right() <= view.width(), qPrintable(QString::number(highest->ink.right())));
    }

    void aFailedRequestWithoutPythonFramesSaysSo()
    {
        const auto analysis = m_window->page().analysis();
        QVERIFY(analysis && !analysis->figures.ooms.empty());
        QCOMPARE(failureFacts(*analysis, analysis->figures.ooms.back()).stackTitle,
            QStringLiteral("Requested by (no Python frames recorded)"));
    }

    void theMapTellsTheCellBelowThePointer()
    {
        RankHeatView& heat = m_view->heat();
        QTest::mouseMove(&heat, heat.pointOf(2, 2)->toPoint());
        QCOMPARE(heat.readout(), QStringLiteral("rank 2, step 2: 515.91 MiB"));
        QTest::mouseMove(&heat, heat.pointOf(0, 0)->toPoint());
        QCOMPARE(heat.readout(), QStringLiteral("rank 0, step 0: 344.3 MiB"));
    }

    void aClickOnACellShowsItsRank()
    {
        RankHeatView& heat = m_view->heat();
        QTest::mouseClick(&heat, Qt::LeftButton, {}, heat.pointOf(2, 1)->toPoint());
        QCOMPARE(*session().shown(), std::size_t{2});
        QCOMPARE(table().currentIndex().row(), 0);
        auto* chooser = m_window->findChild<QComboBox*>("fileChooser");
        QCOMPARE(chooser->currentText(), QStringLiteral("rank 2 · rank2_snapshot.pickle.zst"));
        QVERIFY(m_window->page().document()->path.ends_with("rank2_snapshot.pickle.zst"));
    }

    void aClickOnACellGoesToItsStepAndADoubleClickZoomsToIt()
    {
        RankHeatView& heat = m_view->heat();
        DocumentPage& page = m_window->page();
        for (const auto& [rank, column] : {std::pair<std::size_t, std::size_t>{2, 2}, {1, 0}}) {
            const QPoint at = heat.pointOf(rank, column)->toPoint();
            QTest::mouseClick(&heat, Qt::LeftButton, {}, at);
            QCOMPARE(*session().shown(), rank);
            QVERIFY(page.selection().step());
            const Step& step = page.analysis()->steps.steps[*page.selection().step()];
            QCOMPARE(step.peakBytes, session().run().ranks()->heat.at(rank, column));
            QCOMPARE(page.selection().cursor(), std::optional(step.peakEvent));
            QTest::mouseDClick(&heat, Qt::LeftButton, {}, at);
            const EventScale& scale = page.analysis()->scale(page.axis());
            QCOMPARE(page.range().x().begin, scale.positionOf(step.begin));
        }
    }

    void keysWalkThroughTheMapAndEnterShowsTheRank()
    {
        RankHeatView& heat = m_view->heat();
        heat.setFocus();
        QTest::keyClick(&heat, Qt::Key_Down); // selects the first cell
        QTest::keyClick(&heat, Qt::Key_Down);
        QTest::keyClick(&heat, Qt::Key_Right);
        QCOMPARE(heat.readout(), QStringLiteral("rank 1, step 1: 384.91 MiB"));
        QTest::keyClick(&heat, Qt::Key_Return);
        QCOMPARE(*session().shown(), std::size_t{1});
    }

    void aClickOnARowShowsItsRank()
    {
        const QRect row = table().visualRect(table().model()->index(3, 0));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(*session().shown(), std::size_t{3});
    }

    void otherTablesOfTheRunCanBeChosen()
    {
        auto* tables = m_view->findChild<QComboBox*>("ranksTables");
        QVERIFY2(!tables->isVisible(), "the table of ranks has the only failure");
        m_window->openFiles({QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/runs/stale-ranks")});
        QTRY_VERIFY(session().shown().has_value() && !session().run().isLoading());
        m_window->openView(QStringLiteral("ranks"));
        QTRY_VERIFY(tables->isVisible());
        tables->setFocus();
        QTest::keyClick(tables, Qt::Key_Down);
        QCOMPARE(tables->currentText(), QStringLiteral("Out of memory"));
        QCOMPARE(table().model()->rowCount(), 2);
    }

    void summariesAreToldByTheirFiguresAndOpenWhenClicked()
    {
        const QTemporaryDir folder;
        summarizeRanks(folder);
        QFile damaged(folder.filePath("rank1.hws"));
        QVERIFY(damaged.resize(damaged.size() / 2));
        m_window->openFiles({folder.path()});
        QTRY_VERIFY(session().run().files().front().isSummary());
        QTRY_VERIFY(session().shown().has_value() && !session().run().isLoading());
        QTRY_COMPARE(m_window->page().panelTabs().openName(), QStringLiteral("ranks"));
        QTRY_COMPARE(table().model()->rowCount(), 3);
        QCOMPARE(cell(0, at("rank")), QStringLiteral("rank 2 (outlier)"));
        QVERIFY(m_view->text().contains(QStringLiteral("rank1.hws: the summary ends early")));
        QVERIFY(session().run().files()[3].state == RunFile::State::FiguresOnly);
        RankHeatView& heat = m_view->heat();
        QTest::mouseClick(&heat, Qt::LeftButton, {}, heat.pointOf(2, 1)->toPoint());
        QTRY_COMPARE(*session().shown(), std::size_t{3});
        QVERIFY(m_window->page().document()->path.ends_with("rank3.hws"));
    }

    void aRankWhoseFileHasGoneSaysSo()
    {
        const QTemporaryDir folder;
        summarizeRanks(folder);
        m_window->openFiles({folder.path()});
        QTRY_VERIFY(session().run().files().front().isSummary());
        QTRY_VERIFY(session().shown().has_value() && !session().run().isLoading());
        QTRY_COMPARE(table().model()->rowCount(), 4);
        QTRY_COMPARE(session().shown(), std::optional<std::size_t>(2)); // the rank that ran out of memory
        QVERIFY(QFile::remove(folder.filePath("rank3.hws")));
        RankHeatView& heat = m_view->heat();
        QTRY_VERIFY(heat.pointOf(3, 1).has_value());
        QTest::mouseClick(&heat, Qt::LeftButton, {}, heat.pointOf(3, 1)->toPoint());
        QTRY_VERIFY(m_window->errorText().startsWith(QStringLiteral("rank3.hws: ")));
        QCOMPARE(*session().shown(), std::size_t{2});
    }

    void theWheelZoomsInOnRanksAndTheBarScrolls()
    {
        RankHeatView view;
        view.resize(500, 300);
        view.show();
        auto ranks = std::make_shared<RunRanks>(*session().run().ranks());
        for (int i = 0; i < 5; ++i) { // 128 ranks
            ranks->ranks.insert(ranks->ranks.end(), ranks->ranks.begin(), ranks->ranks.end());
            ranks->heat.peaks.insert(
                ranks->heat.peaks.end(), ranks->heat.peaks.begin(), ranks->heat.peaks.end());
        }
        view.setRanks(ranks);
        QCOMPARE(view.rowsInView().size(), std::size_t{128});
        view.showRows(64, 32);
        QCOMPARE(view.rowsInView().first, std::size_t{64});
        QCOMPARE(view.rowsInView().last, std::size_t{96});
        view.showRows(1000, 32);
        QCOMPARE(view.rowsInView().last, std::size_t{128});
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.rowsInView().size(), std::size_t{128});
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.rowsInView().size() < 128);
    }

    void aClickOnALineShowsItsRank()
    {
        choosePicture(1);
        RankOverlay& overlay = m_view->overlay();
        QCOMPARE(overlay.lines().size(), std::size_t{4});
        const double width = overlay.width();
        double best = 0;
        double share = 0; // place at which rank 2 differs most from rank 0
        for (double at = 0; at < 1; at += 1 / width) {
            const auto a = overlay.pointOf(0, at);
            const auto b = overlay.pointOf(2, at);
            const auto left = overlay.pointOf(2, at - 1 / width);
            const auto right = overlay.pointOf(2, at + 1 / width);
            const bool isFlat
                = b && left && right && qAbs(left->y() - right->y()) < 1; // a click has whole pixels
            if (isFlat && a && qAbs(a->y() - b->y()) > best) {
                best = qAbs(a->y() - b->y());
                share = at;
            }
        }
        QTest::mouseClick(&overlay, Qt::LeftButton, {}, overlay.pointOf(2, share)->toPoint());
        QCOMPARE(*session().shown(), std::size_t{2});
    }

    void walkingThroughTheTableShowsLoadedRanks()
    {
        table().setFocus();
        table().setCurrentIndex(table().model()->index(0, 0));
        QCOMPARE(*session().shown(), std::size_t{2});
        QTest::keyClick(&table(), Qt::Key_Down);
        QCOMPARE(*session().shown(), std::size_t{0});
    }

    void totalsLieOnTheClockWhereThereIsOne()
    {
        choosePicture(1);
        QVERIFY(m_view->overlay().isVisible());
        QVERIFY(m_view->overlay().axis() == AxisKind::Event);
        choosePicture(1);
        QVERIFY(m_view->overlay().axis() == AxisKind::Time);
        QVERIFY(m_view->overlay().pointOf(0, 0.0).has_value());
    }

    void anotherRankIsShownWhereTheOneBeforeWasLookedAt()
    {
        VisibleRange& range = m_window->page().range();
        const double whole = range.x().highest - range.x().lowest;
        range.setX(range.x().lowest + whole / 4, range.x().lowest + whole / 2);
        session().show(1);
        const AxisWindow& x = range.x();
        QVERIFY(qAbs((x.begin - x.lowest) / (x.highest - x.lowest) - 0.25) < 1e-9);
        QVERIFY(qAbs((x.end - x.lowest) / (x.highest - x.lowest) - 0.5) < 1e-9);
    }

    void keysGoToTheNextRank()
    {
        QVERIFY(m_window->actions().nextRank->isVisible());
        m_window->actions().nextRank->trigger();
        QCOMPARE(*session().shown(), std::size_t{3});
        QVERIFY(!m_window->actions().nextRank->isEnabled());
        m_window->actions().previousRank->trigger();
        QCOMPARE(*session().shown(), std::size_t{2});
    }

    void oneFileHasNoRanks()
    {
        PanelTabs& tabs = m_window->page().panelTabs();
        QVERIFY(tabs.isTabEnabled(tabs.indexOf(m_view)));
        m_window->openFile(samplePath("tiny-hand-checked"));
        QTRY_VERIFY(!session().hasSeveralFiles());
        QTRY_VERIFY(!tabs.isTabEnabled(tabs.indexOf(m_view)));
        QVERIFY(tabs.tabToolTip(tabs.indexOf(m_view)).contains(QStringLiteral("folder of ranks")));
        QTRY_VERIFY(!m_window->actions().nextRank->isVisible());
        QTRY_VERIFY(!m_window->findChild<QComboBox*>("fileChooser")->isVisible());
    }
};

HIGHWATER_APP_TEST(RanksViewTest)

} // namespace highwater::gui::test

#include "ranks_view_test.moc"
