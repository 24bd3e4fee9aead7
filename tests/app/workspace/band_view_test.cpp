#include <algorithm>
#include <set>

#include <QSignalSpy>
#include <QTest>

#include "app/views/charts/legend_bar.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/view/band_view.h"
#include "core/figure/raster/band_raster.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

std::shared_ptr<const FilterResult> search(const DeviceAnalysis& analysis, const FilterSpec& spec)
{
    Result<FilterResult> found = filterAllocations(analysis.allocations, analysis.categories, spec);
    return found ? std::make_shared<const FilterResult>(std::move(*found)) : nullptr;
}

bool offers(const BandView& view, BandMode mode)
{
    return std::ranges::count(view.modes(), mode) > 0;
}

bool stands(const BandView& view, AllocationIndex allocation)
{
    return !view.emphasis() || (*view.emphasis())[allocation];
}

} // namespace

class BandViewTest : public QObject
{
    Q_OBJECT

private slots:
    void onlyModesThatTellSomethingAreOffered()
    {
        BandView view;
        QVERIFY(view.modes().empty() && !view.groups() && !view.emphasis());
        view.setAnalysis(mainAnalysis("private-pool"));
        QVERIFY(offers(view, BandMode::Pool) && view.modes().front() == BandMode::Allocations);
        view.setAnalysis(mainAnalysis("two-streams-record-stream"));
        QVERIFY(offers(view, BandMode::Stream) && !offers(view, BandMode::Pool));
        view.setAnalysis(mainAnalysis("tiny-hand-checked"));
        QVERIFY(offers(view, BandMode::Site) && offers(view, BandMode::SizeClass));
        QVERIFY(!offers(view, BandMode::Stream));
        for (const BandMode mode : view.modes()) {
            view.setMode(mode);
            QTRY_COMPARE(view.mode(), mode);
            QVERIFY(mode == BandMode::Allocations || view.groups()->groups.size() > 1);
        }
    }

    void allocationsAreColouredByCategoryButNotStackedByIt()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        QCOMPARE(view.mode(), BandMode::Allocations);
        QCOMPARE(view.groups(), analysis->categoryGroups);
        QVERIFY(!view.stacking());
        view.setMode(BandMode::Category);
        QTRY_COMPARE(view.mode(), BandMode::Category);
        QVERIFY(view.stacking()->keptBlocks != nullptr);
        QCOMPARE(view.groups(), analysis->categoryGroups);
    }

    void callSitesLieOnEachOtherInTheColoursOfTheirCategories()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.preferMode(BandMode::Site);
        QSignalSpy changed(&view, &BandView::changed);
        view.setAnalysis(analysis);
        QCOMPARE(view.mode(), BandMode::Site); // available as soon as the file is loaded
        QCOMPARE(changed.count(), 1);
        QCOMPARE(view.stacking(), analysis->siteStack);
        QCOMPARE(view.groups(), analysis->categoryGroups);
    }

    void theOldModeStaysUntilTheNewOneIsThere()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        QSignalSpy changed(&view, &BandView::changed);
        view.setMode(BandMode::SizeClass);
        QCOMPARE(view.mode(), BandMode::Allocations);
        QCOMPARE(view.wantedMode(), BandMode::SizeClass);
        QCOMPARE(view.groups(), analysis->categoryGroups);
        QCOMPARE(changed.count(), 0);
        QTRY_COMPARE(view.mode(), BandMode::SizeClass);
        QCOMPARE(changed.count(), 1);
        const auto sizes = view.groups();
        QCOMPARE(sizes->mode, BandMode::SizeClass);
        view.setMode(BandMode::Allocations);
        view.setMode(BandMode::SizeClass);
        QCOMPARE(view.groups(), sizes); // cached
    }

    void modulesHaveAtMostEightHuesAndUniqueNames()
    {
        BandView view;
        view.setAnalysis(mainAnalysis("r1-grpo-before"));
        view.setMode(BandMode::Module);
        QTRY_COMPARE(view.mode(), BandMode::Module);
        std::set<std::string> labels;
        int hues = 0;
        for (std::size_t i = 0; i < view.groups()->groups.size(); ++i) {
            hues += view.palette()->isDistinct(static_cast<GroupRank>(i)) ? 1 : 0;
            labels.insert(view.groups()->groups[i].label);
        }
        QVERIFY(hues > 1 && hues <= static_cast<int>(kModuleHueCount));
        QCOMPARE(labels.size(), view.groups()->groups.size());
    }

    void ofModesAskedForInARowTheLastIsShown()
    {
        BandView view;
        view.setAnalysis(mainAnalysis("private-pool"));
        view.setMode(BandMode::SizeClass);
        view.setMode(BandMode::Pool);
        QTRY_COMPARE(view.mode(), BandMode::Pool);
        view.setMode(BandMode::SizeClass);
        view.setMode(BandMode::Allocations);
        QTest::qWait(50);
        QCOMPARE(view.mode(), BandMode::Allocations);
    }

    void theModeStaysWhereTheNextDeviceHasIt()
    {
        BandView view;
        view.setAnalysis(mainAnalysis("private-pool"));
        view.setMode(BandMode::Pool);
        QTRY_COMPARE(view.mode(), BandMode::Pool);
        view.setMode(BandMode::SizeClass);
        const auto next = mainAnalysis("r1-grpo-before");
        view.setAnalysis(next);
        QTRY_COMPARE(view.mode(), BandMode::SizeClass);
        QCOMPARE(view.groups()->rankOf.size(), next->allocations.size());
        view.setAnalysis(mainAnalysis("private-pool"));
        view.setMode(BandMode::Pool);
        QTRY_COMPARE(view.mode(), BandMode::Pool);
        view.setAnalysis(next);
        QCOMPARE(view.mode(), BandMode::Allocations);
        QCOMPARE(view.wantedMode(), BandMode::Allocations);
    }

    void aModeThatADeviceLacksIsReplacedForThatDeviceOnly()
    {
        BandView view;
        view.preferMode(BandMode::Site);
        view.setAnalysis(mainAnalysis("private-pool"));
        view.setMode(BandMode::Pool);
        QTRY_COMPARE(view.mode(), BandMode::Pool);
        view.setAnalysis(mainAnalysis("r1-grpo-before"));
        QCOMPARE(view.mode(), BandMode::Site);
        view.setAnalysis(mainAnalysis("private-pool"));
        QTRY_COMPARE(view.mode(), BandMode::Pool);
    }

    void isolatingAGroupFadesAllOthers()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        view.toggleIsolated(1);
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i)
            QCOMPARE(stands(view, i), view.groups()->rank(i) == 1);
        view.toggleIsolated(3); // replaces the isolated group
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i)
            QCOMPARE(stands(view, i), view.groups()->rank(i) == 3);
        view.toggleIsolated(3);
        QVERIFY(!view.emphasis());
    }

    void hidingFadesAGroupAndIsolatingItShowsItAgain()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        view.toggleHidden(0);
        view.toggleHidden(2);
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i)
            QCOMPARE(stands(view, i), view.groups()->rank(i) != 0 && view.groups()->rank(i) != 2);
        view.toggleIsolated(2);
        QVERIFY(!view.isHidden(2) && view.isShown(2) && !view.isShown(1));
        view.toggleHidden(2);
        QVERIFY(view.isHidden(2) && !view.isolated());
        view.clearEmphasis();
        QVERIFY(!view.emphasis() && !view.hasChosenGroups());
    }

    void matchesAndChosenGroupsFadeTogether()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        FilterSpec large;
        large.minBytes = kMiB;
        const auto matches = search(*analysis, large);
        QVERIFY(matches && matches->count > 0);
        BandView view;
        view.setAnalysis(analysis);
        QSignalSpy changed(&view, &BandView::changed);
        view.setMatches(matches);
        view.setMatches(matches);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(view.emphasis().get(), &matches->matches); // shared, not copied
        view.toggleIsolated(0);
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i)
            QCOMPARE(stands(view, i), view.groups()->rank(i) == 0 && analysis->allocations.bytes(i) >= kMiB);
        view.setMode(BandMode::SizeClass); // the groups change, so the previous selection is meaningless
        QTRY_COMPARE(view.mode(), BandMode::SizeClass);
        QCOMPARE(view.emphasis().get(), &matches->matches);
        view.setMatches(nullptr);
        QVERIFY(!view.emphasis());
    }

    void matchesOfAnotherDeviceFadeNothing()
    {
        const auto other = mainAnalysis("tiny-hand-checked");
        BandView view;
        view.setAnalysis(mainAnalysis("r1-grpo-before"));
        FilterSpec everything;
        everything.minBytes = 0;
        view.setMatches(search(*other, everything));
        QVERIFY(!view.emphasis());
        view.setAnalysis(other);
        view.setMatches(search(*other, everything));
        QVERIFY(view.emphasis());
        view.setAnalysis(mainAnalysis("r1-grpo-before"));
        QVERIFY(!view.emphasis());
    }

    void whatIsHighlightedStandsOutWhateverElseIsChosen()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        view.toggleIsolated(0);
        const auto chosen = std::make_shared<std::vector<bool>>(analysis->allocations.size());
        (*chosen)[3] = true;
        view.setHighlighted(chosen);
        QCOMPARE(view.emphasis().get(), chosen.get());
        view.setHighlighted(std::make_shared<std::vector<bool>>(1)); // the length belongs to another device
        QVERIFY(!view.highlighted());
        QVERIFY(view.emphasis() && view.emphasis() != chosen); // back to the isolated group
    }

    void theTimelineFollowsAndKeepsSelectionAndView()
    {
        DocumentLoader loader;
        RunSession session(loader);
        DocumentPage page(session);
        page.resize(1200, 800);
        page.QWidget::show();
        page.show(loadSample("private-pool"));
        BandView& view = page.bandView();
        TimelinePlot& timeline = page.timeline();
        QTRY_VERIFY(timeline.isSettled());
        const auto& analysis = *page.analysis();
        page.goTo(analysis.figures.peakEvent);
        QTRY_VERIFY(timeline.isSettled());
        const AxisWindow before = page.range().x();
        const AllocationIndex pinned = page.selection().pinned();
        const Bytes total = analysis.curve.at(analysis.figures.peakEvent);

        view.setMode(BandMode::Pool);
        QTRY_COMPARE(view.mode(), BandMode::Pool);
        QTRY_VERIFY(timeline.isSettled());
        QCOMPARE(timeline.image()->request.stacking, view.groups());
        QCOMPARE(page.range().x().begin, before.begin);
        QCOMPARE(page.range().x().end, before.end);
        QCOMPARE(page.selection().pinned(), pinned);
        QVERIFY(page.legend().heading().endsWith("by pool"));

        const auto filled = [&timeline] {
            std::vector<bool> pixels;
            for (const AllocationIndex at : timeline.image()->raster.pixels)
                pixels.push_back(at != BandRaster::kEmpty);
            return pixels;
        };
        const std::vector<bool> filledBefore = filled();
        view.toggleIsolated(0);
        QTRY_VERIFY(timeline.isSettled());
        QVERIFY(timeline.image()->request.emphasis);
        QVERIFY(filled() == filledBefore); // the pixels' bands may change, the total must not
        Bytes shown = 0;
        for (const LegendRow& row : page.legend().rows())
            shown += row.bytes;
        QCOMPARE(shown, total);
    }
};

HIGHWATER_APP_TEST(BandViewTest)

} // namespace highwater::gui::test

#include "band_view_test.moc"
