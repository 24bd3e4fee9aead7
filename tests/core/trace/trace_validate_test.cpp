#include "core/trace/trace_validate.h"

#include <functional>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct Damage
{
    const char* name;
    std::function<void(Trace&)> apply;
};

/// Of the first block.
void damageBlock(Trace& trace, const std::function<void(Block&)>& apply)
{
    Block block = trace.segments.blocks[0];
    apply(block);
    trace.segments.blocks.set(0, block);
}

/// Of the first segment.
void damageBlocksOfSegment(Trace& trace, RowRange blocks)
{
    Segment segment = trace.segments.segments[0];
    segment.blocks = blocks;
    trace.segments.segments.set(0, segment);
}

class DamagedTrace : public testing::TestWithParam<Damage>
{
};

} // namespace

TEST(TraceValidate, FindsNothingInWhatTheBuilderMade)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed)
        EXPECT_EQ(firstProblem(*test::randomTrace(seed, {.consistent = seed % 2 == 0})), "") << seed;
    EXPECT_EQ(firstProblem(*TraceBuilder().finish()), "");
}

TEST_P(DamagedTrace, IsFound)
{
    const auto trace = test::traceFromText("stack s = a.py:1 f\nalloc a 1 @s\nfree_once a\nalloc b 2 "
                                           "@s\nfree_once b\nalloc c 3\nend\nfinal old 9");
    GetParam().apply(const_cast<Trace&>(*trace)); // made by a builder: not a constant object
    EXPECT_NE(firstProblem(*trace), "");
}

INSTANTIATE_TEST_SUITE_P(All, DamagedTrace,
    testing::Values(Damage{"LongColumn", [](Trace& damaged) { damaged.events.time.push_back(0); }},
        Damage{"Stack", [](Trace& damaged) { damaged.events.stack.set(0, StackId(99u)); }},
        Damage{"Stream", [](Trace& damaged) { damaged.events.stream.set(0, StreamId(99u)); }},
        Damage{"Pool", [](Trace& damaged) { damaged.events.pool.set(0, PoolId(99u)); }},
        Damage{"Details", [](Trace& damaged) { damaged.events.details.set(0, StringId(99'999u)); }},
        Damage{"NegativeSize", [](Trace& damaged) { damaged.events.size.set(0, -1); }},
        Damage{"HugeBlock",
            [](Trace& damaged) { damageBlock(damaged, [](Block& block) { block.size = INT64_MAX; }); }},
        Damage{"Blocks",
            [](Trace& damaged) {
                damageBlocksOfSegment(damaged, {0, 99});
            }},
        Damage{"BlocksBackwards",
            [](Trace& damaged) {
                damageBlocksOfSegment(damaged, {1, 0});
            }},
        Damage{"BlockStack",
            [](Trace& damaged) { damageBlock(damaged, [](Block& block) { block.stack = StackId(99u); }); }},
        Damage{"Events", [](Trace& damaged) { damaged.devices[0].events.last = 99; }},
        Damage{"Segments", [](Trace& damaged) { damaged.devices[0].segments.last = 99; }},
        Damage{"Partner", [](Trace& damaged) { damaged.pairings[0].partner.set(0, 99); }},
        Damage{"PartnerOfBirthBefore", [](Trace& damaged) { damaged.pairings[0].partner.set(2, 1); }},
        Damage{"PartnerOfDeathBehind", [](Trace& damaged) { damaged.pairings[0].partner.set(1, 2); }},
        Damage{"PartnerIsNotMutual", [](Trace& damaged) { damaged.pairings[0].partner.set(3, 0); }},
        Damage{"BirthEndedByWhatIsNoEnd",
            [](Trace& damaged) { damaged.pairings[0].partner.set(4, EventPairing::kBeforeTrace); }},
        Damage{"Untouched", [](Trace& damaged) { damaged.pairings[0].untouchedBlocks[0] = 99; }},
        Damage{"NoPairing", [](Trace& damaged) { damaged.pairings.clear(); }}),
    [](const auto& damage) { return std::string(damage.param.name); });

} // namespace highwater
