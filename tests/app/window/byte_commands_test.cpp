#include <cmath>
#include <functional>

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <qcustomplot.h>

#include "app/timeline/overview_strip.h"
#include "app/timeline/timeline_markers.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/side_panel/details_panel.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/capacity_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/capacity_choices.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

DeviceCapacity chosen(Bytes bytes, const char* gpu = "")
{
    return {bytes, CapacitySource::Chosen, gpu, -1};
}

} // namespace

class ByteCommandsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    TimelinePlot& timeline() { return page().timeline(); }
    TimelineMarkers& markers() { return timeline().markers(); }
    ByteCommands& commands() { return m_window->byteCommands(); }

    void makeWindow()
    {
        m_window = std::make_unique<MainWindow>(true);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void open(const QString& sample)
    {
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(
            page().document() && QString::fromStdString(page().document()->path) == samplePath(sample));
        QTRY_VERIFY(timeline().isSettled());
    }

    void showAllocated()
    {
        commands().allocated->trigger();
        QTRY_COMPARE(page().analysis()->quantity(), Quantity::Allocated);
    }

    /// Operates the dialog that the command opens, as a user would.
    void answerCapacity(const std::function<void(CapacityDialog&)>& answer)
    {
        QTimer::singleShot(0, this, [&] {
            auto* dialog = m_window->findChild<CapacityDialog*>();
            QVERIFY(dialog);
            answer(*dialog);
        });
        commands().capacity->trigger();
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        makeWindow();
    }
    void cleanup() { m_window.reset(); }

    void allocatedBytesEndWithTheBlocksOfTheSnapshot()
    {
        open("training-6-steps-bare");
        const Bytes requestedPeak = page().analysis()->figures.peakBytes;
        showAllocated();
        const DeviceAnalysis& shown = *page().analysis();
        QCOMPARE(shown.curve.at(shown.curve.eventCount() - 1), shown.figures.finalAllocatedBytes);
        QVERIFY(shown.figures.peakBytes >= requestedPeak);
        QTRY_VERIFY(page().isSettled());
    }

    void allocatedBytesKeepTheViewTheModeAndTheSelection()
    {
        open("r1-grpo-before");
        page().bandView().setMode(BandMode::Site);
        QTRY_COMPARE(page().bandView().mode(), BandMode::Site);
        page().goToPeak();
        page().range().setX(100, 900);
        const AllocationIndex pinned = page().analysis()->allocations.ofEvent(200);
        page().selection().pin(pinned);
        page().selection().setRange(Selection::EventRange{150, 300});
        showAllocated();
        QCOMPARE(page().range().x().begin, 100.0);
        QCOMPARE(page().range().x().end, 900.0);
        QCOMPARE(page().selection().pinned(), pinned);
        QCOMPARE(page().selection().range(), std::optional(Selection::EventRange(150, 300)));
        QTRY_COMPARE(page().bandView().mode(), BandMode::Site);
        QTRY_VERIFY(page().isSettled());
        commands().requested->trigger();
        QCOMPARE(page().analysis()->quantity(), Quantity::Requested);
        QCOMPARE(page().selection().pinned(), pinned);
        QCOMPARE(page().range().x().begin, 100.0);
    }

    void everyPlaceSaysThatAllocatedBytesAreInferred()
    {
        open("training-6-steps-bare");
        QVERIFY(textIn(page().verdict()).contains("peak, requested"));
        QVERIFY(page().statusText().contains("requested bytes"));
        page().selection().setCursor(100);
        QVERIFY(page().cursorText().endsWith(" MiB"));
        showAllocated();
        QVERIFY(textIn(page().verdict()).contains("peak, allocated, inferred"));
        QVERIFY(textIn(page().verdict()).contains(QString::fromUtf8("≥ ")));
        QVERIFY(page().statusText().contains("allocated bytes (lower bound)"));
        QVERIFY(page().cursorText().contains(QString::fromUtf8("≥ ")));
        QVERIFY(page().cursorText().endsWith(" allocated"));
    }

    void theDetailsOfABlockThatIsGoneSayThatItsSizeIsInferred()
    {
        open("tiny-hand-checked");
        showAllocated();
        const AllocationTable& table = page().analysis()->allocations;
        AllocationIndex gone = 0;
        while (!table.isInferred(gone))
            ++gone;
        page().selection().pin(gone);
        QTRY_VERIFY(page().details().text().contains("inferred: no longer in the snapshot"));
    }

    void aDeviceWithAnotherAllocatorHasNoChoice()
    {
        open("host-pinned");
        const auto& devices = page().document()->devices;
        for (DeviceIndex i = 0; i < devices.size(); ++i) {
            page().setDevice(i);
            const bool host = devices[i]->info().kind == DeviceKind::HostPinned;
            QCOMPARE(commands().allocated->isVisible(), !host);
        }
    }

    void theWishForAllocatedBytesGoesWithTheNextFile()
    {
        open("tiny-hand-checked");
        showAllocated();
        open("training-6-steps-bare");
        QTRY_COMPARE(page().analysis()->quantity(), Quantity::Allocated);
        QVERIFY(commands().allocated->isChecked());
        QVERIFY(page().analysis()->trace == page().document()->imported.trace);
    }

    void thePeakSoFarNeverFallsAndEndsAtThePeak()
    {
        open("training-6-steps-bare");
        const StepLine line = markers().peakSoFarLine();
        QVERIFY(line.levels.size() > 1);
        const PlotArea area = timeline().area();
        for (qsizetype i = 1; i < line.levels.size(); ++i) {
            QVERIFY(line.levels[i].y1() < line.levels[i - 1].y1());
            QCOMPARE(line.levels[i].x1(), line.levels[i - 1].x2());
        }
        QCOMPARE(line.levels.first().x1(), area.rect.left());
        QVERIFY(std::abs(line.levels.last().x2() - area.rect.right()) <= 1);
        QCOMPARE(
            line.levels.last().y1(), area.toY(static_cast<double>(page().analysis()->figures.peakBytes)));
    }

    void thePeakSoFarCanBeShownAndStaysShown()
    {
        open("tiny-hand-checked");
        QVERIFY(!commands().peakSoFar->isChecked() && !markers().isPeakSoFarShown());
        commands().peakSoFar->trigger();
        QVERIFY(markers().isPeakSoFarShown());
        m_window.reset();
        makeWindow();
        QVERIFY(commands().peakSoFar->isChecked());
        QVERIFY(markers().isPeakSoFarShown());
    }

    void aCapacityFromTheListIsDrawnAndSetAgainstTheReservedPeak()
    {
        open("tiny-hand-checked");
        QVERIFY(!page().capacity());
        QVERIFY(!commands().fitWithCapacity->isEnabled());
        answerCapacity([](CapacityDialog& dialog) {
            auto* list = dialog.findChild<QListWidget*>("capacityGpus");
            const auto found = list->findItems("H100 80", Qt::MatchStartsWith);
            QCOMPARE(found.size(), 1);
            list->setCurrentItem(found.first());
            QCOMPARE(dialog.findChild<QLabel*>("capacityPreview")->text(),
                QStringLiteral("79.15 GiB (H100 80, chosen)"));
            dialog.accept();
        });
        QCOMPARE(toText(page().capacity().value()), std::string("79.15 GiB (H100 80, chosen)"));
        QVERIFY(textIn(page().verdict()).contains("of 79.15 GiB"));
        QVERIFY(textIn(page().verdict()).contains("H100 80, chosen"));
        QVERIFY(textIn(page().verdict()).contains("above reserved"));
        // The capacity is far above the visible range, and the picture is not scaled down for it.
        QVERIFY(!markers().capacityY());
        QVERIFY(page().range().isFit());
        commands().fitWithCapacity->trigger();
        QVERIFY(markers().capacityY());
        page().fit();
        QVERIFY(!markers().capacityY());
    }

    void aSizeCanBeTypedAndTakenAway()
    {
        open("tiny-hand-checked");
        answerCapacity([](CapacityDialog& dialog) {
            auto* field = dialog.findChild<QLineEdit*>("capacityField");
            QTest::keyClicks(field, "24 Gx");
            QVERIFY(dialog.findChild<QLabel*>("capacityPreview")->text().contains("Not a size"));
            QVERIFY(!dialog.choice());
            QTest::keyClick(field, Qt::Key_Backspace);
            QTest::keyClicks(field, "iB");
            QCOMPARE(dialog.findChild<QLabel*>("capacityPreview")->text(), QStringLiteral("24 GiB (chosen)"));
            dialog.accept();
        });
        QCOMPARE(page().capacity(), std::optional(chosen(24 * kGiB)));
        answerCapacity([](CapacityDialog& dialog) {
            QCOMPARE(dialog.findChild<QLabel*>("capacityPreview")->text(), QStringLiteral("24 GiB (chosen)"));
            dialog.findChild<QListWidget*>("capacityGpus")->setCurrentRow(0);
            dialog.accept();
        });
        QVERIFY(!page().capacity());
    }

    void aGpuThatTheListLeavesOutCanBeTyped()
    {
        open("tiny-hand-checked");
        answerCapacity([](CapacityDialog& dialog) {
            QVERIFY(dialog.findChild<QListWidget*>("capacityGpus")
                        ->findItems("RTX 3070", Qt::MatchStartsWith)
                        .isEmpty());
            QTest::keyClicks(dialog.findChild<QLineEdit*>("capacityField"), "rtx 3070");
            dialog.accept();
        });
        QCOMPARE(page().capacity().value().gpu, std::string("RTX 3070"));
        answerCapacity([](CapacityDialog& dialog) {
            QCOMPARE(dialog.findChild<QLineEdit*>("capacityField")->text(), QStringLiteral("RTX 3070"));
            dialog.reject();
        });
    }

    void aNearCapacityIsAlwaysInThePicture()
    {
        open("tiny-hand-checked");
        const Bytes reserved = page().analysis()->figures.reservedPeakBytes;
        m_window->byteCommands().capacities().choose(
            samplePath("tiny-hand-checked"), chosen(reserved + reserved / 4));
        QVERIFY(markers().capacityY());
        QVERIFY(page().range().isFit());
        QTRY_VERIFY(timeline().isSettled());
    }

    void aCapacityThatIsTooSmallIsSaid()
    {
        open("tiny-hand-checked");
        commands().capacities().choose(samplePath("tiny-hand-checked"), chosen(kMiB));
        QVERIFY(textIn(page().verdict()).contains("less than was reserved"));
    }

    void withoutAChoiceAnOutOfMemoryEventGivesALowerBound()
    {
        open("oom-too-big");
        const DeviceAnalysis& analysis = *page().analysis();
        const OomEvent& oom = analysis.figures.ooms.front();
        QCOMPARE(page().capacity()->bytes, *analysis.curve.reservedAt(oom.event) + oom.deviceFreeBytes);
        QVERIFY(textIn(page().verdict()).contains(QString::fromUtf8("of ≥ ")));
        QVERIFY(toText(*page().capacity()).starts_with("at least "));
    }

    void choicesAreForAFileOrForAllAndAreRemembered()
    {
        {
            CapacityChoices choices(true);
            choices.choose("/a", chosen(kGiB, "T4"));
            QCOMPARE(choices.of("/a"), std::optional(chosen(kGiB, "T4")));
            QVERIFY(!choices.of("/b"));
            choices.choose("/a", std::nullopt);
            QVERIFY(!choices.hasOwn("/a"));
            choices.chooseForAll(chosen(2 * kGiB));
            choices.choose("/a", chosen(kGiB, "A100 80"));
            choices.choose("/c", std::nullopt);
        }
        const CapacityChoices again(true);
        QCOMPARE(again.of("/a"), std::optional(chosen(kGiB, "A100 80")));
        QCOMPARE(again.of("/b"), std::optional(chosen(2 * kGiB)));
        QVERIFY(!again.of("/c"));
        QVERIFY(!CapacityChoices(false).of("/b"));
    }

    void theChoiceForAllReplacesThoseOfSingleFiles()
    {
        CapacityChoices choices(false);
        choices.choose("/a", chosen(kGiB));
        choices.chooseForAll(chosen(3 * kGiB));
        QCOMPARE(choices.of("/a"), std::optional(chosen(3 * kGiB)));
        choices.chooseForAll(std::nullopt);
        QVERIFY(!choices.of("/a"));
    }

    void onlySoManyFilesAreKept()
    {
        CapacityChoices choices(false);
        for (int i = 0; i <= CapacityChoices::kMaxFiles; ++i)
            choices.choose(QStringLiteral("/%1").arg(i), chosen(kGiB));
        QVERIFY(!choices.of("/0"));
        QVERIFY(choices.of("/1").has_value());
    }
};

HIGHWATER_APP_TEST(ByteCommandsTest)

} // namespace highwater::gui::test

#include "byte_commands_test.moc"
