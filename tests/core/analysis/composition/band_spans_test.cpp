#include "core/analysis/composition/band_spans.h"

#include <gtest/gtest.h>

#include "core/analysis/composition/band_stack.h"
#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/crowded_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Computes the bytes allocation by allocation, by asking the table at each event.
std::vector<std::vector<Bytes>> slowBytes(
    const AllocationTable& table, const BandGroups& bands, const std::vector<std::int64_t>& events)
{
    std::vector<std::vector<Bytes>> rows;
    for (const std::int64_t event : events) {
        rows.emplace_back(bands.groups.size(), 0);
        for (const AllocationIndex i : table.liveAt(event))
            rows.back()[bands.rankAt(i, event)] += table.bytes(i);
    }
    return rows;
}

} // namespace

TEST(GroupBytesAt, AddUpWhatIsLiveOfEachGroup)
{
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        const auto trace = seed % 2 ? test::randomTrace(seed) : test::crowdedTrace(seed, 400);
        const AllocationTable table(*trace, 0);
        test::Random random(seed);
        BandGroups bands;
        bands.groups.resize(5);
        for (AllocationIndex i = 0; i < table.size(); ++i)
            bands.rankOf.push_back(static_cast<GroupRank>(random.below(5)));
        const std::vector<std::int64_t> events = test::someEvents(random, table.eventCount());
        ASSERT_EQ(groupBytesAt(LiveIndex(table), bands, events), slowBytes(table, bands, events)) << seed;
    }
}

TEST(GroupBytesAt, TellWhatIsHeldFromEarlierStepsApart)
{
    const auto trace = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    const BandGroups bands = stackBands(study, live, {},
        std::make_shared<const KeptBlocks>(study.allocations, study.phases, study.steps, study.categories),
        study.curve.peak().event, BandMode::Category);
    test::Random random(7);
    const std::vector<std::int64_t> events = test::someEvents(random, study.allocations.eventCount());
    EXPECT_EQ(groupBytesAt(live, bands, events), slowBytes(study.allocations, bands, events));
}

TEST(GroupBytesAt, OfNoMomentsAreNone)
{
    const auto trace = test::crowdedTrace(1, 10);
    EXPECT_TRUE(groupBytesAt(LiveIndex(AllocationTable(*trace, 0)), {}, {}).empty());
}

} // namespace highwater
