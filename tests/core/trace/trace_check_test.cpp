#include "core/trace/trace_check.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// A segment of 2 KiB with two blocks of 1 KiB.
struct TwoBlocks
{
    Segment segment;
    Block first{0x1000, 1024, 1000, BlockState::Active, {}, {}, 0};
    Block second{0x1400, 1024, 900, BlockState::PendingFree, {}, {}, 0};

    TwoBlocks()
    {
        segment.address = 0x1000;
        segment.totalSize = 2048;
        segment.allocatedSize = 1024;
        segment.activeSize = 2048;
        segment.requestedSize = 1900;
    }

    void addTo(TraceBuilder& builder)
    {
        segment.blocks = {builder.addBlock(first), builder.addBlock(second) + 1};
        builder.addSegment(builder.device(DeviceKind::Cuda, 0), segment);
    }

    std::shared_ptr<const Trace> trace()
    {
        TraceBuilder builder;
        addTo(builder);
        return builder.finish();
    }
};

std::vector<std::string> codesOf(const Trace& trace)
{
    std::vector<std::string> codes;
    for (const ImportLogEntry& entry : trace.log.entries())
        codes.push_back(entry.code);
    return codes;
}

using Codes = std::vector<std::string>;

} // namespace

TEST(TraceCheck, FindsNothingInAConsistentSegment)
{
    EXPECT_EQ(codesOf(*TwoBlocks().trace()), Codes{});
}

TEST(TraceCheck, NamesTheFirstSegmentOfEachKindOfFault)
{
    TwoBlocks gap;
    gap.second.address = 0x1800;
    TwoBlocks wrongSize;
    wrongSize.segment.address = wrongSize.first.address = 0x8000;
    wrongSize.second.address = 0x8400;
    wrongSize.segment.totalSize = 4096;
    TraceBuilder builder;
    gap.addTo(builder);
    wrongSize.addTo(builder);
    const auto trace = builder.finish();
    ASSERT_EQ(codesOf(*trace), (Codes{"segment-size-mismatch", "segment-gaps"}));
    EXPECT_TRUE(test::hasParts(trace->log.find("segment-size-mismatch")->message, {"0x8000"}));
    EXPECT_TRUE(test::hasParts(trace->log.find("segment-gaps")->message, {"0x1000"}));
}

TEST(TraceCheck, ReportsBlocksThatDoNotAddUp)
{
    TwoBlocks two;
    two.segment.totalSize = 4096;
    EXPECT_EQ(codesOf(*two.trace()), Codes{"segment-size-mismatch"});
}

TEST(TraceCheck, ReportsGapsBetweenBlocks)
{
    TwoBlocks two;
    two.second.address += 512;
    const auto trace = two.trace();
    EXPECT_EQ(codesOf(*trace), Codes{"segment-gaps"});
    EXPECT_NE(trace->log.entries()[0].message.find("0x1000"), std::string::npos);
}

TEST(TraceCheck, ReportsEachStatedSumThatDisagrees)
{
    for (Bytes Segment::*stated : {&Segment::allocatedSize, &Segment::activeSize, &Segment::requestedSize}) {
        TwoBlocks two;
        two.segment.*stated += 1;
        EXPECT_EQ(codesOf(*two.trace()), Codes{"segment-sums-mismatch"});
    }
}

TEST(TraceCheck, DoesNotMissSumsThatTheFileDoesNotState)
{
    TwoBlocks two;
    two.segment.allocatedSize = two.segment.activeSize = two.segment.requestedSize = -1;
    EXPECT_EQ(codesOf(*two.trace()), Codes{});
}

TEST(TraceCheck, ReportsTimesThatGoBackwards)
{
    const auto trace
        = test::traceFromText("alloc a 1 t=10\nalloc b 1 t=9\nalloc c 1 t=0\nalloc d 1 t=10\nend");
    EXPECT_EQ(codesOf(*trace), Codes{"time-not-monotonic"});
    EXPECT_EQ(trace->log.entries()[0].count, 1);
}

TEST(TraceCheck, ReportsReservedBytesThatWouldHaveBeenNegative)
{
    const auto trace = test::traceFromText("segment_alloc s 2MiB\nsegment_alloc t 2MiB\ncached s 2MiB");
    EXPECT_EQ(codesOf(*trace), Codes{"reserved-negative"});
}

TEST(TraceCheck, WritesEveryPairingFaultIntoTheLog)
{
    EXPECT_EQ(codesOf(*test::traceFromText("alloc a 5\nalloc a 5\nend")), Codes{"alloc-at-live-address"});
    EXPECT_EQ(
        codesOf(*test::traceFromText("alloc a 5\nfree a\nfree_once a")), Codes{"free-without-allocation"});
    EXPECT_EQ(codesOf(*test::traceFromText("alloc a 5\nfinal a 6")), Codes{"size-mismatch"});
    EXPECT_EQ(codesOf(*test::traceFromText("alloc a 5")), Codes{"live-not-in-segments"});
    EXPECT_EQ(
        codesOf(*test::traceFromText("alloc a 5\nfree a\nfinal a 5")), Codes{"block-without-allocation"});
}

TEST(TraceCheck, FindsNothingInRandomConsistentTraces)
{
    for (std::uint32_t seed = 0; seed < 30; ++seed)
        EXPECT_EQ(codesOf(*test::randomTrace(seed)), Codes{}) << "seed " << seed;
}

} // namespace highwater
