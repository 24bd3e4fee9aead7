#include "core/analysis/composition/band_groups.h"

#include <set>

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/bands_at.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr BandMode kModes[]
    = {BandMode::Allocations, BandMode::Site, BandMode::SizeClass, BandMode::Stream, BandMode::Pool};

struct Grouped
{
    Grouped(std::shared_ptr<const Trace> of, BandMode mode)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , live(allocations)
        , sites(*trace, allocations)
        , curve(*trace, allocations)
        , groups(groupBands(*trace, live, sites, curve.peak().event, mode))
    {
    }
    std::vector<std::string> keys() const
    {
        std::vector<std::string> out;
        for (const BandGroup& group : groups.groups)
            out.push_back(group.key);
        return out;
    }
    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    CallSites sites;
    UsageCurve curve;
    BandGroups groups;
};

using BandKeys = std::vector<std::string>;

} // namespace

TEST(BandGroups, OfSingleAllocationsAreOneGroup)
{
    const Grouped grouped(test::traceFromText("alloc a 1\nalloc b 2\nend"), BandMode::Allocations);
    EXPECT_TRUE(grouped.groups.isSingle());
    EXPECT_EQ(grouped.groups.groups.size(), 1u);
}

TEST(BandGroups, StandLargestAtThePeakAtTheBottom)
{
    const Grouped grouped(
        test::traceFromText(
            "stack s = a.py:1 f\nstack t = a.py:2 g\nalloc a 1 @s\nalloc b 5 @t\nalloc c 2 @s\nend"),
        BandMode::Site);
    EXPECT_EQ(grouped.keys(), (BandKeys{"g (a.py:2)", "f (a.py:1)"}));
    EXPECT_EQ(grouped.groups.rank(0), 1);
    EXPECT_EQ(grouped.groups.rank(1), 0);
}

TEST(BandGroups, OfEqualSizeStandByKey)
{
    const Grouped grouped(
        test::traceFromText("stack s = z.py:1 f\nstack t = a.py:2 a\nalloc a 5 @s\nalloc b 5 @t\nend"),
        BandMode::Site);
    EXPECT_EQ(grouped.keys(), (BandKeys{"a (a.py:2)", "f (z.py:1)"}));
}

TEST(BandGroups, OfSizesArePowersOfTwo)
{
    const Grouped grouped(test::traceFromText("alloc a 16MiB\nalloc b 1023KiB\nalloc c 1024\nalloc d 1\nend"),
        BandMode::SizeClass);
    EXPECT_EQ(
        grouped.keys(), (BandKeys{"16 MiB to 32 MiB", "512 KiB to 1 MiB", "1 KiB to 2 KiB", "1 B to 2 B"}));
}

TEST(BandGroups, OfModulesStandFamilyByFamilyWithUniqueLabels)
{
    const std::string call = " | /t/torch/nn/modules/module.py:1750 _call_impl | ";
    const std::string linear = "/t/torch/nn/modules/linear.py:125 forward" + call;
    const Grouped grouped(test::traceFromText("stack a = " + linear + "/w/gpt.py:40 forward" + call
                              + "/w/train.py:9 step\nstack b = " + linear + "/w/gpt.py:40 forward" + call
                              + "/w/train.py:20 evaluate\nstack c = " + linear + "/w/gpt.py:44 forward" + call
                              + "/w/train.py:9 step\nalloc x 5 @a\nalloc y 9 @b\nalloc z 7 @c\nend"),
        BandMode::Module);
    ASSERT_EQ(grouped.groups.groups.size(), 3u);
    std::set<std::string> labels;
    for (const BandGroup& group : grouped.groups.groups) {
        labels.insert(group.label);
        EXPECT_TRUE(group.label.starts_with("gpt")) << group.label;
    }
    EXPECT_EQ(labels.size(), 3u);
    EXPECT_EQ(grouped.groups.rank(1), 0); // the largest family
}

TEST(BandGroups, OfThreeLikeModulesAreAdjacentAndHaveTheNameOfTheirFamily)
{
    const Grouped grouped(
        openTrace(test::samplePath("rehearsed/modules-gpt.pickle.zst"), {})->trace, BandMode::Module);
    const std::vector<BandGroup>& groups = grouped.groups.groups;
    std::set<std::string> ended;
    std::size_t members = 0;
    for (std::size_t rank = 0; rank < groups.size(); ++rank) {
        if (rank > 0 && groups[rank].family != groups[rank - 1].family) {
            EXPECT_TRUE(ended.insert(groups[rank - 1].family).second) << groups[rank].label;
        }
        members += groups[rank].familyTitle.empty() ? 0 : 1;
    }
    EXPECT_GE(members, 3u);
}

TEST(BandGroups, OfModulesNameWhyThereIsNoneAsTheTreeOfModulesDoes)
{
    const Grouped grouped(test::traceFromText("stack s = /w/train.py:1 f\nalloc a 1024 @s\nalloc b 512\nend"),
        BandMode::Module);
    EXPECT_EQ(grouped.keys(), (BandKeys{"(outside of modules)", "(no Python frames)"}));
    for (const BandGroup& group : grouped.groups.groups)
        EXPECT_TRUE(group.isUnnamed);
}

TEST(BandGroups, OfAModuleAndOfThoseThatItCallsHaveTheirOwnNames)
{
    const std::string call = " | /t/torch/nn/modules/module.py:1750 _call_impl | ";
    const std::string outer = "/w/gpt.py:40 forward" + call + "/w/train.py:9 step\n";
    const Grouped grouped(
        test::traceFromText("stack a = " + outer + "stack b = /t/torch/nn/modules/linear.py:125 forward"
            + call + outer + "alloc x 1024 @a\nalloc y 512 @b\nend"),
        BandMode::Module);
    ASSERT_EQ(grouped.groups.groups.size(), 2u);
    EXPECT_TRUE(grouped.groups.groups[0].label.ends_with(" itself")) << grouped.groups.groups[0].label;
    EXPECT_FALSE(grouped.groups.groups[1].label.ends_with(" itself")) << grouped.groups.groups[1].label;
}

TEST(BandGroups, SayWhatHasNoSuchProperty)
{
    const Grouped grouped(
        test::traceFromText("stack s = a.py:1 f\nalloc a 1 @s\nalloc b 5\nend"), BandMode::Site);
    EXPECT_TRUE(grouped.groups.groups[0].isUnnamed);
    EXPECT_FALSE(grouped.groups.groups[1].isUnnamed);
}

TEST(BandGroups, AddUpToThePeak)
{
    for (std::uint32_t seed = 0; seed < 6; ++seed)
        for (const BandMode mode : kModes) {
            const Grouped grouped(test::randomTrace(seed), mode);
            Bytes sum = 0;
            for (const BandGroup& group : grouped.groups.groups)
                sum += group.bytesAtPeak;
            EXPECT_EQ(sum, grouped.curve.peak().bytes) << toText(mode);
        }
}

TEST(BandGroups, ShareALastOneBeyondTheLimit)
{
    std::string text = "alloc big 1GiB\n";
    for (int i = 0; i < 4200; ++i)
        text += "stack s" + std::to_string(i) + " = a.py:" + std::to_string(i + 1) + " f\nalloc n"
            + std::to_string(i) + " " + std::to_string(5000 - i) + " @s" + std::to_string(i) + "\n";
    const Grouped grouped(test::traceFromText(text + "end"), BandMode::Site);
    ASSERT_EQ(grouped.groups.groups.size(), 4096u);
    EXPECT_EQ(grouped.groups.groups.back().key, "all smaller groups");
    EXPECT_EQ(grouped.groups.rank(4200), 4095);
    Bytes sum = 0;
    for (const BandGroup& group : grouped.groups.groups)
        sum += group.bytesAtPeak;
    EXPECT_EQ(sum, grouped.curve.peak().bytes);
}

TEST(BandGroups, LieOnEachOtherAsWholes)
{
    for (const BandMode mode : kModes) {
        const Grouped grouped(test::randomTrace(9), mode);
        for (std::int64_t event = -1; event < 300; event += 17) {
            const std::vector<Band> bands = test::bandsAt(grouped.live, event, &grouped.groups);
            Bytes offset = 0;
            for (std::size_t i = 0; i < bands.size(); ++i) {
                ASSERT_EQ(bands[i].offset, offset);
                offset += bands[i].bytes;
                if (i == 0)
                    continue;
                const GroupRank below = grouped.groups.rank(bands[i - 1].allocation);
                const GroupRank here = grouped.groups.rank(bands[i].allocation);
                ASSERT_TRUE(below < here || (below == here && bands[i - 1].allocation < bands[i].allocation));
            }
            ASSERT_EQ(offset, grouped.curve.at(event));
        }
    }
}

TEST(BandModes, HaveATextForEachValue)
{
    for (const BandMode mode : kModes)
        EXPECT_EQ(bandModeFromText(toText(mode)), mode);
    EXPECT_EQ(bandModeFromText("colour"), std::nullopt);
}

TEST(BandModes, AreUsefulWhereTheyTellAllocationsApart)
{
    const Grouped same(test::traceFromText("alloc a 1\nalloc b 1\nend"), BandMode::Allocations);
    EXPECT_EQ(
        usefulBandModes(*same.trace, same.live, same.sites), std::vector<BandMode>{BandMode::Allocations});
    const Grouped other(test::traceFromText("alloc a 1\nalloc b 1 stream=5\nend"), BandMode::Allocations);
    EXPECT_EQ(usefulBandModes(*other.trace, other.live, other.sites),
        (std::vector<BandMode>{BandMode::Allocations, BandMode::Stream}));
}

TEST(BandModes, AreNotUsefulWhereOneValueIsRecordedAndTheOthersAreMissing)
{
    const Grouped same(test::traceFromText("alloc a 1 pool=1,0\nalloc b 1\nend"), BandMode::Allocations);
    EXPECT_EQ(
        usefulBandModes(*same.trace, same.live, same.sites), std::vector<BandMode>{BandMode::Allocations});
}

} // namespace highwater
