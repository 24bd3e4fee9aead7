#include <algorithm>
#include <array>

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QSplitter>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "app/timeline/cursor_overlay.h"
#include "app/timeline/highlight_chip.h"
#include "app/timeline/parts/label_recorder.h"
#include "app/timeline/timeline_markers.h"
#include "app/views/charts/memory_gauge.h"
#include "app/views/compare/compare_header.h"
#include "app/views/compare/compare_pictures.h"
#include "app/views/compare/diff_table.h"
#include "app/views/compare/row_stack.h"
#include "app/views/parts/figure_view.h"
#include "app/views/report/report_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/pages/compare_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/text_device.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

namespace {

constexpr int kLeastData = 170;

/// Records the labels of one frame.
class RecordedLabels : public LabelRecorder
{
public:
    RecordedLabels() { current() = this; }
    ~RecordedLabels() override { current() = nullptr; }
    void record(const PaintedLabel& label) override { labels.push_back(label); }

    std::vector<PaintedLabel> labels;
};

std::vector<PaintedLabel> labelsOf(TimelinePlot& plot)
{
    RecordedLabels recorded;
    plot.replotNow();
    return recorded.labels;
}

} // namespace

/// Tests of the comparison in a window of 1280 by 800 pixels, unless they choose another size.
class CompareLayoutTest : public WindowFixture
{
    Q_OBJECT

private:
    ComparePage& page() { return comparison(); }
    LinkedTimelines& timelines() { return page().timelines(); }
    TimelinePlot& plot(LinkedTimelines::Side side) { return timelines().plot(side); }
    QTableView& table() { return page().rows().table(); }
    QToolBar& bar() { return *page().findChild<QToolBar*>(QStringLiteral("compareToolBar")); }

    void open(const QString& run, const QSize& size = {1280, 800})
    {
        m_window->resize(size);
        openPair(run + QStringLiteral("-before"), run + QStringLiteral("-after"));
    }
    void openModel() { open(QStringLiteral("r5-flan-t5-xl")); }
    void openLeak(const QSize& size = {1280, 800}) { open(QStringLiteral("r1-grpo"), size); }

    /// Releases the button too, which QTest leaves pressed after a double click.
    void doubleClick(const QPoint& at)
    {
        QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseRelease(table().viewport(), Qt::LeftButton, {}, at);
    }
    QPoint placeOf(const QString& name)
    {
        for (int row = 0; row < table().model()->rowCount(); ++row)
            if (const QModelIndex index = table().model()->index(row, 0);
                index.data().toString().contains(name)) {
                table().scrollTo(index);
                return table().visualRect(index).center();
            }
        return {};
    }
    std::int64_t birthOf(LinkedTimelines::Side side)
    {
        const MomentDiff& diff = *page().state().diff();
        const std::uint32_t row = page().state().selectedRows().at(0);
        return (side == LinkedTimelines::Before ? diff.beforeOrigin(row) : diff.afterOrigin(row))->birth;
    }
    void compareFirstSteps()
    {
        page().state().compareStep(0);
        QTRY_VERIFY(page().isSettled());
    }
    std::array<GaugeFigures, 2> gauges()
    {
        const QList<MemoryGauge*> found = page().header().findChildren<MemoryGauge*>();
        return {found.at(0)->figures(), found.at(1)->figures()};
    }
    void verifyIsAtBirth(const AxisWindow& before)
    {
        QCOMPARE(page().state().selectedRows().size(), std::size_t{1});
        const AxisWindow& x = timelines().range().x();
        QVERIFY(x.width() < before.width());
        for (const auto side : {LinkedTimelines::Before, LinkedTimelines::After}) {
            const std::int64_t birth = birthOf(side);
            QCOMPARE(timelines().selection(side).cursor(), std::optional(birth));
            const double place = plot(side).scale()->positionOf(birth);
            QVERIFY(place >= x.begin && place < x.end);
        }
    }

private slots:
    void bothPlotsHaveRoom()
    {
        for (const char* run : {"r5-flan-t5-xl", "r1-grpo"}) {
            open(QLatin1String(run));
            for (const auto side : {LinkedTimelines::Before, LinkedTimelines::After})
                QVERIFY2(plot(side).area().rect.height() >= kLeastData,
                    qPrintable(QString::number(plot(side).area().rect.height())));
        }
    }

    void theProseIsOneLineUntilMoreIsClicked()
    {
        openModel();
        const auto* first = page().findChild<QLabel*>(QStringLiteral("compareFirst"));
        const auto* all = page().findChild<QLabel*>(QStringLiteral("compareVerdict"));
        auto* more = page().header().findChild<QToolButton*>(QStringLiteral("compareMore"));
        QVERIFY(first->isVisible() && !all->isVisible());
        QVERIFY(first->height() < 2 * first->fontMetrics().height());
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!first->isVisible() && all->isVisible());
        QTRY_VERIFY(all->height() >= all->heightForWidth(all->width()));
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(first->isVisible() && !all->isVisible());
    }

    void aNarrowPageKeepsCaptionsAndKeyInOneLineAndTheLaneOfSteps()
    {
        openLeak({960, 640});
        for (const char* name : {"beforeCaption", "afterCaption", "compareLegend"}) {
            const auto* line = page().findChild<QLabel*>(QLatin1String(name));
            QVERIFY2(line->height() < 2 * line->fontMetrics().height(), name);
        }
        const auto* lane = page().findChild<QWidget*>(QStringLiteral("stepLinks"));
        QVERIFY(lane->isVisible());
        QVERIFY(lane->y() >= plot(LinkedTimelines::Before).geometry().bottom());
        QVERIFY(lane->height() >= lane->minimumSizeHint().height());
    }

    void theCaptionOfAPeakHasNoEvent()
    {
        openLeak();
        const QString caption = page().findChild<QLabel*>(QStringLiteral("beforeCaption"))->text();
        QVERIFY2(caption.endsWith(QStringLiteral("peak 22.62 GiB")), qPrintable(caption));
    }

    void theTableHasTheRoomOfTheFactsUntilARowIsChosen()
    {
        openLeak();
        const QWidget* facts = page().findChild<QLabel*>(QStringLiteral("diffFacts"));
        QVERIFY(!facts->isVisible());
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, placeOf(QStringLiteral("model.py:39")));
        QVERIFY(facts->isVisible());
    }

    void theHeadlineOfANarrowHeaderHasItsWholeWidth()
    {
        openLeak({960, 640});
        const auto* outcome = page().findChild<QLabel*>(QStringLiteral("compareOutcome"));
        QVERIFY(outcome->width() > page().header().width() - 40);
    }

    void theNotesGiveWayToTheTableUntilTheyAreAskedFor()
    {
        m_window->notes().setPanelWanted(true);
        openLeak({960, 640});
        const QDockWidget& dock = m_window->notes().dock();
        QVERIFY(dock.isHidden() && table().isVisible());
        m_window->notes().showPanel->trigger();
        QVERIFY(!dock.isHidden());
        m_window->notes().showPanel->trigger();
        QVERIFY(dock.isHidden());
    }

    void nextToTheNotesTheTableIsATab()
    {
        openLeak({960, 640});
        ComparePictures& pictures = page().pictures();
        QVERIFY(pictures.indexOf(&page().rows()) < 0);
        m_window->notes().showPanel->trigger();
        QTRY_VERIFY(pictures.indexOf(&page().rows()) >= 0);
        pictures.setCurrentWidget(&page().rows());
        QVERIFY(table().isVisible() && table().model()->rowCount() > 0);
        m_window->notes().showPanel->trigger();
        QTRY_VERIFY(pictures.indexOf(&page().rows()) < 0);
        QVERIFY(table().isVisible());
    }

    void nextToTheNotesNothingLeavesTheBar()
    {
        openLeak({960, 640});
        m_window->notes().showPanel->trigger();
        const auto* more = bar().findChild<QToolButton*>(QStringLiteral("compareMoreButton"));
        QTRY_VERIFY(more->isVisible());
        QVERIFY(bar().layout()->sizeHint().width() <= bar().width());
        for (QAction* action : {m_window->notes().addHere, m_window->actions().report})
            QVERIFY2(bar().widgetForAction(action)->isVisible(), qPrintable(action->text()));
    }

    void theNotesComeBackWithTheRoomForThem()
    {
        m_window->notes().setPanelWanted(true);
        openLeak({960, 640});
        m_window->notes().list().add({});
        QVERIFY(m_window->notes().dock().isHidden());
        m_window->resize(1400, 900);
        QTRY_VERIFY(!m_window->notes().dock().isHidden());
        QVERIFY(table().isVisible());
    }

    void withoutNotesTheirPanelStaysClosedAlsoWithRoomForIt()
    {
        m_window->notes().setPanelWanted(true);
        openLeak({1400, 900});
        QVERIFY(m_window->notes().dock().isHidden());
        QVERIFY(!m_window->notes().showPanel->isChecked());
    }

    void theChangeOfThePeakIsSaidOnceInTheHeader()
    {
        openModel();
        QString text;
        for (const QLabel* label : page().header().findChildren<QLabel*>())
            text += label->text() + QLatin1Char('\n');
        QCOMPARE(text.count(QStringLiteral("6.905 GiB")), 1);
    }

    void longNamesKeepFileAndLine()
    {
        openModel();
        QTest::mouseClick(page().findChild<QToolButton*>(QStringLiteral("showUnchanged")), Qt::LeftButton);
        TextDevice device(table().viewport()->size());
        table().viewport()->render(&device);
        int cut = 0;
        for (const DrawnText& text : device.texts())
            if (text.text.contains(QChar(0x2026)) && text.text.contains(QStringLiteral(".py:"))) {
                ++cut;
                const QString place = text.text.section(QLatin1Char(' '), -1);
                QVERIFY2(!place.contains(QChar(0x2026)), qPrintable(text.text));
            }
        QVERIFY(cut > 0);
    }

    void aClickOnARowShowsItsStack()
    {
        openLeak();
        QVERIFY(!page().rowStack().isVisible());
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, placeOf(QStringLiteral("model.py:39")));
        QVERIFY(page().rowStack().isVisible());
        QVERIFY2(textIn(page().rowStack()).contains(QStringLiteral("model.py:39")),
            qPrintable(textIn(page().rowStack())));
        page().release();
        QVERIFY(!page().rowStack().isVisible());
    }

    void theStacksOfARowOfBothRunsAreOneAfterAnother()
    {
        openLeak();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, placeOf(QStringLiteral("model.py:39")));
        RowStack& stacks = page().rowStack();
        QVERIFY2(textIn(stacks).contains(QStringLiteral("Stack after")), qPrintable(textIn(stacks)));
        auto* next = stacks.findChild<QToolButton*>(QStringLiteral("nextStack"));
        while (next->isEnabled())
            next->click();
        QVERIFY2(textIn(stacks).contains(QStringLiteral("Stack before")), qPrintable(textIn(stacks)));
        QVERIFY(stacks.findChild<QToolButton*>(QStringLiteral("previousStack"))->isEnabled());
    }

    void aDoubleClickOnARowGoesToItsBirthInBoth()
    {
        openLeak();
        const AxisWindow whole = timelines().range().x();
        const QPoint at = placeOf(QStringLiteral("model.py:39"));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
        doubleClick(at);
        verifyIsAtBirth(whole);
    }

    void enterOnARowGoesToItsBirthToo()
    {
        openLeak();
        const AxisWindow whole = timelines().range().x();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, placeOf(QStringLiteral("model.py:39")));
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Return);
        verifyIsAtBirth(whole);
    }

    void aRowOfOneRunGoesToItsBirthThere()
    {
        openLeak();
        const QPoint at = placeOf(QStringLiteral("rollout.py:83")); // gone
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
        QVERIFY(page().rowStack().isVisible());
        doubleClick(at);
        QCOMPARE(timelines().selection(LinkedTimelines::Before).cursor(),
            std::optional(birthOf(LinkedTimelines::Before)));
        QVERIFY(!timelines().selection(LinkedTimelines::After).cursor());
    }

    void bothPlotsNameTheOutOfMemory()
    {
        for (const QSize& size : {QSize(1280, 800), QSize(1440, 900), QSize(1920, 1080)}) {
            openLeak(size);
            for (const auto side : {LinkedTimelines::Before, LinkedTimelines::After}) {
                const std::vector<PaintedLabel> labels = labelsOf(plot(side));
                QVERIFY(std::ranges::any_of(labels, [](const PaintedLabel& label) {
                    return label.text.startsWith(QStringLiteral("out of memory"));
                }));
            }
        }
    }

    void labelsAreInsideTheirPlotAndApart()
    {
        openLeak();
        for (const auto side : {LinkedTimelines::Before, LinkedTimelines::After}) {
            const std::vector<PaintedLabel> labels = labelsOf(plot(side));
            for (std::size_t i = 0; i < labels.size(); ++i) {
                QVERIFY2(QRectF(plot(side).rect()).contains(labels[i].rect), qPrintable(labels[i].text));
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY2(!labels[i].rect.intersects(labels[k].rect), qPrintable(labels[i].text));
            }
        }
    }

    void theCursorsLabelIsInsideBothPlots()
    {
        openModel();
        const QRectF rect = plot(LinkedTimelines::Before).area().rect;
        for (const double share : {0.02, 0.5, 0.97}) {
            const QPointF at(rect.left() + share * rect.width(), rect.center().y());
            QTest::mouseMove(&plot(LinkedTimelines::Before), at.toPoint());
            QTRY_VERIFY(timelines().selection(LinkedTimelines::After).pointed().has_value());
            const auto* overlay = plot(LinkedTimelines::After).findChild<CursorOverlay*>();
            QVERIFY(!overlay->tagRect().isEmpty());
            QVERIFY(QRectF(overlay->rect()).contains(overlay->tagRect()));
        }
    }

    void theCursorsLabelIsNotUnderTheChip()
    {
        openLeak();
        const QPoint at = placeOf(QStringLiteral("model.py:39"));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
        doubleClick(at);
        QTRY_VERIFY(page().isSettled());
        for (const auto side : {LinkedTimelines::Before, LinkedTimelines::After}) {
            plot(side).replotNow();
            const auto* chip = plot(side).findChild<HighlightChip*>();
            const QRectF tag = plot(side).findChild<CursorOverlay*>()->tagRect();
            QVERIFY(chip->isVisible() && !tag.isEmpty());
            QVERIFY(!tag.intersects(QRectF(chip->geometry())));
        }
    }

    void stepLinesDoNotCrossLabels()
    {
        openModel();
        TimelinePlot& shown = plot(LinkedTimelines::Before);
        const PlotArea area = shown.area();
        std::vector<double> lines;
        for (double x = area.rect.left(); x < area.rect.right(); x += 10)
            lines.push_back(area.keyAt(x));
        const auto pictureWith = [&](const std::vector<double>& places) {
            shown.markers().setStepLines(places);
            shown.replotNow();
            return shown.grab().toImage();
        };
        const std::vector<PaintedLabel> labels = labelsOf(shown);
        QVERIFY(labels.size() > 2);
        const QImage without = pictureWith({});
        const QImage with = pictureWith(lines);
        QVERIFY(with != without);
        for (const PaintedLabel& label : labels) {
            const QRect place = label.rect.toAlignedRect().adjusted(1, 1, -1, -1);
            QVERIFY2(with.copy(place) == without.copy(place), qPrintable(label.text));
        }
    }

    void aZoomedStepFillsTheHeight()
    {
        openLeak();
        timelines().showStep(1);
        const StepTable& steps = page().state().comparison()->before.analysis->steps;
        const PlotArea area = plot(LinkedTimelines::Before).area();
        QVERIFY(static_cast<double>(steps.steps[1].peakBytes) > 0.7 * area.yTop);
        QVERIFY(static_cast<double>(steps.steps[1].peakBytes) < area.yTop);
        QCOMPARE(plot(LinkedTimelines::After).area().yTop, area.yTop);
        timelines().fit();
        QVERIFY(plot(LinkedTimelines::Before).area().yTop > area.yTop);
    }

    void aStepZoomedWithADoubleClickFillsTheHeightToo()
    {
        openLeak();
        const PlotArea whole = plot(LinkedTimelines::Before).area();
        const QPoint at(static_cast<int>(whole.rect.left() + whole.rect.width() / 5),
            static_cast<int>(whole.rect.bottom()) - 40);
        QTest::mouseMove(&plot(LinkedTimelines::Before), at);
        QTest::mouseClick(&plot(LinkedTimelines::Before), Qt::LeftButton, {}, at);
        QTest::mouseDClick(&plot(LinkedTimelines::Before), Qt::LeftButton, {}, at);
        QVERIFY(plot(LinkedTimelines::Before).area().yTop < 0.9 * whole.yTop);
        QCOMPARE(plot(LinkedTimelines::After).area().yTop, plot(LinkedTimelines::Before).area().yTop);
    }

    void bothGaugesHaveOneScaleAndMarkTheCapacity()
    {
        openModel();
        const auto [before, after] = gauges();
        QVERIFY(after.used < before.used);
        QCOMPARE(after.scale, before.scale);
        QVERIFY(before.capacity && after.capacity == before.capacity && before.scale >= *before.capacity);
        QVERIFY2(after.tip.contains(before.capacityText), qPrintable(after.tip));
    }

    void atThePeaksTheGaugesHaveTheMostThatTheRunReserved()
    {
        openModel();
        for (const GaugeFigures& gauge : gauges())
            QVERIFY2(gauge.reservedText.endsWith(QStringLiteral(" peak reserved")),
                qPrintable(gauge.reservedText));
    }

    void theGaugesShowTheComparedMoments()
    {
        openModel();
        compareFirstSteps();
        const auto [before, after] = gauges();
        const RunDiff& diff = page().state().diff()->diff;
        QCOMPARE(before.used, diff.before.bytes);
        QCOMPARE(after.used, diff.after.bytes);
        QVERIFY(!before.ranOut);
    }

    void anotherMomentDoesNotMoveTheSplitter()
    {
        openModel();
        const auto* across = page().findChild<QSplitter*>(QStringLiteral("compareAcross"));
        QCoreApplication::processEvents();
        const QList<int> sizes = across->sizes();
        compareFirstSteps();
        QCOMPARE(across->sizes(), sizes);
        page().state().comparePlace(1000, 1000);
        QTRY_VERIFY(page().isSettled());
        QCOMPARE(across->sizes(), sizes);
    }

    void theCurvesBelowAlignWithTheTimelines()
    {
        openModel();
        ComparePictures& pictures = page().pictures();
        pictures.setCurrentWidget(&pictures.curves());
        QCoreApplication::processEvents();
        const QRectF area = plot(LinkedTimelines::After).area().rect;
        const double left = plot(LinkedTimelines::After).mapTo(&page(), QPoint()).x() + area.left();
        const double shift = pictures.curves().mapTo(&page(), QPoint()).x();
        QVERIFY(std::ranges::any_of(pictures.curves().figure().shapes, [&](const FigureShape& shape) {
            const auto* line = std::get_if<FigureLine>(&shape);
            return line && line->points.front().x + shift == left
                && line->points.back().x + shift == left + area.width();
        }));
    }

    void groupsOfTheBarHaveLabels()
    {
        openLeak();
        QStringList titles;
        for (const QLabel* label : bar().findChildren<QLabel*>())
            titles << label->text();
        for (const char* title : {"Align by", "Compare", "Rows by"})
            QVERIFY2(titles.contains(QLatin1String(title)), title);
    }

    void allSentencesTakeOnlyTheirHeight()
    {
        openModel();
        const auto* header = page().findChild<QWidget*>(QStringLiteral("compareHeader"));
        auto* more = page().findChild<QToolButton*>(QStringLiteral("compareMore"));
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_COMPARE(more->text(), QStringLiteral("Less"));
        QTRY_VERIFY2(header->height() < 240, qPrintable(QString::number(header->height())));
        QCOMPARE(m_window->height(), 800);
    }

    void nothingLeavesTheBar_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {960, 1280, 1920})
            QTest::addRow("%d", width) << width;
    }
    void nothingLeavesTheBar()
    {
        QFETCH(int, width);
        openLeak({width, 800});
        QTRY_VERIFY(bar().layout()->sizeHint().width() <= bar().width());
        for (const auto* button : bar().findChildren<QToolButton*>())
            if (button->isVisible())
                QVERIFY2(bar().rect().contains(QRect(button->mapTo(&bar(), QPoint()), button->size())),
                    qPrintable(button->text()));
        const auto* menu = bar().findChild<QToolButton*>(QStringLiteral("compareAxisMenu"));
        QCOMPARE(menu->isVisible(), width < 1280);
        QCOMPARE(menu->text(), QStringLiteral("By steps"));
    }

    void theKeyHFitsTheHeight()
    {
        openLeak();
        const double top = timelines().range().y().end;
        m_window->pages().stack.current().takeFocus();
        timelines().showEvents(LinkedTimelines::Before, 0, 100);
        QTest::keyClick(&plot(LinkedTimelines::Before), Qt::Key_H);
        QTRY_VERIFY(timelines().range().y().end < top / 2);
    }

    void theBarHasOpenNoteAndReport()
    {
        openLeak();
        for (QAction* action :
            {m_window->actions().open, m_window->notes().addHere, m_window->actions().report}) {
            QVERIFY(action->isEnabled());
            QVERIFY2(bar().widgetForAction(action)->isVisible(), qPrintable(action->text()));
        }
        m_window->actions().report->trigger();
        QVERIFY(isInFront(m_window->pages().report));
    }
};

HIGHWATER_APP_TEST(CompareLayoutTest)

} // namespace highwater::gui::test

#include "compare_layout_test.moc"
