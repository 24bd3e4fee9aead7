#include <algorithm>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/table_model.h"
#include "app/views/compare/sweep_view.h"
#include "app/views/parts/item_text.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/start/command_line.h"
#include "core/table/sweep_tables.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

constexpr Bytes kR1 = 24287511136;
constexpr Bytes kR5Before = 32826093568;
constexpr Bytes kR5After = 25411850240;

} // namespace

/// Tests of a table of three or more runs: its rows, their order, and the comparison of two of them.
class SweepViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    SweepView* m_view = nullptr;

    QTableView& table() { return m_view->table(); }
    TableModel& model() { return static_cast<TableModel&>(*table().model()); }
    int at(std::string_view key) { return model().column(key); }
    QString cell(int row, int column) { return model().index(row, column).data().toString(); }
    QPoint middleOf(int row, int column) { return table().visualRect(model().index(row, column)).center(); }
    void click(int row, Qt::KeyboardModifiers keys = {})
    {
        QTest::mouseClick(table().viewport(), Qt::LeftButton, keys, middleOf(row, at("peak_bytes")));
    }
    void clickHeader(int column)
    {
        QHeaderView& header = *table().horizontalHeader();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
            {header.sectionViewportPosition(column) + 20, header.height() / 2});
    }
    QStringList names()
    {
        QStringList names;
        for (int row = 0; row < model().rowCount(); ++row)
            names << cell(row, at("name")).section(QLatin1Char('.'), 0, 0);
        return names;
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1500, 900);
        m_window->show();
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->sweepFiles({samplePath(QStringLiteral("r5-flan-t5-xl-after")),
            samplePath(QStringLiteral("r1-grpo-before")), samplePath(QStringLiteral("r5-flan-t5-xl-before")),
            brokenPath(QStringLiteral("not-a-snapshot.pickle"))});
        m_view = &m_window->pages().table;
        QTRY_COMPARE(complete.size(), 1);
        QCOMPARE(complete[0][0].toString(), QString());
        QVERIFY(isOn(m_window->pages().table));
    }
    void cleanup() { m_window.reset(); }

    void everyRunHasARowWithItsFigures()
    {
        QCOMPARE(model().rowCount(), 4);
        QCOMPARE(cell(0, at("name")), QStringLiteral("r5-flan-t5-xl-after.pickle.zst"));
        QCOMPARE(cell(0, at("delta_bytes")), QStringLiteral("reference"));
        QCOMPARE(cell(1, at("peak_bytes")), QStringLiteral("22.62 GiB"));
        QCOMPARE(cell(1, at("peak_place")), QStringLiteral("step 14, forward"));
        QCOMPARE(cell(2, at("delta_bytes")), QStringLiteral("+6.91 GiB"));
        QCOMPARE(cell(2, at("ooms")), QStringLiteral("in step 1"));
        QCOMPARE(cell(0, at("ooms")), QStringLiteral("–"));
        QCOMPARE(cell(2, at("events")), QStringLiteral("6,125"));
    }

    void toolTipsHaveExactBytes()
    {
        const QString tip = model().index(2, at("peak_bytes")).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.startsWith(QStringLiteral("32,826,093,568 B requested")), qPrintable(tip));
        const QVariant align = model().index(2, at("peak_bytes")).data(Qt::TextAlignmentRole);
        QVERIFY(align.toInt() & Qt::AlignRight);
    }

    void aFileThatCannotBeReadIsARowWithItsSentence()
    {
        QVERIFY(cell(3, at("peak_bytes")).contains(QStringLiteral("is not a memory snapshot")));
        QCOMPARE(table().columnSpan(3, at("peak_bytes")), model().columnCount() - 1);
        QVERIFY(m_view->sentences().contains(QStringLiteral("not-a-snapshot.pickle (1 of 4)")));
    }

    void aRunWithoutFiguresHasOneLine()
    {
        QVERIFY(table().rowHeight(3) < table().rowHeight(0) / 2);
        table().sortByColumn(at("name"), Qt::AscendingOrder);
        QCOMPARE(names().front(), QStringLiteral("not-a-snapshot"));
        QVERIFY(table().rowHeight(0) < table().rowHeight(3) / 2);
    }

    void theSentencesSayWhoPeaksLowestAndHighest()
    {
        QVERIFY2(m_view->sentences().startsWith(QStringLiteral("Lowest peak: 22.62 GiB, r1-grpo-before")),
            qPrintable(m_view->sentences()));
        QVERIFY(m_view->sentences().contains(QStringLiteral("Highest: 30.57 GiB, r5-flan-t5-xl-before")));
    }

    void theModelKeepsTheRulesOfModelsWhileRunsAreRead()
    {
        SweepSession session;
        TableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        connect(&session, &SweepSession::changed, &model,
            [&] { model.setTable(session.sweep() ? sweepTable(*session.sweep()) : Table()); });
        session.open(
            {samplePath(QStringLiteral("two-devices")), samplePath(QStringLiteral("private-pool"))}, {});
        model.sort(1, Qt::DescendingOrder);
        QTRY_VERIFY(!session.isLoading());
        QCOMPARE(model.rowCount(), 2);
    }

    void theReferenceStaysARowWhenTheLastFileOfAFolderIsNoRecording()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::copy(samplePath(QStringLiteral("two-devices")), folder.filePath("a.pickle.zst")));
        QFile text(folder.filePath("z.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("nothing that was recorded");
        text.close();
        SweepSession session;
        session.open({folder.path()}, {});
        QCOMPARE(session.fileCount(), std::size_t{2});
        session.setReference(1);
        QTRY_VERIFY(!session.isLoading());
        QCOMPARE(session.fileCount(), std::size_t{1});
        QCOMPARE(session.sweep()->reference, std::size_t{0});
    }

    void aClickOnAHeaderSorts_andRunsWithoutFiguresStayLast()
    {
        clickHeader(at("peak_bytes"));
        const QStringList ascending{QStringLiteral("r1-grpo-before"), QStringLiteral("r5-flan-t5-xl-after"),
            QStringLiteral("r5-flan-t5-xl-before"), QStringLiteral("not-a-snapshot")};
        const QStringList descending{ascending[2], ascending[1], ascending[0], ascending[3]};
        QVERIFY(names() == ascending || names() == descending);
        const QStringList first = names();
        clickHeader(at("peak_bytes"));
        QCOMPARE(names(), first == ascending ? descending : ascending);
        QCOMPARE(table().columnSpan(3, at("peak_bytes")), model().columnCount() - 1);
    }

    void everyColumnCanBeSortedBy()
    {
        for (int column = 0; column < model().columnCount(); ++column) {
            table().sortByColumn(column, Qt::DescendingOrder);
            QStringList sorted = names();
            std::sort(sorted.begin(), sorted.end());
            QCOMPARE(sorted.size(), 4);
            QCOMPARE(sorted.front(), QStringLiteral("not-a-snapshot"));
            if (column != at("name"))
                QCOMPARE(names().back(), QStringLiteral("not-a-snapshot"));
        }
    }

    void curvesAreOnOneScale()
    {
        Bytes highest = 0;
        for (int row = 0; row < 3; ++row) {
            const auto outline
                = model().index(row, at("outline")).data(TableModel::OutlineRole).value<Outline>();
            QCOMPARE(outline.highest, kR5Before);
            for (const Bytes bytes : outline.totals)
                highest = std::max(highest, bytes);
        }
        QCOMPARE(highest, kR5Before);
    }

    void theCurveIsDrawnAsHighAsTheRun()
    {
        // Counts the rows of the cell from the curve's top down: the highest run has more of them than the
        // lowest.
        const auto inkOf = [this](int row) {
            const QRect rect = table().visualRect(model().index(row, at("outline")));
            const QImage image = table().viewport()->grab(rect).toImage();
            const QRgb paper = image.pixel(1, 1);
            int top = image.height();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 8; x < image.width() - 8; ++x)
                    if (image.pixel(x, y) != paper)
                        top = std::min(top, y);
            return image.height() - top;
        };
        QVERIFY(inkOf(2) > inkOf(1));
        QVERIFY(inkOf(1) > 0);
    }

    void theCurvesFillTheTableWithoutScrolling()
    {
        for (const QSize& size : {QSize(960, 640), QSize(1500, 900)}) {
            m_window->resize(size);
            QTRY_COMPARE(table().horizontalScrollBar()->maximum(), 0);
            QVERIFY(table().rowHeight(0) > 3 * table().fontMetrics().height());
            QVERIFY(table().columnWidth(at("outline")) >= 200);
        }
    }

    void theHeaderGivesTheScaleOfTheCurves()
    {
        QCOMPARE(model().headerData(at("outline"), Qt::Horizontal).toString(),
            QStringLiteral("Curve, 0 to 30.57 GiB"));
    }

    void aCurveIsMarkedWhereMemoryRanOut()
    {
        const QColor danger = ThemeColors::light().danger;
        const auto isMarked = [&](int row) {
            const QRect rect = table().visualRect(model().index(row, at("outline")));
            const QImage image = table().viewport()->grab(rect).toImage();
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, image.height() - 8) == danger)
                    return true;
            return false;
        };
        QVERIFY(!isMarked(0));
        QVERIFY(isMarked(1));
        QVERIFY(isMarked(2));
    }

    void theFirstSentenceIsTheHeadline()
    {
        const auto* headline = m_view->findChild<QLabel*>(QStringLiteral("sweepHeadline"));
        QVERIFY(headline->font().bold());
        QVERIFY2(headline->text().startsWith(QStringLiteral("Lowest peak: 22.62 GiB")),
            qPrintable(headline->text()));
    }

    void theSentencesSayWhatDiffersMostBetweenLowestAndHighest()
    {
        QVERIFY2(m_view->sentences().contains(QStringLiteral("more in parameters")),
            qPrintable(m_view->sentences()));
    }

    void twoChosenRowsAreComparedByEnter()
    {
        click(2);
        click(1, Qt::ControlModifier);
        QVERIFY(m_view->compareAction().isEnabled());
        QCOMPARE(m_view->compareAction().text(), QStringLiteral("Compare these two"));
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        QTest::keyClick(&table(), Qt::Key_Return);
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        // In the order of the files, not of the clicks.
        QCOMPARE(m_window->pages().compare.state().comparison()->before.peak().bytes, kR1);
        QCOMPARE(m_window->pages().compare.state().comparison()->after.peak().bytes, kR5Before);
        m_window->actions().closeComparison->trigger();
        QVERIFY(isOn(m_window->pages().table));
        QCOMPARE(m_window->windowTitle(), QStringLiteral("4 runs — Highwater"));
    }

    void onePairIsComparedAfterTheOther()
    {
        // The first run is small, so it is loaded while the other run of the previous pair is still
        // displayed.
        m_window->sweepFiles(
            {samplePath(QStringLiteral("tiny-hand-checked")), samplePath(QStringLiteral("r1-grpo-before")),
                samplePath(QStringLiteral("r5-flan-t5-xl-before"))});
        QTRY_VERIFY(!m_window->sessions().sweep.isLoading());
        click(1);
        QTest::keyClick(&table(), Qt::Key_Return);
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        m_window->actions().closeComparison->trigger();
        QVERIFY(isOn(m_window->pages().table));
        click(2);
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        QTest::keyClick(&table(), Qt::Key_Return);
        QTRY_COMPARE(complete.size(), 1);
        QVERIFY(isOn(m_window->pages().compare));
        QCOMPARE(m_window->pages().compare.state().comparison()->after.peak().bytes, kR5Before);
    }

    void oneChosenRowIsComparedWithTheReference()
    {
        click(2);
        QCOMPARE(m_view->compareAction().text(), QStringLiteral("Compare with the reference"));
        m_view->compareAction().trigger();
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        QCOMPARE(m_window->pages().compare.state().comparison()->before.peak().bytes, kR5After);
        QCOMPARE(m_window->pages().compare.state().comparison()->after.peak().bytes, kR5Before);
    }

    void whatIsNoPairCannotBeCompared()
    {
        QVERIFY(!m_view->compareAction().isEnabled());
        click(0); // only the reference is selected
        QVERIFY(!m_view->pair());
        table().selectAll();
        QVERIFY(!m_view->pair());
        click(3); // this run has no figures
        QVERIFY(!m_view->pair());
    }

    void anyRunCanBeTheReference()
    {
        click(2);
        QTest::keyClick(&table(), Qt::Key_R);
        QCOMPARE(cell(2, at("delta_bytes")), QStringLiteral("reference"));
        QCOMPARE(cell(0, at("delta_bytes")), QStringLiteral("−6.91 GiB"));
    }

    void theSettingsThatDifferStandBelow()
    {
        const QAbstractItemModel& settings = *m_view->settings().model();
        QStringList rows;
        for (int row = 0; row < settings.rowCount(); ++row)
            rows << settings.index(row, 0).data().toString();
        QVERIFY(rows.contains(QStringLiteral("expandable_segments")));
        QVERIFY(rows.contains(QStringLiteral("roundup_power2_divisions.*")));
        QCOMPARE(settings.columnCount(), 4); // the name, and each run that could be read
    }

    void theRowsAreCopiedAsText()
    {
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        const QString text = QApplication::clipboard()->text();
        QCOMPARE(text, tableText(table(), false));
        QCOMPARE(text.count(QLatin1Char('\n')), 5);
        QVERIFY(text.contains(QStringLiteral("30.57 GiB\t+6.91 GiB")));
    }

    void readingIsCancelledAndWhatIsReadStays()
    {
        m_window->sweepFiles({samplePath(QStringLiteral("r1-grpo-before")),
            samplePath(QStringLiteral("r1-grpo-after")), samplePath(QStringLiteral("grpo-phases"))});
        auto* cancel = m_window->findChild<QPushButton*>(QStringLiteral("cancelSweep"));
        QVERIFY(cancel->isVisible());
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(!m_window->sessions().sweep.isLoading());
        QVERIFY(!cancel->isVisible());
        QCOMPARE(model().rowCount(), 3);
        QCOMPARE(cell(2, at("peak_bytes")), QStringLiteral("not read"));
    }

    void aFolderStandsForTheRunsInIt()
    {
        m_window->sweepFiles({QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks")});
        QTRY_VERIFY(!m_window->sessions().sweep.isLoading());
        QCOMPARE(model().rowCount(), 4);
        QCOMPARE(cell(2, at("peak_bytes")), QStringLiteral("515.91 MiB"));
    }

    void filesOfDifferentBytesAreReadAgainInThoseOfBoth()
    {
        m_window->sweepFiles({samplePath(QStringLiteral("r1-grpo-before")),
            QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/kineto/tiny-addresses.pt.trace.json")});
        QTRY_VERIFY(!m_window->sessions().sweep.isLoading());
        QCOMPARE(m_window->sessions().sweep.sweep()->quantity, Quantity::Allocated);
        QVERIFY(m_window->sessions().sweep.sweep()->isInferred);
        QVERIFY(m_window->sessions().sweep.sweep()->rows[1].deltaBytes.has_value());
        QVERIFY(m_view->statusText().startsWith(QStringLiteral("2 runs, allocated bytes")));
    }

    void closingTheTableShowsWhatWasOpenBefore()
    {
        m_window->actions().closeComparison->trigger();
        QVERIFY(!isOn(m_window->pages().table) && !isOn(m_window->page()));
        m_window->openFile(samplePath(QStringLiteral("oom-too-big")));
        QTRY_VERIFY(isOn(m_window->page()));
        m_window->sweepFiles({samplePath(QStringLiteral("two-devices"))});
        QTRY_VERIFY(isOn(m_window->pages().table));
        QVERIFY(!m_window->actions().fit->isEnabled());
        m_window->actions().closeComparison->trigger();
        QVERIFY(isOn(m_window->page()));
        QVERIFY(m_window->actions().fit->isEnabled());
    }

    void theTableIsKeptWhileOneRunIsLookedAt()
    {
        QVERIFY(m_window->actions().compareSeveral->isEnabled());
        m_window->openFile(samplePath(QStringLiteral("oom-too-big")));
        QTRY_VERIFY(isOn(m_window->page()));
        m_window->actions().showSeveral->trigger();
        QVERIFY(isOn(m_window->pages().table));
        QCOMPARE(model().rowCount(), 4);
    }

    void theCommandLineTakesThreeFiles()
    {
        const QStringList three{QStringLiteral("highwater-gui"), QStringLiteral("--compare"),
            QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        QCOMPARE(parseCommandLine(three).commandLine.compared.size(), 3);
        QCOMPARE(parseCommandLine(three).error, QString());
        QVERIFY(!parseCommandLine(three.mid(0, 3)).error.isEmpty());
        const QStringList folder{three[0], three[1], QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks")};
        QCOMPARE(parseCommandLine(folder).error, QString());
    }
};

HIGHWATER_APP_TEST(SweepViewTest)

} // namespace highwater::gui::test

#include "sweep_view_test.moc"
