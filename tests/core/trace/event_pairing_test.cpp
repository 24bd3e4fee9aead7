#include "core/trace/event_pairing.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

PairingResult pairText(std::string_view text)
{
    return pairEvents(*test::traceFromText(text), 0);
}

std::vector<std::int32_t> partnersOf(const PairingResult& result)
{
    return {result.pairing.partner.begin(), result.pairing.partner.end()};
}

constexpr std::int32_t kNone = EventPairing::kNone;
constexpr std::int32_t kBefore = EventPairing::kBeforeTrace;
constexpr std::int32_t kUnknown = EventPairing::kUnknown;

} // namespace

TEST(EventPairing, JoinsAnAllocWithItsFree)
{
    const PairingResult result = pairText("alloc a 100\nfree a");
    EXPECT_EQ(partnersOf(result), (std::vector<std::int32_t>{2, kNone, 0}));
    EXPECT_EQ(result.faults, PairingFaults());
}

TEST(EventPairing, EndsAnAllocationWhenItsFreeCompletes)
{
    const PairingResult result = pairText("alloc a 100\nfree_requested a\nalloc b 1\nfree_completed a\nend");
    EXPECT_EQ(partnersOf(result), (std::vector<std::int32_t>{3, kNone, kNone, 0}));
}

TEST(EventPairing, TakesAFreeInOnePiece)
{
    EXPECT_EQ(partnersOf(pairText("alloc a 100\nfree_once a")), (std::vector<std::int32_t>{1, 0}));
}

TEST(EventPairing, TellsUsesOfOneAddressApart)
{
    const PairingResult result = pairText("alloc a 1\nfree_once a\nalloc a 2\nfree_once a");
    EXPECT_EQ(partnersOf(result), (std::vector<std::int32_t>{1, 0, 3, 2}));
}

TEST(EventPairing, TakesAFirstFreeAsThatOfAnOlderAllocation)
{
    const PairingResult result = pairText("free_once a\nalloc a 5\nend");
    EXPECT_EQ(partnersOf(result), (std::vector<std::int32_t>{kBefore, kNone}));
    EXPECT_EQ(result.faults, PairingFaults());
}

TEST(EventPairing, ListsLiveBlocksThatNoEventTouches)
{
    const PairingResult result = pairText("alloc a 5\nfinal a\nfinal older 700\ncached c 512");
    EXPECT_EQ(result.pairing.untouchedBlocks, std::vector<std::uint32_t>{1});
    EXPECT_EQ(result.faults, PairingFaults());
}

TEST(EventPairing, ReportsAnAllocAtALiveAddressAndEndsTheEarlierOne)
{
    const PairingResult result = pairText("alloc a 5\nalloc a 6\nend");
    EXPECT_EQ(result.faults.allocAtLiveAddress.count, 1);
    EXPECT_EQ(result.faults.allocAtLiveAddress.firstEvent, 1);
    EXPECT_EQ(partnersOf(result), (std::vector<std::int32_t>{1, kNone}));
}

TEST(EventPairing, ReportsAFreeWhereNothingIsLive)
{
    const PairingResult result = pairText("alloc a 5\nfree_once a\nfree_once a");
    EXPECT_EQ(result.faults.freeWithoutAllocation.count, 1);
    EXPECT_EQ(result.faults.freeWithoutAllocation.firstEvent, 2);
    EXPECT_EQ(partnersOf(result)[2], kUnknown);
}

TEST(EventPairing, ReportsABlockOfAnotherSizeThanItsAllocation)
{
    EXPECT_EQ(pairText("alloc a 5\nfinal a 6").faults.sizeMismatch.count, 1);
}

TEST(EventPairing, ReportsAFreeOfAnotherSizeThanItsAllocation)
{
    TraceBuilder builder;
    builder.addEvent({Action::Alloc, 0x1000, 10, 0, {}, {}, {}, {}, {}});
    builder.addEvent({Action::FreeCompleted, 0x1000, 20, 0, {}, {}, {}, {}, {}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, 2}});
    const PairingResult result = pairEvents(*builder.finish(), 0);
    EXPECT_EQ(result.faults.sizeMismatch.count, 1);
    EXPECT_EQ(partnersOf(result), (std::vector<std::int32_t>{1, 0}));
}

TEST(EventPairing, ReportsWhatIsLiveButNotInTheSegments)
{
    EXPECT_EQ(pairText("alloc a 5").faults.liveButNotInSegments, 1);
}

TEST(EventPairing, ReportsALiveBlockThatWasFreed)
{
    const PairingResult result = pairText("alloc a 5\nfree_once a\nfinal a 5");
    EXPECT_EQ(result.faults.blockWithoutAllocation, 1);
    EXPECT_TRUE(result.pairing.untouchedBlocks.empty());
}

TEST(EventPairing, KeepsDevicesApart)
{
    const auto trace = test::traceFromText("alloc a 5\ndevice 1\nfree_once a\ndevice 0\nend");
    EXPECT_EQ(trace->pairings[0].partner[0], kNone);
    EXPECT_EQ(trace->pairings[1].partner[0], kBefore);
}

TEST(EventPairing, OfARandomConsistentTraceHasNoFaults)
{
    for (std::uint32_t seed = 0; seed < 50; ++seed)
        EXPECT_EQ(pairEvents(*test::randomTrace(seed), 0).faults, PairingFaults()) << "seed " << seed;
}

} // namespace highwater
