#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStyleOptionComboBox>
#include <QTest>
#include <QTextDocument>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include <qcustomplot.h>

#include "app/timeline/overview_strip.h"
#include "app/timeline/timeline_plot.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/details_panel.h"
#include "app/window/commands/report_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/start/command_line.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/support/bands_at.h"

namespace highwater::gui::test {

namespace {

void wheel(QWidget& widget, const QPoint& at, int notches, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(at, widget.mapToGlobal(QPointF(at)), {}, {0, notches * 120}, Qt::NoButton, modifiers,
        Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

/// Sends a mouse move only to this widget, so that the position of the desktop's pointer does not matter.
void moveMouse(QWidget& widget, const QPoint& at, Qt::MouseButtons buttons = {})
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(QPointF(at)), Qt::NoButton, buttons, {});
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

class WindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    TimelinePlot& timeline() { return page().timeline(); }

    void open(const QString& sample)
    {
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(
            page().document() && QString::fromStdString(page().document()->path) == samplePath(sample));
        QTRY_VERIFY(timeline().isSettled());
    }

    QPoint at(double key, double bytes)
    {
        const PlotArea area = timeline().area();
        return QPointF(area.toX(key), area.toY(bytes)).toPoint();
    }

    QPoint middle() { return timeline().area().rect.center().toPoint(); }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(true);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void withoutAFileTheStartPageIsShown()
    {
        QVERIFY(!isOn(m_window->page()));
        QVERIFY(!m_window->actions().peak->isVisible());
        QVERIFY(!m_window->findChild<QComboBox*>("deviceChooser")->isVisible());
    }

    void aSampleShowsItsPeakAndItsCounts()
    {
        open("tiny-hand-checked");
        QVERIFY(isOn(m_window->page()));
        QVERIFY(textIn(page().verdict()).contains("22 MiB"));
        QVERIFY(page().statusText().startsWith("22 events · "));
        QVERIFY(page().statusText().contains("requested bytes"));
        QVERIFY(!page().statusText().contains("view")); // all is in view
        QCOMPARE(m_window->windowTitle(), QStringLiteral("tiny-hand-checked.pickle.zst — Highwater"));
        QVERIFY(page().range().isFit());
    }

    void aBrokenFileLeavesTheOpenOneAloneAndSaysWhatIsWrong()
    {
        open("tiny-hand-checked");
        const auto before = page().document();
        QSignalSpy complete(m_window.get(), &MainWindow::complete);
        m_window->openFile(brokenPath("calls-os-system.pickle"));
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        QCOMPARE(page().document(), before);
        QVERIFY(isOn(m_window->page()));
        QVERIFY(m_window->errorText().startsWith("calls-os-system.pickle: "));
        QVERIFY(m_window->errorText().contains("at byte 16"));
        QVERIFY(complete.at(0).at(0).toString().contains("refused"));
    }

    void aTruncatedFileOpensWithAWarning()
    {
        m_window->openFile(brokenPath("truncated.pickle"));
        QTRY_VERIFY(isOn(m_window->page()));
        QVERIFY(textIn(m_window->page().verdict()).contains("incomplete: "));
        QVERIFY(textIn(m_window->page().verdict()).contains("the events of GPU 0"));
        QVERIFY(m_window->errorText().isEmpty());
        open("tiny-hand-checked");
        QVERIFY(!textIn(m_window->page().verdict()).contains("incomplete"));
    }

    void theWheelKeepsThePlaceUnderTheMouse()
    {
        open("training-6-steps-bare");
        const QPoint point(middle().x() + 137, middle().y());
        const double before = timeline().area().keyAt(point.x());
        wheel(timeline(), point, 3);
        QVERIFY(!page().range().x().isWhole());
        QVERIFY(page().statusText().contains("view"));
        QVERIFY(qAbs(timeline().area().keyAt(point.x()) - before) < 1e-6);
        QCOMPARE(page().range().x().width(),
            (page().range().x().highest - page().range().x().lowest) / (1.25 * 1.25 * 1.25));
        QVERIFY(page().range().y().isWhole());
        wheel(timeline(), point, 2, Qt::ControlModifier);
        QVERIFY(!page().range().y().isWhole());
    }

    void draggingMovesWhatIsUnderTheMouseWithIt()
    {
        open("training-6-steps-bare");
        wheel(timeline(), middle(), 8);
        const QPoint from = middle();
        const double key = timeline().area().keyAt(from.x());
        QTest::mousePress(&timeline(), Qt::LeftButton, {}, from);
        moveMouse(timeline(), from + QPoint(40, 0), Qt::LeftButton);
        moveMouse(timeline(), from + QPoint(150, 0), Qt::LeftButton);
        QTest::mouseRelease(&timeline(), Qt::LeftButton, {}, from + QPoint(150, 0));
        QVERIFY(qAbs(timeline().area().keyAt(from.x() + 150) - key) < 1e-6);
        QVERIFY(!page().selection().isPinned());
    }

    void aDoubleClickZoomsToTheStepThereAndPinsNothing()
    {
        open("training-6-steps-annotated");
        const double middleKey = (page().range().x().begin + page().range().x().end) / 2;
        const QPoint low = at(middleKey, 1e6);
        const StepTable& table = page().analysis()->steps;
        const Step& step
            = table.steps[*table.stepOf(timeline().eventAt(timeline().area().keyAt(low.x() + 0.5)))];
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, low);
        QTest::mouseDClick(&timeline(), Qt::LeftButton, {}, low);
        QCOMPARE(page().range().x().begin, static_cast<double>(step.begin));
        QCOMPARE(page().range().x().end, static_cast<double>(step.end));
        QVERIFY(!page().selection().isPinned());
        QTest::mouseDClick(&timeline(), Qt::LeftButton, {}, middle()); // within one step
        QVERIFY(page().range().x().width() < static_cast<double>(step.end - step.begin) / 3);
    }

    void theMouseIsReadInTheStatusBarWhileTheLegendKeepsTheMoment()
    {
        open("training-6-steps-annotated");
        page().selection().setCursor(100);
        QTRY_VERIFY(page().legend().heading().contains(eventText(100)));
        moveMouse(timeline(), middle());
        const std::int64_t event = *page().selection().pointed();
        QVERIFY(page().cursorText().startsWith(eventText(event)));
        QTest::qWait(2 * FrameThrottle::kFrameMilliseconds);
        QVERIFY(page().legend().heading().contains(eventText(100)));
        QEvent left(QEvent::Leave);
        QCoreApplication::sendEvent(&timeline(), &left);
        QVERIFY(page().cursorText().startsWith(eventText(100)));
    }

    void aHighlightComesBackWithTheHistory()
    {
        open("training-6-steps-annotated");
        auto some = std::make_shared<std::vector<bool>>(page().analysis()->allocations.size());
        some->front() = true;
        page().bandView().setHighlighted(some);
        page().fitHeight();
        page().release();
        QVERIFY(!page().bandView().highlighted());
        QTRY_VERIFY(page().history().canGoBack());
        page().history().back();
        QCOMPARE(page().bandView().highlighted(), BandView::Highlight(some));
    }

    void fitHeightScalesTheBytesToWhatIsInView()
    {
        open("training-6-steps-annotated");
        const auto& analysis = *page().analysis();
        page().range().setX(0, 40);
        page().fitHeight();
        const Bytes most = analysis.curve.peak(0, 40).bytes;
        QVERIFY(page().range().y().end >= static_cast<double>(most));
        QVERIFY(page().range().y().end < 1.2 * static_cast<double>(most));
    }

    void onTheAxisOfStepsAllAreEquallyWide()
    {
        open("training-6-steps-annotated");
        m_window->actions().stepAxis->trigger();
        QCOMPARE(page().axis(), AxisKind::Aligned);
        QCOMPARE(timeline().keyAxisName(), QString()); // the labels have it
        QTRY_VERIFY(timeline().isSettled());
        const StepTable& table = page().analysis()->steps;
        for (std::size_t i = 0; i < table.steps.size(); ++i)
            QCOMPARE(timeline().scale()->positionOf(table.steps[i].begin), static_cast<double>(i));
        QCOMPARE(page().range().x().highest, static_cast<double>(table.steps.size()));
    }

    void keysZoomMoveAndFit()
    {
        open("training-6-steps-bare");
        timeline().setFocus();
        const double whole = page().range().x().width();
        QTest::keyClick(&timeline(), Qt::Key_Plus);
        QCOMPARE(page().range().x().width(), whole / 2);
        const double begin = page().range().x().begin;
        QTest::keyClick(&timeline(), Qt::Key_Right);
        QCOMPARE(page().range().x().begin, begin + whole / 16);
        QTest::keyClick(&timeline(), Qt::Key_Left);
        QCOMPARE(page().range().x().begin, begin);
        QTest::keyClick(&timeline(), Qt::Key_Minus);
        QVERIFY(page().range().x().isWhole());
        QTest::keyClick(&timeline(), Qt::Key_Plus);
        QTest::keyClick(&timeline(), Qt::Key_0);
        QVERIFY(page().range().isFit());
    }

    void pGoesToThePeak()
    {
        open("training-6-steps-bare");
        QTest::keyClick(&timeline(), Qt::Key_P);
        const std::int64_t peak = page().analysis()->figures.peakEvent;
        const AxisWindow& x = page().range().x();
        QVERIFY(x.begin <= static_cast<double>(peak) && static_cast<double>(peak) < x.end);
        QVERIFY(x.width() < (x.highest - x.lowest) / 2);
        QCOMPARE(*page().selection().cursor(), peak);
        QVERIFY(page().cursorText().contains("384.91 MiB"));
        QVERIFY(page().legend().heading().contains("384.91 MiB"));
    }

    void oGoesToWhereMemoryRanOut()
    {
        open("oom-too-big");
        QVERIFY(m_window->actions().nextOutOfMemory->isVisible());
        QTest::keyClick(&timeline(), Qt::Key_O);
        QCOMPARE(*page().selection().cursor(), page().analysis()->figures.ooms.front().event);
        open("tiny-hand-checked");
        QVERIFY(!m_window->actions().nextOutOfMemory->isVisible());
    }

    void everyBandUnderTheMouseIsNamedAndAClickPinsIt()
    {
        open("tiny-hand-checked");
        const DeviceAnalysis& analysis = *page().analysis();
        const double pixelBytes = page().range().y().width() / timeline().area().rect.height();
        int checked = 0;
        for (std::int64_t event = 0; event < analysis.allocations.eventCount(); event += 3) {
            for (const Band& band :
                highwater::test::bandsAt(analysis.live, event, page().bandView().stacking().get())) {
                if (static_cast<double>(band.bytes) < 3 * pixelBytes)
                    continue;
                moveMouse(timeline(),
                    at(static_cast<double>(event) + 0.5,
                        static_cast<double>(band.offset) + static_cast<double>(band.bytes) / 2));
                QCOMPARE(page().selection().hovered(), band.allocation);
                QCOMPARE(*page().selection().pointed(), event);
                ++checked;
            }
        }
        QVERIFY(checked > 15);
        const AllocationIndex shown = page().selection().shown();
        const Band top
            = highwater::test::bandsAt(analysis.live, 10, page().bandView().stacking().get()).back();
        QTest::mouseClick(&timeline(), Qt::LeftButton, {},
            at(10.5, static_cast<double>(top.offset) + static_cast<double>(top.bytes) / 2));
        QCOMPARE(page().selection().pinned(), top.allocation);
        QVERIFY(shown != top.allocation);
        QVERIFY(page().details().text().startsWith(
            QStringLiteral("Allocation of event %1\n").arg(analysis.allocations.birth(top.allocation))));
        QTRY_COMPARE(page().details().findChild<FactSheet*>()->paragraphs()[1].text,
            QStringLiteral("pinned · Esc to release"));
    }

    void escReleasesAndAClickBesideTheBandsToo()
    {
        open("tiny-hand-checked");
        const QPoint low = at(10.5, 1e6);
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, low);
        QVERIFY(page().selection().isPinned());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!page().selection().isPinned());
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, low);
        QVERIFY(page().selection().isPinned());
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, at(0.5, page().range().y().highest * 0.9));
        QVERIFY(!page().selection().isPinned());
    }

    void theTimeAxisKeepsTheEventsInView()
    {
        open("training-6-steps-bare");
        page().range().setX(1000, 2000);
        m_window->actions().timeAxis->trigger();
        QCOMPARE(page().axis(), AxisKind::Time);
        QCOMPARE(m_window->findChild<QToolButton*>("axisChooser")->text(), QStringLiteral("By time"));
        QCOMPARE(timeline().keyAxisName(), QStringLiteral("time since the first event"));
        const EventScale scale(*page().analysis()->trace, page().analysis()->device, AxisKind::Time);
        QCOMPARE(scale.firstEventFrom(page().range().x().begin), std::int64_t{1000});
        QCOMPARE(scale.eventAt(page().range().x().end), std::int64_t{2000});
        QTRY_VERIFY(timeline().isSettled());
        QCOMPARE(timeline().image()->request.scale->kind(), AxisKind::Time);
        m_window->actions().eventAxis->trigger();
        QCOMPARE(page().range().x().begin, 1000.0);
        QTRY_VERIFY(timeline().isSettled());
    }

    void theDeviceChooserChangesEveryFigure()
    {
        open("two-devices");
        auto* chooser = m_window->findChild<QComboBox*>("deviceChooser");
        QVERIFY(chooser->isVisible());
        QCOMPARE(chooser->count(), 2);
        QVERIFY(chooser->itemText(0).startsWith("GPU 0"));
        QCOMPARE(chooser->currentIndex(), 1);
        QVERIFY(textIn(page().verdict()).contains("164.58 MiB"));
        chooser->setFocus();
        QTest::keyClick(chooser, Qt::Key_Up);
        QVERIFY(textIn(page().verdict()).contains("71.58 MiB"));
        QVERIFY(page().legend().heading().contains("71.58 MiB"));
        QTRY_VERIFY(timeline().isSettled());
        QCOMPARE(timeline().image()->request.analysis->device, DeviceIndex{0});
    }

    void theDeviceChooserCountsTheBytesThatAreShown()
    {
        open("two-devices");
        auto* chooser = m_window->findChild<QComboBox*>("deviceChooser");
        QVERIFY2(chooser->itemText(1).endsWith("164.58 MiB"), qPrintable(chooser->itemText(1)));
        page().analysisSettings().setAllocated(true);
        QTRY_VERIFY(page().isSettled() && page().analysis()->quantity() == Quantity::Allocated);
        QVERIFY2(chooser->itemText(1).contains("allocated"), qPrintable(chooser->itemText(1)));
        QVERIFY(!chooser->itemText(1).contains("requested"));
        QVERIFY2(chooser->toolTip().startsWith(chooser->currentText()), qPrintable(chooser->toolTip()));
        page().analysisSettings().setAllocated(false);
        QTRY_VERIFY(chooser->itemText(1).endsWith("164.58 MiB"));
    }

    void theDeviceChooserHasRoomForItsBytes()
    {
        open("two-devices");
        auto* chooser = m_window->findChild<QComboBox*>("deviceChooser");
        const QString shown = chooser->currentData().toString();
        QCOMPARE(shown, QStringLiteral("GPU 1 · 164.58 MiB"));
        const QImage picture = chooser->grab().toImage();
        // changes the text in the list only
        chooser->setItemText(chooser->currentIndex(), QStringLiteral("other words"));
        QVERIFY(chooser->grab().toImage() == picture);
        QStyleOptionComboBox option;
        option.initFrom(chooser);
        const QRect room = chooser->style()->subControlRect(
            QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, chooser);
        QVERIFY(chooser->fontMetrics().horizontalAdvance(shown) <= room.width());
    }

    void theDeviceChooserIsThereAgainBehindTheReport()
    {
        open("two-devices");
        const auto* chooser = m_window->findChild<QComboBox*>("deviceChooser");
        m_window->report().show();
        QVERIFY(!chooser->isVisible());
        m_window->report().hide();
        QVERIFY(chooser->isVisible());
    }

    void cancellingLeavesTheOpenFileAndTakesTheProgressAway()
    {
        open("tiny-hand-checked");
        const auto before = page().document();
        m_window->openFile(samplePath("r1-grpo-after"));
        auto* bar = m_window->findChild<QWidget*>("loadingBar");
        QVERIFY(bar->isVisible());
        QTest::mouseClick(m_window->findChild<QPushButton*>("cancelLoading"), Qt::LeftButton);
        QVERIFY(!bar->isVisible());
        QVERIFY(!m_window->sessions().loader.isLoading());
        QCOMPARE(page().document(), before);
        QVERIFY(m_window->errorText().isEmpty());
    }

    void theThemeChangesAndIsRemembered()
    {
        open("tiny-hand-checked");
        QAction* dark = nullptr;
        for (QAction* action : m_window->actions().themes->actions())
            if (action->data().toString() == "dark")
                dark = action;
        dark->trigger();
        QVERIFY(qApp->palette().color(QPalette::Window).lightness() < 80);
        const QImage picture = m_window->grab().toImage();
        QVERIFY(picture.pixelColor(4, picture.height() / 2).lightness() < 80);
        QCOMPARE(QSettings().value("theme").toString(), QStringLiteral("dark"));
        m_window = std::make_unique<MainWindow>(true);
        QVERIFY(qApp->palette().color(QPalette::Window).lightness() < 80);
        m_window->setTheme(ThemeChoice::Light);
        QVERIFY(qApp->palette().color(QPalette::Window).lightness() > 200);
    }

    /// A column that has bands in the exact picture must not look empty before that picture is ready.
    void panningAndZoomingNeverShowsABlankColumn()
    {
        open("training-6-steps-bare");
        m_window->setTheme(ThemeChoice::Light);
        page().range().setX(100, 220);
        QTRY_VERIFY(timeline().isSettled());
        for (int i = 0; i < 24; ++i) {
            if (i % 3 == 2)
                page().zoom(i % 2 ? 0.7 : 1.5);
            else
                page().pan(i < 12 ? 0.3 : -0.4);
            const QImage meanwhile = timeline().grab().toImage();
            const PlotArea area = timeline().area();
            QTRY_VERIFY(timeline().isSettled());
            const BandRaster& exact = timeline().image()->raster;
            const int y = static_cast<int>(area.rect.bottom()) - 3;
            // Counts adjacent blank columns. The stretched overview picture may be off by one of its own
            // pixels.
            const AxisWindow& view = page().range().x();
            const double pixel = (view.highest - view.lowest) / view.width();
            int blank = 0;
            for (int x = 0; x < exact.width; ++x) {
                const bool filled = exact.at(x, 2) != BandRaster::kEmpty;
                const QColor shown = meanwhile.pixelColor(static_cast<int>(area.rect.left()) + x, y);
                blank = filled && shown == QColor(Qt::white) ? blank + 1 : 0;
                QVERIFY2(blank <= 2 * pixel, qPrintable(QString("round %1, column %2").arg(i).arg(x)));
            }
        }
    }

    void droppedFilesAreOpened()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(samplePath("tiny-hand-checked")),
            QUrl::fromLocalFile(samplePath("two-devices"))});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(isOn(m_window->page()));
        auto* files = m_window->findChild<QComboBox*>("fileChooser");
        QCOMPARE(files->count(), 2);
        QTRY_VERIFY(files->isVisible());
        // The file with the larger peak is selected.
        QTRY_COMPARE(files->currentText(), QStringLiteral("two-devices.pickle.zst"));
    }

    void openedFilesAreRememberedAndBrokenOnesAreNot()
    {
        open("tiny-hand-checked");
        m_window->openFile(brokenPath("empty.pickle"));
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        QCOMPARE(RecentFiles(true).paths(), QStringList{samplePath("tiny-hand-checked")});
    }

    void theOverviewWindowIsDragged()
    {
        open("training-6-steps-bare");
        page().range().setX(1000, 1500);
        OverviewStrip& strip = page().overview();
        const QPoint grip = strip.windowRect().center().toPoint();
        const double before = page().range().x().begin;
        QTest::mousePress(&strip, Qt::LeftButton, {}, grip);
        moveMouse(strip, grip + QPoint(60, 0), Qt::LeftButton);
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, grip + QPoint(60, 0));
        QVERIFY(page().range().x().begin > before + 100);
        QVERIFY(qAbs(page().range().x().width() - 500) < 1e-6);
    }

    void thePictureIsExactForEveryView()
    {
        open("training-6-steps-bare");
        page().range().setX(100, 300);
        QVERIFY(!timeline().isSettled());
        QVERIFY(timeline().image() != nullptr);
        QTRY_VERIFY(timeline().isSettled());
        QCOMPARE(timeline().image()->request.xBegin, 100.0);
        QCOMPARE(timeline().image()->raster.columns.front().event, std::int64_t{100});
    }

    void theStatusEndsTheViewWithItsLastEventAsTheDetailsDo()
    {
        open("training-6-steps-bare");
        page().range().setX(100, 300);
        QVERIFY2(
            page().statusText().endsWith(QStringLiteral("view 100 – 299")), qPrintable(page().statusText()));
    }

    void theListOfKeysCutsNoLine()
    {
        bool isWide = false;
        QTimer::singleShot(100, m_window.get(), [&isWide] {
            auto* const dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            const auto* const label = dialog ? dialog->findChild<QLabel*>("keys") : nullptr;
            if (label) {
                QTextDocument text;
                text.setDocumentMargin(0); // as in a label
                text.setDefaultFont(label->font());
                text.setHtml(label->text());
                isWide = label->width() >= text.idealWidth() && dialog->rect().contains(label->geometry());
            }
            if (dialog)
                dialog->accept();
        });
        m_window->actions().keys->trigger();
        QVERIFY(isWide);
    }

    void commandLinesAreUnderstood()
    {
        const CommandLineAnswer good = parseCommandLine({"highwater-gui", "a.pickle", "b.pickle",
            "--screenshot", "o.png", "--size", "1600x1000", "--theme", "dark", "--goto", "event:7"});
        QVERIFY(good.error.isEmpty());
        QCOMPARE(good.commandLine.files, (QStringList{"a.pickle", "b.pickle"}));
        QCOMPARE(*good.commandLine.size, QSize(1600, 1000));
        QCOMPARE(good.commandLine.destination.number, 7);
        QVERIFY(good.commandLine.destination.kind == Goto::Kind::Event);
        const QStringList wrong[] = {{"g", "--size", "big"}, {"g", "--theme", "pink"},
            {"g", "--goto", "moon"}, {"g", "--view", "nothing"}, {"g", "--no-such"}};
        for (const QStringList& arguments : wrong)
            QVERIFY2(!parseCommandLine(arguments).error.isEmpty(), qPrintable(arguments.join(' ')));
    }
};

HIGHWATER_APP_TEST(WindowTest)

} // namespace highwater::gui::test

#include "window_test.moc"
