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
    testing::Values(Damage{"ShortColumn", [](Trace& t) { t.events.time.pop_back(); }},
        Damage{"Stack", [](Trace& t) { t.events.stack[0] = StackId(99u); }},
        Damage{"Stream", [](Trace& t) { t.events.stream[0] = StreamId(99u); }},
        Damage{"Pool", [](Trace& t) { t.events.pool.set(0, PoolId(99u)); }},
        Damage{"Details", [](Trace& t) { t.events.details.set(0, StringId(99'999u)); }},
        Damage{"NegativeSize", [](Trace& t) { t.events.size[0] = -1; }},
        Damage{"HugeBlock", [](Trace& t) { t.segments.blocks[0].size = INT64_MAX; }},
        Damage{"Blocks",
            [](Trace& t) {
                t.segments.segments[0].blocks = {0, 99};
            }},
        Damage{"BlocksBackwards",
            [](Trace& t) {
                t.segments.segments[0].blocks = {1, 0};
            }},
        Damage{"BlockStack", [](Trace& t) { t.segments.blocks[0].stack = StackId(99u); }},
        Damage{"Events", [](Trace& t) { t.devices[0].events.last = 99; }},
        Damage{"Segments", [](Trace& t) { t.devices[0].segments.last = 99; }},
        Damage{"Partner", [](Trace& t) { t.pairings[0].partner[0] = 99; }},
        Damage{"PartnerOfBirthBefore", [](Trace& t) { t.pairings[0].partner[2] = 1; }},
        Damage{"PartnerOfDeathBehind", [](Trace& t) { t.pairings[0].partner[1] = 2; }},
        Damage{"PartnerIsNotMutual", [](Trace& t) { t.pairings[0].partner[3] = 0; }},
        Damage{"BirthEndedByWhatIsNoEnd",
            [](Trace& t) { t.pairings[0].partner[4] = EventPairing::kBeforeTrace; }},
        Damage{"Untouched", [](Trace& t) { t.pairings[0].untouchedBlocks[0] = 99; }},
        Damage{"NoPairing", [](Trace& t) { t.pairings.clear(); }}),
    [](const auto& damage) { return std::string(damage.param.name); });

} // namespace highwater
