#include <QFile>
#include <QListView>
#include <QListWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <qcustomplot.h>

#include "app/loading/load_file.h"
#include "app/models/log_model.h"
#include "app/views/log/log_view.h"
#include "app/views/log/series_chart.h"
#include "app/views/pages/headline.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
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
    void open(const QString& name)
    {
        m_window->openFile(logPath(name));
        QTRY_VERIFY(view().hasLog() && view().isSettled());
        QTRY_VERIFY(view().lines().model()->rowCount() > 0);
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
        QVERIFY(view().summary().contains(QStringLiteral("no failures")));
    }

    void anOutOfMemoryMessageIsListedWithItsContradiction()
    {
        open(QStringLiteral("r4-verl-slurm.err"));
        QCOMPARE(view().failures().count(), 1);
        const QString text = view().failures().item(0)->text();
        QVERIFY2(text.contains(QStringLiteral("17.66 GiB requested")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("100.77 GiB")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("79.18 GiB")), qPrintable(text));
    }

    void theHeadlineSaysWhereMemoryRanOutAndWhy()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        const QString said = QStringLiteral("Out of memory on GPU 0 (rank 0, probably step 4): 680 MiB");
        QTRY_VERIFY(m_window->pages().log.headline().text().startsWith(said));
    }

    void theRanksThatFailedAreATable()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        auto* ranks = view().findChild<QTableView*>(QStringLiteral("failedRanks"));
        QVERIFY(ranks->isVisible());
        QCOMPARE(ranks->model()->rowCount(), 2);
        QCOMPARE(ranks->model()->index(0, 0).data().toString(), QStringLiteral("0"));
        QCOMPARE(ranks->model()->index(1, 0).data().toString(), QStringLiteral("1"));
    }

    void theHeadlineOfALogWithoutFailuresSaysSo()
    {
        open(QStringLiteral("r2-grpo-memory.jsonl"));
        QTRY_VERIFY(m_window->pages().log.headline().text().startsWith(QStringLiteral("No failure")));
    }

    void choosingAMessageGoesToItsLine()
    {
        open(QStringLiteral("two-ranks-oom.log"));
        QVERIFY(view().failures().count() >= 1);
        view().goToLine(1);
        view().failures().setCurrentRow(-1);
        view().failures().setCurrentRow(0);
        QVERIFY(view().currentLine() > 1);
        const auto& lines = static_cast<const LogModel&>(*view().lines().model());
        QCOMPARE(lines.kindOf(view().lines().currentIndex().row()), LogLineKind::OutOfMemory);
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
        for (int row = 0; row < view().series().topLevelItemCount(); ++row)
            if (view().series().topLevelItem(row)->checkState(0) == Qt::Checked) {
                view().series().topLevelItem(row)->setCheckState(0, Qt::Unchecked);
                break;
            }
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
