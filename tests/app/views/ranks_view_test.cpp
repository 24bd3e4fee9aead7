#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "app/models/table_model.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/ranks/rank_overlay.h"
#include "app/views/ranks/ranks_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

using namespace highwater;
using namespace highwater::gui;
using namespace highwater::gui::test;

namespace {

const QString kFolder = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks");

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
        QCOMPARE(model.rowCount(), 5);
        model.sort(at("peak_bytes"), Qt::DescendingOrder);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("rank 2 (stands out)"));
        model.sort(0);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("rank 0"));
    }

    void theTableSaysWhoStandsOut()
    {
        QCOMPARE(table().model()->rowCount(), 4);
        QCOMPARE(cell(2, at("rank")), QStringLiteral("rank 2 (stands out)"));
        QCOMPARE(cell(2, at("peak_bytes")), QStringLiteral("515.91 MiB"));
        QCOMPARE(cell(2, at("above_median_bytes")), QStringLiteral("+131.00 MiB"));
        QVERIFY(cell(2, at("out_of_memory")).startsWith("at event"));
        QCOMPARE(cell(0, at("above_median_bytes")), QStringLiteral("±0 B"));
        QVERIFY(m_view->text().contains("Rank 2 peaks 131.00 MiB above the median of 4 ranks"));
        QVERIFY(m_view->text().startsWith("Rank 2 ran out of memory."));
    }

    void theBarsMarkTheOutlierAndOutOfMemory()
    {
        const FigureView& bars = m_view->bars();
        QCOMPARE(bars.ids(), (std::vector<int>{0, 1, 2, 3}));
        std::vector<FigureRect> drawn;
        for (const FigureShape& shape : bars.figure().shapes)
            if (const auto* rect = std::get_if<FigureRect>(&shape); rect && rect->opacity > 0)
                drawn.push_back(*rect);
        QCOMPARE(drawn.size(), std::size_t{4});
        QCOMPARE(drawn[2].fill, FigurePalette::light().more);
        QVERIFY(drawn[0].fill != drawn[2].fill);
        QVERIFY(drawn[2].width > drawn[0].width);
        QVERIFY(bars.titleAt(bars.rectOf(2).center()).contains("Ran out of memory"));
        QVERIFY(!bars.titleAt(bars.rectOf(0).center()).contains("Ran out of memory"));
    }

    void aClickOnABarShowsItsRank()
    {
        QTest::mouseClick(&m_view->bars(), Qt::LeftButton, {}, m_view->bars().rectOf(2).center().toPoint());
        QCOMPARE(*session().shown(), std::size_t{2});
        QCOMPARE(table().currentIndex().row(), 2);
        auto* chooser = m_window->findChild<QComboBox*>("fileChooser");
        QCOMPARE(chooser->currentText(), QStringLiteral("rank 2 · rank2_snapshot.pickle.zst"));
        QVERIFY(m_window->page().document()->path.ends_with("rank2_snapshot.pickle.zst"));
    }

    void aClickOnALineShowsItsRank()
    {
        RankOverlay& overlay = m_view->overlay();
        QCOMPARE(overlay.lines().size(), std::size_t{4});
        const double width = overlay.width();
        double best = 0;
        double share = 0; // where rank 2 is furthest from rank 0
        for (double at = 0; at < 1; at += 1 / width) {
            const auto a = overlay.pointOf(0, at);
            const auto b = overlay.pointOf(2, at);
            const auto left = overlay.pointOf(2, at - 1 / width);
            const auto right = overlay.pointOf(2, at + 1 / width);
            const bool isFlat
                = b && left && right && qAbs(left->y() - right->y()) < 1; // a click is a whole pixel
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
        QTest::keyClick(&table(), Qt::Key_Down);
        QCOMPARE(*session().shown(), std::size_t{1});
    }

    void totalsLieOnTheClockWhereThereIsOne()
    {
        auto* axis = m_view->findChild<QComboBox*>("ranksAxis");
        QVERIFY(axis->isVisible());
        QVERIFY(m_view->overlay().axis() == AxisKind::Event);
        axis->setFocus();
        QTest::keyClick(axis, Qt::Key_Down);
        QVERIFY(m_view->overlay().axis() == AxisKind::Time);
        QVERIFY(m_view->overlay().pointOf(0, 0.0).has_value());
    }

    void anotherRankIsShownWhereTheOneBeforeWasLookedAt()
    {
        VisibleRange& range = m_window->page().range();
        const double whole = range.x().highest - range.x().lowest;
        range.setX(range.x().lowest + whole / 4, range.x().lowest + whole / 2);
        session().show(2);
        const AxisWindow& x = range.x();
        QVERIFY(qAbs((x.begin - x.lowest) / (x.highest - x.lowest) - 0.25) < 1e-9);
        QVERIFY(qAbs((x.end - x.lowest) / (x.highest - x.lowest) - 0.5) < 1e-9);
    }

    void keysGoToTheNextRank()
    {
        QVERIFY(m_window->actions().nextRank->isVisible());
        QVERIFY(!m_window->actions().previousRank->isEnabled());
        m_window->actions().nextRank->trigger();
        QCOMPARE(*session().shown(), std::size_t{1});
        m_window->actions().previousRank->trigger();
        QCOMPARE(*session().shown(), std::size_t{0});
    }

    void oneFileHasNoRanks()
    {
        PanelTabs& tabs = m_window->page().questions();
        QVERIFY(tabs.isTabEnabled(tabs.indexOf(m_view)));
        m_window->openFile(samplePath("tiny-hand-checked"));
        QTRY_VERIFY(!session().isRun());
        QTRY_VERIFY(!tabs.isTabEnabled(tabs.indexOf(m_view)));
        QVERIFY(tabs.tabToolTip(tabs.indexOf(m_view)).contains(QStringLiteral("folder of ranks")));
        QTRY_VERIFY(!m_window->actions().nextRank->isVisible());
        QTRY_VERIFY(!m_window->findChild<QComboBox*>("fileChooser")->isVisible());
    }
};

HIGHWATER_APP_TEST(RanksViewTest)
#include "ranks_view_test.moc"
