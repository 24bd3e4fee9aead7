#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include <qcustomplot.h>

#include "app/loading/load_file.h"
#include "app/models/log_model.h"
#include "app/views/charts/memory_gauge.h"
#include "app/views/findings/finding_delegate.h"
#include "app/views/log/log_view.h"
#include "app/views/log/series_chart.h"
#include "app/views/log/series_list.h"
#include "app/views/pages/headline.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "importers/native/native_writer.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of a log in the window.
class LogViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    LogView& view() { return m_window->pages().log.view(); }
    int columnOf(const QString& title)
    {
        const QAbstractItemModel& model = *view().failures().model();
        int column = 0;
        while (column < model.columnCount() && model.headerData(column, Qt::Horizontal).toString() != title)
            ++column;
        return column;
    }
    QString shown(int row, const QString& title)
    {
        return view().failures().model()->index(row, columnOf(title)).data().toString();
    }
    LogPage& page() { return m_window->pages().log; }
    void open(const QString& name)
    {
        m_window->openFile(logPath(name));
        QTRY_VERIFY(view().hasLog() && view().isSettled());
        QTRY_VERIFY(view().lines().model()->rowCount() > 0);
    }
    /// Opens a run with snapshots and a log that has a failure and no series.
    LogView& openBelowTimeline()
    {
        m_window->openFiles({QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/runs/four-ranks-one-fails")});
        const auto isOpen = [this] { return isOn(m_window->page()) && m_window->page().log().hasLog(); };
        [&] { QTRY_VERIFY(isOpen() && !m_window->sessions().run.run().isLoading()); }();
        m_window->openView(QStringLiteral("log"));
        return m_window->page().log();
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1200, 800);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void aLogOpensWithItsLinesAndSeries()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        QVERIFY(view().isVisible());
        QVERIFY(view().series().topLevelItemCount() >= 3);
        QVERIFY(!view().chart().shown().empty());
        QVERIFY(view().chart().isVisible());
        QVERIFY(!view().failures().isVisible());
    }

    void aFailureIsARowWithTheFiguresOfItsMessage()
    {
        open(QStringLiteral("r4-verl-slurm.err"));
        QCOMPARE(view().failures().model()->rowCount(), 1);
        QCOMPARE(shown(0, QStringLiteral("Requested")), QStringLiteral("17.66 GiB"));
        QCOMPARE(shown(0, QStringLiteral("GPU used")), QStringLiteral("74.21 GiB"));
        QCOMPARE(shown(0, QStringLiteral("Free")), QStringLiteral("4.97 GiB"));
    }

    void theGaugeShowsTheMemoryInUseWhenItRanOut()
    {
        open(QStringLiteral("r4-verl-slurm.err"));
        const auto* gauge = page().findChild<MemoryGauge*>();
        QTRY_COMPARE(
            gauge->text(), QStringLiteral("when memory ran out: 74.21 GiB used on the GPU, GPU 79.18 GiB"));
    }

    void theGaugeOfALogWithoutFailuresShowsItsHighestValues()
    {
        open(QStringLiteral("r4-verl-after.err"));
        const auto* gauge = page().findChild<MemoryGauge*>();
        QTRY_COMPARE(
            gauge->text(), QStringLiteral("highest values: 44.87 GiB allocated, 49.11 GiB reserved"));
    }

    void theChipOfFindingsOpensThem()
    {
        open(QStringLiteral("r4-verl-before.err"));
        auto* chip = page().findChild<QToolButton*>(QStringLiteral("findingsLink"));
        QTRY_VERIFY(chip->isVisible());
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(view().tabs().tabText(view().tabs().currentIndex()), QStringLiteral("Findings"));
    }

    void theNextStepStandsBelowTheHeadlineInTheWordsOfTheFinding()
    {
        open(QStringLiteral("r4-verl-before.err"));
        const auto* advice = page().findChild<QLabel*>(QStringLiteral("advice"));
        QTRY_VERIFY(advice->isVisible());
        const auto* list = page().findChild<QTreeWidget*>(QStringLiteral("findings"));
        const QModelIndex first = list->model()->index(0, FindingDelegate::Sentence);
        const QString next = first.data(FindingDelegate::kAsideRole).toString();
        QVERIFY(next.startsWith(QStringLiteral("Next: ")));
        QVERIFY(advice->text().endsWith(next));
        QVERIFY(view().chart().isVisible());
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        QTRY_VERIFY(m_window->pages().log.headline().text().startsWith(QStringLiteral("No failure")));
        QVERIFY2(!advice->isVisible(), "a log without findings has nothing to do");
    }

    void theHeadlineSaysWhereMemoryRanOutAndWhy()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        const QString said
            = QStringLiteral("2 ranks ran out of memory, first on GPU 0 (rank 0, after step 3)");
        QTRY_VERIFY(m_window->pages().log.headline().text().startsWith(said));
    }

    void theTimelineHasTheLimitThatTheLogStates()
    {
        LogView& log = openBelowTimeline();
        const auto isOfLog = [this] {
            const std::optional<DeviceCapacity>& capacity = m_window->page().capacity();
            return capacity && capacity->source == CapacitySource::ProcessLimit;
        };
        QTRY_VERIFY(isOfLog());
        QVERIFY(log.failures().model()->rowCount() > 0);
        QCOMPARE(m_window->page().capacity()->bytes, 2 * kGiB);
    }

    void severalFailuresAreOneTableAboveTheText()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        QVERIFY(view().failures().isVisible());
        QCOMPARE(view().failures().model()->rowCount(), 2);
        QCOMPARE(shown(0, QStringLiteral("Rank")), QStringLiteral("0"));
        QCOMPARE(shown(1, QStringLiteral("GPU")), QStringLiteral("1"));
        QVERIFY(view().failures().geometry().bottom() < view().lines().geometry().top());
    }

    void theTextOfALogWithoutSeriesHasTheWholeWidth()
    {
        LogView& log = openBelowTimeline();
        QVERIFY(log.series().order().empty());
        QTRY_VERIFY(log.lines().width() >= log.width() - 2);
        QVERIFY(log.failures().width() >= log.width() - 2);
    }

    void noFigureOfAFailureIsCutBelowATimeline()
    {
        const QTableView& failures = openBelowTimeline().failures();
        QTRY_VERIFY(failures.isVisible());
        for (int column = 0; column < failures.model()->columnCount(); ++column) {
            const QModelIndex cell = failures.model()->index(0, column);
            const QString text = cell.data().toString();
            const bool isFigure
                = cell.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight; // a place may be cut
            if (isFigure && !failures.isColumnHidden(column))
                QVERIFY2(failures.columnWidth(column) >= failures.fontMetrics().horizontalAdvance(text),
                    qPrintable(text));
        }
    }

    void aSingleFailureLeavesTheSeriesOpen()
    {
        open(QStringLiteral("r4-verl-before.err"));
        QCOMPARE(view().failures().model()->rowCount(), 1);
        QVERIFY(view().series().isVisible());
    }

    void aSingleTabHasNoTabBar()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        QTRY_VERIFY(view().series().isVisible());
        QVERIFY(!view().tabs().tabBar()->isVisible());
        open(QStringLiteral("r4-verl-before.err"));
        QTRY_VERIFY(view().tabs().tabBar()->isVisible());
    }

    void theNameOfASeriesIsWholeInANarrowList()
    {
        open(QStringLiteral("r4-verl-before.err"));
        SeriesList& series = view().series();
        series.resize(320, 200);
        const QString name = series.topLevelItem(0)->text(0);
        QVERIFY(series.columnWidth(0) > series.fontMetrics().horizontalAdvance(name));
    }

    void aClickOnATitleSortsTheFailures()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        QHeaderView& header = *view().failures().horizontalHeader();
        const int column = columnOf(QStringLiteral("Rank"));
        const QPoint title(header.sectionViewportPosition(column) + 8, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, Qt::NoModifier, title);
        const QString first = shown(0, QStringLiteral("Rank"));
        QTest::mouseClick(header.viewport(), Qt::LeftButton, Qt::NoModifier, title);
        QVERIFY(shown(0, QStringLiteral("Rank")) != first);
    }

    void theHeadlineOfALogWithoutFailuresSaysSo()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        QTRY_VERIFY(m_window->pages().log.headline().text().startsWith(QStringLiteral("No failure")));
    }

    void aLineWithFiguresLooksLikeNoLink()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        QVERIFY(!view().lines().model()->index(0, 0).data(Qt::ForegroundRole).isValid());
    }

    void aDoubleClickOnAFailureGoesToItsLine()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        view().goToLine(1);
        QTableView& failures = view().failures();
        const QPoint at = failures.visualRect(failures.model()->index(1, 0)).center();
        QTest::mouseClick(failures.viewport(), Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(view().currentLine(), std::uint64_t{1});
        QTest::mouseDClick(failures.viewport(), Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(view().currentLine(), std::uint64_t{28});
        const auto& lines = static_cast<const LogModel&>(*view().lines().model());
        QCOMPARE(lines.kindOf(view().lines().currentIndex().row()), LogLineKind::Failure);
    }

    void theMemoryOfEveryRankThatFailedIsDrawnAndTheRestIsBehindMore()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        QStringList names = view().chart().seriesNames();
        names.sort();
        QCOMPARE(names, QStringList({"reserved peak, rank 0", "reserved peak, rank 1"}));
        QCOMPARE(view().series().topLevelItemCount(), 3);
        QVERIFY(!view().series().topLevelItem(2)->isExpanded());
    }

    void aFailureIsMarkedInTheChartWithItsFigures()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        QCOMPARE(
            view().chart().failureTexts(), QStringList({"2 ranks out of memory: 680 MiB requested by each"}));
    }

    void eachLineHasItsNameAtItsEnd()
    {
        open(QStringLiteral("r4-verl-before.err"));
        QStringList names = view().chart().seriesNames();
        names.sort();
        QCOMPARE(names, QStringList({"allocated peak", "reserved peak"}));
    }

    void seriesLeaveFirstAndLastToTheChart()
    {
        open(QStringLiteral("r4-verl-before.err"));
        QStringList titles;
        for (int column = 0; column < view().series().columnCount(); ++column)
            titles << view().series().headerItem()->text(column);
        QCOMPARE(titles, QStringList({"Series", "Points", "Smallest", "Largest", "At step", "Note"}));
    }

    void namesAndFailuresHaveTheirRoomAroundThePlot()
    {
        open(QStringLiteral("r4-verl-before.err"));
        QCustomPlot& canvas = view().chart().canvas();
        canvas.replot();
        const QFontMetrics metrics(view().chart().font());
        const QRect plot = canvas.axisRect()->rect();
        QVERIFY(canvas.width() - plot.right() > metrics.horizontalAdvance(QStringLiteral("allocated peak")));
        QVERIFY(plot.top() >= metrics.height());
    }

    void theTextOfAFailureEndsBeforeItsLine()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        QCustomPlot& canvas = view().chart().canvas();
        canvas.replot();
        const int line = qRound(canvas.xAxis->coordToPixel(3.5)); // after step 3
        const QImage picture = canvas.grab().toImage();
        const int row = canvas.axisRect()->top() - view().chart().fontMetrics().height() / 2;
        const auto isDrawn = [&](int left, int right) {
            for (int x = left; x < right; ++x)
                for (int y = row - 4; y < row + 4; ++y)
                    if (picture.pixelColor(x, y) != ThemeColors::light().surface)
                        return true;
            return false;
        };
        QVERIFY(isDrawn(line - 60, line - 5));
        QVERIFY(isDrawn(line - 2, line + 2));
        QVERIFY(!isDrawn(line + 3, canvas.width()));
    }

    void aChosenLineOfAFailureStaysRed()
    {
        open(QStringLiteral("r4-verl-before.err"));
        const QVariant color = view().lines().model()->index(6, 0).data(Qt::ForegroundRole);
        QCOMPARE(color.value<QColor>(), ThemeColors::light().danger);
    }

    void thePlaceOfAFailureIsWholeWhereItHasTheRoom()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        view().resize(300, 600);
        view().resize(1800, 600);
        const QTableView& failures = view().failures();
        const int place = columnOf(QStringLiteral("Place"));
        const QString text = failures.model()->index(0, place).data().toString();
        QTRY_VERIFY(failures.columnWidth(place) >= failures.fontMetrics().horizontalAdvance(text));
    }

    void theColumnOfLinesIsNotCut()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        const QTableView& failures = view().failures();
        const int column = columnOf(QStringLiteral("Line"));
        const auto right
            = [&] { return failures.columnViewportPosition(column) + failures.columnWidth(column); };
        QTRY_VERIFY(right() <= failures.viewport()->width());
        QVERIFY(
            failures.columnWidth(column) >= failures.fontMetrics().horizontalAdvance(QStringLiteral("28")));
    }

    void aSelectedLineThatIsCutIsWholeBelowTheText()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        const auto* whole = view().findChild<QPlainTextEdit*>(QStringLiteral("logWholeLine"));
        view().goToLine(28);
        QVERIFY(whole->isVisible());
        QCOMPARE(whole->toPlainText(), view().lines().currentIndex().data().toString());
        view().goToLine(30); // "[0]:"
        QVERIFY(!whole->isVisible());
    }

    void theWholeLineIsAsHighAsItsText()
    {
        open(QStringLiteral("kinds/hip-other-process.log"));
        const auto* whole = view().findChild<QPlainTextEdit*>(QStringLiteral("logWholeLine"));
        view().goToLine(1);
        QTRY_VERIFY(whole->isVisible() && whole->height() > 3 * whole->fontMetrics().lineSpacing());
        QTRY_COMPARE(whole->verticalScrollBar()->maximum(), 0);
    }

    void aWideFailureIsCutAtItsEndAndItsTipIsWhole()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        const QListView& lines = view().lines();
        const QModelIndex failure = lines.model()->index(27, 0);
        QVERIFY(lines.fontMetrics().horizontalAdvance(failure.data().toString()) > lines.viewport()->width());
        QCOMPARE(lines.textElideMode(), Qt::ElideRight);
        QCOMPARE(lines.horizontalScrollBarPolicy(), Qt::ScrollBarAlwaysOff);
        QCOMPARE(lines.itemDelegate()->metaObject(), &QStyledItemDelegate::staticMetaObject);
        const QString tip = failure.data(Qt::ToolTipRole).toString();
        QVERIFY(
            tip.contains(QStringLiteral("CUDA out of memory")) && tip.contains(QStringLiteral("680.00 MiB")));
    }

    void ofPyTorchsStatisticsOnlyCurrentPeakAndReservedAreDrawn()
    {
        m_window->openFile(
            QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/trainers/logged-gpt2.memory_stats.jsonl"));
        QTRY_VERIFY(view().hasLog() && view().isSettled());
        const std::shared_ptr<const Document> log = page().subjects().front().document;
        QStringList drawn;
        for (const std::size_t series : view().chart().shown())
            drawn << QString::fromStdString(log->trace().counters[series].name);
        drawn.sort();
        QCOMPARE(drawn,
            QStringList({"allocated_bytes.all.current", "allocated_bytes.all.peak",
                "reserved_bytes.all.current", "reserved_bytes.all.peak"}));
    }

    void aLogWithoutMemoryDrawsNothingAndSaysWhatToLog()
    {
        open(QStringLiteral("families/losses-only.jsonl"));
        QTRY_VERIFY(page().headline().text().contains(QStringLiteral("highwater record")));
        QVERIFY(!view().chart().isVisible());
        QVERIFY(view().undrawnText().contains(QStringLiteral("torch.cuda.memory_allocated()")));
    }

    void aSeriesThatTheUserPicksIsTheTitleOfItsChart()
    {
        open(QStringLiteral("families/losses-only.jsonl"));
        view().series().topLevelItem(0)->child(0)->setCheckState(0, Qt::Checked);
        QVERIFY(view().chart().isVisible());
        QCOMPARE(view().findChild<QLabel*>(QStringLiteral("logChartTitle"))->text(), QStringLiteral("loss"));
    }

    void aSeriesInAnotherUnitReplacesTheDrawnOnes()
    {
        open(QStringLiteral("r5-flan-t5-xl.log"));
        QTreeWidgetItem& more = *view().series().topLevelItem(view().series().topLevelItemCount() - 1);
        QTreeWidgetItem* other = more.child(more.childCount() - 1);
        other->setCheckState(0, Qt::Checked);
        QCOMPARE(view().chart().shown().size(), std::size_t{1});
        QCOMPARE(view().series().topLevelItem(0)->checkState(0), Qt::Unchecked);
    }

    void singleValuesAreSaidAndNotDrawn()
    {
        open(QStringLiteral("kinds/allocator-retries.log"));
        QVERIFY(!view().chart().isVisible());
        QCOMPARE(view().undrawnText(), QStringLiteral("reserved peak: 76.1 GiB"));
    }

    void linesOfSeriesHaveContrastInEveryTheme()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        for (const ThemeColors& colors : {ThemeColors::light(), ThemeColors::darkColors(),
                 ThemeColors::highContrast(false), ThemeColors::highContrast(true)}) {
            view().setColors(colors);
            for (const std::size_t series : view().series().order())
                QVERIFY(
                    contrast(view().chart().colorOf(series).rgb() & 0xffffff, colors.surface.rgb() & 0xffffff)
                    >= 3);
        }
    }

    void noLineMarksTheStepZero()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        const auto* plot = view().chart().findChild<QCustomPlot*>();
        QCOMPARE(plot->xAxis->grid()->zeroLinePen().style(), Qt::NoPen);
    }

    void aClickOnAPointGoesToItsLine()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        SeriesChart& chart = view().chart();
        QCustomPlot& canvas = chart.canvas();
        QTest::qWait(0);
        const QCPGraphData point = *canvas.graph(0)->data()->constBegin();
        const QPoint at(
            qRound(canvas.xAxis->coordToPixel(point.key)), qRound(canvas.yAxis->coordToPixel(point.value)));
        QTest::mouseClick(&chart, Qt::LeftButton, Qt::NoModifier, at);
        QCOMPARE(view().currentLine(), std::uint64_t{1});
    }

    void uncheckingASeriesTakesItFromTheChart()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        const std::size_t before = view().chart().shown().size();
        view().series().topLevelItem(0)->setCheckState(0, Qt::Unchecked);
        QCOMPARE(view().chart().shown().size(), before - 1);
    }

    void aFileThatIsNoTextShowsItsSeriesAlone()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("log.hwt"));
        const auto imported = loadFile(logPath(QStringLiteral("r2-grpo-memory.jsonl")).toStdString(), {});
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(writeNative(*imported->trace, [&](std::string_view bytes) {
            return file.write(bytes.data(), static_cast<qint64>(bytes.size()))
                == static_cast<qint64>(bytes.size());
        }));
        file.close();
        m_window->openFile(path);
        QTRY_VERIFY(view().hasLog() && view().isVisible());
        QVERIFY(!view().lines().isVisible());
        QVERIFY(view().series().isVisible());
        QVERIFY(!view().chart().shown().empty());
    }

    void aLogWithoutLinesHasTheFocusInItsSeries()
    {
        m_window->openFile(logPath(QStringLiteral("../trainers/trainer-lora-llama.tfevents")));
        QTRY_VERIFY(view().hasLog() && view().isVisible());
        QCOMPARE(m_window->focusWidget(), &view().series());
    }

    void theLogFollowsTheTimelineToTheLineOfThatTime()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        constexpr Nanoseconds second = 1'000'000'000;
        view().followTimeline(1767225604 * second + second / 2); // line 2 has the time 1767225604.25
        QCOMPARE(view().currentLine(), std::uint64_t{2});
        view().followTimeline(1);
        QCOMPARE(view().currentLine(), std::uint64_t{2}); // no line had been written by then
    }

    void aLogBesideASnapshotIsATabBelowTheTimeline()
    {
        m_window->openFiles({logPath(QStringLiteral("r5-flan-t5-xl.log")),
            samplePath(QStringLiteral("training-6-steps-annotated"))});
        QTRY_VERIFY(isOn(m_window->page()) && !m_window->sessions().run.run().isLoading());
        QTRY_VERIFY(m_window->page().log().hasLog());
        QVERIFY(!m_window->sessions().run.hasRanks());
    }
};

HIGHWATER_APP_TEST(LogViewTest)

} // namespace highwater::gui::test

#include "log_view_test.moc"
