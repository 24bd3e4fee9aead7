#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTabBar>
#include <QTest>
#include <QTreeWidget>

#include "app/views/charts/legend_bar.h"
#include "app/views/charts/memory_gauge.h"
#include "app/views/findings/findings_view.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"
#include "core/study/outcome/key_moment.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui {

/// Checks that the figures on the first screen are those of the command, and agree with each other.
class FiguresAgreeTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    static QJsonObject ofCommand(const QStringList& arguments)
    {
        QProcess command;
        command.start(QStringLiteral(HIGHWATER_CLI), arguments + QStringList{"--json", "--quiet"});
        command.waitForFinished(120'000);
        return QJsonDocument::fromJson(command.readAllStandardOutput()).object();
    }
    QJsonObject liveAt(const QString& path, std::int64_t event)
    {
        return ofCommand({"peaks", path, "--group", "category", QStringLiteral("--at=%1").arg(event),
            "--device", QString::number(page().analysis()->device)})["live"]
            .toObject();
    }
    static QString bytes(const QJsonValue& value)
    {
        return QString::fromStdString(formatBytes(value.toInteger()));
    }
    DocumentPage& page() { return m_window->page(); }

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* sample : {"r1-grpo-before", "r1-grpo-after", "r3-vocabulary-before",
                 "r5-flan-t5-xl-before", "oom-fragmentation", "oom-too-big", "clean-logits", "fault-growth",
                 "private-pool", "two-devices", "two-streams-record-stream"})
            QTest::newRow(sample) << test::samplePath(QString::fromLatin1(sample));
        QTest::newRow("truncated") << QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/broken/truncated.pickle");
    }
    void initTestCase() { test::useScratchSettings(); }

    void init()
    {
        QFETCH_GLOBAL(QString, path);
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openFile(path);
        QTRY_VERIFY_WITH_TIMEOUT(
            page().run().study() && !page().run().isBusy() && page().isSettled(), 60'000);
    }
    void cleanup() { m_window.reset(); }

    void theGaugeHasTheFiguresOfTheCommandAtItsMoment()
    {
        QFETCH_GLOBAL(QString, path);
        const KeyMoment moment = keyMoment(page().analysis()->study);
        const QString shown = page().verdict().findChild<MemoryGauge*>()->text();
        const QString used = bytes(liveAt(path, moment.event)["bytes"]);
        // The gauge is too narrow for "at the".
        QString caption = toQString(inWords(moment.kind));
        caption.remove(QRegularExpression(QStringLiteral("^at the (?=highest readable)")));
        QVERIFY2(shown.startsWith(caption + QStringLiteral(": ")), qPrintable(shown));
        if (moment.kind == KeyMomentKind::HighestEvent) // lost events may have reserved more
            QVERIFY2(!shown.contains(QStringLiteral("reserved")), qPrintable(shown));
        else if (moment.reserved.value_or(0) > 0)
            QVERIFY2(
                shown.contains(bytesText(*moment.reserved) + QStringLiteral(" reserved")), qPrintable(shown));
        QVERIFY2(shown.contains(used + QStringLiteral(" in use")), qPrintable(shown + " | " + used));
    }

    void gaugeLegendAndMomentAreOfOneMoment()
    {
        QFETCH_GLOBAL(QString, path);
        const KeyMoment moment = keyMoment(page().analysis()->study);
        Bytes sum = 0;
        for (const LegendRow& row : page().legend().rows())
            sum += row.bytes;
        QCOMPARE(sum, liveAt(path, moment.event)["bytes"].toInteger());
        const QString heading = page().legend().heading();
        QVERIFY2(
            heading.startsWith(toQString(inWords(moment.kind)), Qt::CaseInsensitive), qPrintable(heading));
        for (const LegendExtras::Entry& entry : page().legend().extras().entries())
            if (!entry.isKept)
                QCOMPARE(entry.bytes, moment.reserved);
    }

    void theLegendSumsToThePeakOfTheCommand()
    {
        QFETCH_GLOBAL(QString, path);
        const QJsonObject live = ofCommand({"peaks", path, "--group", "category", "--device",
            QString::number(page().analysis()->device)})["live"]
                                     .toObject();
        page().goToPeak();
        QTRY_VERIFY(page().isSettled());
        Bytes sum = 0;
        for (const LegendRow& row : page().legend().rows())
            sum += row.bytes;
        QCOMPARE(sum, live["bytes"].toInteger());
    }

    void theListOfFindingsHasAsManyRowsAsItsTabSays()
    {
        QFETCH_GLOBAL(QString, path);
        QStringList faults;
        for (const QJsonValue& finding : ofCommand({"findings", path})["findings"].toArray())
            if (finding["kind"] == "fault")
                faults << finding["title"].toString();
        const auto* list = page().findings().findChild<QTreeWidget*>();
        const int tab = page().panelTabs().indexOf(&page().findings());
        const QString title = page().panelTabs().tabText(tab);
        if (faults.isEmpty()) {
            QCOMPARE(title, QStringLiteral("Findings"));
            return;
        }
        QCOMPARE(title, QStringLiteral("Findings %1").arg(faults.size()));
        QCOMPARE(list->topLevelItemCount(), faults.size());
        QStringList shown;
        for (int row = 0; row < list->topLevelItemCount(); ++row)
            shown << list->topLevelItem(row)->text(1);
        shown.sort();
        faults.sort();
        QCOMPARE(shown, faults);
    }

    void theFailureIsInTheBytesOfTheGauge()
    {
        // One quantity for what is in use: a failure at the peak has the figure of the gauge.
        const DeviceFigures& figures = page().analysis()->figures;
        if (figures.ooms.empty() || figures.ooms.back().event - 1 != figures.peakEvent)
            return;
        const QString used = bytesText(figures.peakBytes);
        for (const Finding& finding : page().run().study()->findings())
            if (finding.rule == "too-big") {
                const QString title = toQString(finding.title);
                QVERIFY2(title.contains(used + QStringLiteral(" in use on a GPU of ")),
                    qPrintable(title + " | " + used));
            }
    }
};

HIGHWATER_APP_TEST(FiguresAgreeTest)

} // namespace highwater::gui

#include "figures_agree_test.moc"
