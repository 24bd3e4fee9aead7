#include "core/analysis/composition/kept_blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "core/analysis/composition/band_stack.h"
#include "core/analysis/device/device_figures.h"
#include "importers/registry/open_trace.h"
#include "tests/support/bands_at.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr std::int32_t kNotKept = KeptBlocks::kNever;

/// A recording that can be divided into set-up and steps.
struct Cut
{
    explicit Cut(std::string_view text)
        : trace(test::traceFromText(text))
        , allocations(*trace, 0)
        , categories(allocations.size())
    {
    }

    /// Begins steps at these events; everything before the first one is set-up.
    KeptBlocks keptBlocks(const std::vector<std::int64_t>& begins) const
    {
        StepTable steps;
        steps.source = StepSource::Frames;
        std::vector<PhaseRange> phases;
        const std::int64_t count = allocations.eventCount();
        for (std::size_t i = 0; i < begins.size(); ++i) {
            Step step;
            step.begin = i == 0 ? 0 : begins[i];
            step.end = i + 1 < begins.size() ? begins[i + 1] : count;
            steps.steps.push_back(step);
        }
        if (begins.front() > 0)
            phases.push_back({0, begins.front(), Phase::Unknown, Grade::C});
        phases.push_back({begins.front(), count, Phase::Forward, Grade::A});
        return {allocations, PhaseTable(phases), steps, categories};
    }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    CategoryTable categories;
};

/// The data that `findings` and the window have about a sample.
struct KeptSample
{
    explicit KeptSample(const std::string& name)
        : trace(openTrace(test::samplePath(name), {})->trace)
        , study(*trace, 0)
        , live(study.allocations)
        , keptBlocks(std::make_shared<const KeptBlocks>(
              study.allocations, study.phases, study.steps, study.categories))
        , peak(study.curve.peak().event)
    {
    }
    std::shared_ptr<const Trace> trace;
    DeviceStudy study;
    LiveIndex live;
    std::shared_ptr<const KeptBlocks> keptBlocks;
    std::int64_t peak;
};

} // namespace

TEST(KeptBlocks, AreHeldFromTheEndOfTheirStepIfTheyOutliveTheNextOne)
{
    // The steps are events 0 and 1, 2 to 4, and 5.
    const Cut cut("alloc long 1\nalloc carried 2\nalloc short 4\n"
                  "free short\nalloc late 8\nend");
    // Events: 0 long, 1 carried, 2 short, 3 and 4 free short, 5 late.
    const KeptBlocks keptBlocks = cut.keptBlocks({0, 2, 5});
    EXPECT_EQ(keptBlocks.keptSince(0), 2);
    EXPECT_TRUE(keptBlocks.isKept(0, 2));
    EXPECT_FALSE(keptBlocks.isKept(0, 1));
    EXPECT_EQ(keptBlocks.keptSince(2), kNotKept) << "freed in the next step";
    EXPECT_EQ(keptBlocks.keptSince(3), kNotKept) << "nothing follows the last step";
}

TEST(KeptBlocks, DoNotCountWhatIsOnlyCarriedOverIntoTheNextStep)
{
    const Cut cut("alloc carried 2\nalloc a 1\nfree_once carried\nalloc b 1\nalloc c 1\nend");
    const KeptBlocks keptBlocks = cut.keptBlocks({0, 2, 4});
    EXPECT_EQ(keptBlocks.keptSince(0), kNotKept);
    EXPECT_EQ(keptBlocks.keptSince(1), 2);
}

TEST(KeptBlocks, CountWhatLivesToTheEndOfARecordingThatEndsInTheNextStep)
{
    const Cut cut("alloc a 1\nalloc b 1\nend");
    EXPECT_EQ(cut.keptBlocks({0, 1}).keptSince(0), 1);
}

TEST(KeptBlocks, LeaveOutWhatARunKeepsByDesign)
{
    Cut cut("alloc a 1\nalloc b 1\nalloc c 1\nalloc d 1\nalloc e 1\nalloc f 1\nend");
    cut.categories.set(0, Category::Parameter, Grade::A, CategoryReason::RecordedWord);
    cut.categories.set(1, Category::OptimizerState, Grade::A, CategoryReason::RecordedWord);
    cut.categories.set(2, Category::Gradient, Grade::A, CategoryReason::RecordedWord);
    cut.categories.set(3, Category::KvCache, Grade::A, CategoryReason::RecordedWord);
    const KeptBlocks keptBlocks = cut.keptBlocks({0, 5});
    for (const AllocationIndex i : {0u, 1u, 2u})
        EXPECT_EQ(keptBlocks.keptSince(i), kNotKept);
    EXPECT_EQ(keptBlocks.keptSince(3), 5);
    EXPECT_EQ(keptBlocks.keptSince(4), 5);
}

TEST(KeptBlocks, LeaveOutWhatWasMadeBeforeTheFirstPhase)
{
    const Cut cut("alloc setup 1\nalloc a 1\nalloc b 1\nend");
    const KeptBlocks keptBlocks = cut.keptBlocks({1, 2});
    EXPECT_EQ(keptBlocks.keptSince(0), kNotKept);
    EXPECT_TRUE(keptBlocks.isSetUp(cut.allocations, 0));
    EXPECT_EQ(keptBlocks.keptSince(1), 2);
}

TEST(KeptBlocks, AreNoneWhereNoStepsAreKnown)
{
    const Cut cut("alloc a 1\nalloc b 1\nend");
    EXPECT_FALSE(cut.keptBlocks({0}).isAny());
}

TEST(KeptBlocks, OfTheRunThatLeaksAreWhatTheFindingSays)
{
    const KeptSample sample("pytorch-snapshot/r1-grpo-before.pickle.zst");
    Bytes bytes = 0;
    for (const Band& band : test::bandsAt(sample.live, sample.peak))
        bytes += sample.keptBlocks->isKept(band.allocation, sample.peak) ? band.bytes : 0;
    EXPECT_EQ(bytes * 100 / kGiB, 1489);
}

TEST(BandStack, SumsToTheTotalInEveryColumn)
{
    for (const std::string name : {"r1-grpo-before", "r1-grpo-after", "r5-flan-t5-xl-before"}) {
        const KeptSample sample("pytorch-snapshot/" + name + ".pickle.zst");
        const BandGroups sites
            = groupBands(sample.study.trace, sample.live, sample.study.sites, sample.peak, BandMode::Site);
        for (const BandMode mode : {BandMode::Site, BandMode::Category}) {
            const BandGroups stack
                = stackBands(sample.study, sample.live, sites, sample.keptBlocks, sample.peak, mode);
            for (std::int64_t event = -1; event < sample.study.curve.eventCount(); event += 97) {
                Bytes total = 0;
                GroupRank last = 0;
                for (const Band& band : test::bandsAt(sample.live, event, &stack)) {
                    ASSERT_EQ(band.offset, total);
                    const GroupRank rank = stack.rankAt(band.allocation, event);
                    ASSERT_GE(rank, last);
                    ASSERT_EQ(stack.groups[rank].isKept, sample.keptBlocks->isKept(band.allocation, event));
                    last = rank;
                    total += band.bytes;
                }
                ASSERT_EQ(total, sample.study.curve.at(event));
            }
        }
    }
}

TEST(BandStack, PutsWhatIsHeldBelowTheStepAndAboveWhatStaysByDesign)
{
    const KeptSample sample("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const BandGroups sites
        = groupBands(sample.study.trace, sample.live, sample.study.sites, sample.peak, BandMode::Site);
    const BandGroups stack
        = stackBands(sample.study, sample.live, sites, sample.keptBlocks, sample.peak, BandMode::Site);
    ASSERT_EQ(stack.groups.front().category, Category::Parameter);
    std::size_t rank = 0;
    while (!stack.groups[rank].isKept)
        ++rank;
    EXPECT_EQ(stack.groups[rank].label, "forward (model.py:39)");
    EXPECT_EQ(stack.groups[rank].bytesAtPeak * 100 / kGiB, 590);
    for (; stack.groups[rank].isKept; ++rank)
        EXPECT_GE(stack.groups[rank].bytesAtPeak,
            stack.groups[rank + 1].isKept ? stack.groups[rank + 1].bytesAtPeak : 0);
    for (; rank < stack.groups.size(); ++rank)
        EXPECT_FALSE(stack.groups[rank].isKept);
}

TEST(BandStack, SaysWhichPartOfACategoryIsKeptAndWhichIsNot)
{
    const KeptSample sample("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const BandGroups stack
        = stackBands(sample.study, sample.live, {}, sample.keptBlocks, sample.peak, BandMode::Category);
    std::set<std::string> parts;
    for (const BandGroup& group : stack.groups)
        if (group.category == Category::Activation && group.bytesAtPeak > 0)
            parts.insert(group.part);
    EXPECT_EQ(parts, (std::set<std::string>{"kept", "not kept"}));
}

TEST(BandStack, BandsThatNameNoPartHaveAllBytesOfTheirCallSite)
{
    for (const std::string name : {"r1-grpo-before", "r5-flan-t5-xl-before"}) {
        const KeptSample sample("pytorch-snapshot/" + name + ".pickle.zst");
        const BandGroups sites
            = groupBands(sample.study.trace, sample.live, sample.study.sites, sample.peak, BandMode::Site);
        const BandGroups stack
            = stackBands(sample.study, sample.live, sites, sample.keptBlocks, sample.peak, BandMode::Site);
        std::map<std::string, Bytes> bytes;
        for (const BandGroup& group : stack.groups)
            if (!group.isUnnamed && group.part.empty() && group.bytesAtPeak > 0)
                bytes[group.key] += group.bytesAtPeak;
        for (const BandGroup& site : sites.groups)
            EXPECT_TRUE(!bytes.contains(site.key) || bytes[site.key] == site.bytesAtPeak) << site.label;
    }
}

TEST(BandStack, NamesMemoryWithoutAStackByItsCategory)
{
    const KeptSample sample("pytorch-snapshot/training-6-steps-no-frames.pickle.zst");
    const BandGroups sites
        = groupBands(sample.study.trace, sample.live, sample.study.sites, sample.peak, BandMode::Site);
    const BandGroups stack
        = stackBands(sample.study, sample.live, sites, sample.keptBlocks, sample.peak, BandMode::Site);
    const auto found = std::ranges::find(stack.groups, Category::Activation, &BandGroup::category);
    ASSERT_NE(found, stack.groups.end());
    EXPECT_EQ(found->label, "activations, no stack");
}

} // namespace highwater
