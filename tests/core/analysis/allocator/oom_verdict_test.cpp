#include "core/analysis/allocator/oom_verdict.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

struct Failure
{
    explicit Failure(std::shared_ptr<const Trace> of)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , live(allocations)
        , history(*trace, allocations, live)
        , moment(allocatorMomentAt(history, initialEvent(deviceFigures(*trace, 0))))
    {
    }
    const OomVerdict& verdict() const { return *moment.verdict; }
    std::string sentence() const { return sentenceOf(*trace, verdict()); }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    LiveIndex live;
    SegmentHistory history;
    AllocatorMoment moment;
};

Failure ofSample(const std::string& name)
{
    return Failure(loadFile(test::snapshotPath(name), {})->trace);
}

} // namespace

TEST(OomVerdict, IsFragmentationWhereTheHolesWouldDoInOnePiece)
{
    const Failure failure = ofSample("oom-fragmentation");
    EXPECT_EQ(failure.verdict().cause, OomCause::Fragmentation);
    EXPECT_EQ(failure.verdict().requestedBytes, 900 * kMiB);
    EXPECT_EQ(failure.verdict().servingFreeBytes, 2940 * kMiB);
    EXPECT_EQ(failure.verdict().servingLargestFree, 166 * kMiB);
    EXPECT_EQ(failure.verdict().deviceFreeBytes, 300 * kMiB);
    EXPECT_FALSE(failure.verdict().cheapest) << "no segment is as large as the request";
    EXPECT_EQ(clearingSentence(failure.verdict(), failure.moment.state),
        "No segment of the pool is as large as the request, and a new segment of 900 MiB does not fit into "
        "the 300 MiB free on the GPU");
    EXPECT_EQ(failure.verdict().servingFreeBlockCount, 20);
    EXPECT_EQ(toText(*failure.trace, failure.verdict().key), "default pool · stream 0 · large");
    EXPECT_EQ(requesterChain(*failure.trace, failure.verdict()),
        "score (evaluate.py:33) ← evaluate (evaluate.py:58)");
    EXPECT_TRUE(test::hasParts(failure.sentence(),
        {"900 MiB requested, and PyTorch's cache is fragmented", "2.87 GiB free in 20",
            "free blocks are in default pool", "300 MiB is free", "evaluate.py:33"}));
}

TEST(OomVerdict, IsTooBigWhereNothingCouldHelp)
{
    const Failure failure = ofSample("oom-too-big");
    const OomVerdict& verdict = failure.verdict();
    EXPECT_EQ(verdict.cause, OomCause::TooBig);
    EXPECT_TRUE(failureWithCause(verdict).starts_with("too big: 2.25 GiB requested, "));
    EXPECT_EQ(verdict.requestedBytes, 2300 * kMiB);
    EXPECT_EQ(verdict.liveBytes, 6144 * kMiB);
    EXPECT_EQ(verdict.reachableBytes(), (8192 - 480) * kMiB);
    EXPECT_EQ(verdict.missingBytes, verdict.liveBytes + verdict.requestedBytes - verdict.reachableBytes());
    EXPECT_EQ(clearingSentence(verdict, failure.moment.state), "");
}

/// 48 MiB failed with 199 MiB in free blocks. But 22.6 of the GPU's 22.85 GiB were in use, so the run would
/// have failed a little later anyway.
TEST(OomVerdict, SaysWhereTheCardWasAsGoodAsFull)
{
    const Failure failure = ofSample("r1-grpo-before");
    EXPECT_EQ(failure.verdict().cause, OomCause::Full);
    EXPECT_TRUE(failureWithCause(failure.verdict()).starts_with("48 MiB requested on a full GPU; "));
    EXPECT_TRUE(failureWithCause(failure.verdict()).find("22.81 GiB of at least 22.85 GiB is reserved")
        != std::string::npos);
    EXPECT_TRUE(failureWithCause(ofSample("r5-flan-t5-xl-before").verdict())
                    .find("; 30.79 GiB is reserved, and the GPU has at least that")
        != std::string::npos);
    EXPECT_TRUE(failure.verdict().isNearlyFull());
    EXPECT_TRUE(causeDetail(*failure.trace, failure.verdict())
                    .ends_with("39 MiB is free on the GPU: together at most 1% of the GPU"));
    EXPECT_EQ(failure.verdict().requestedBytes, 48 * kMiB);
    EXPECT_EQ(failure.verdict().liveBytes, 24'287'529'984);
    EXPECT_EQ(failure.verdict().reachableBytes(), 24'537'726'976);
    EXPECT_EQ(requesterChain(*failure.trace, failure.verdict()),
        "forward (model.py:54) [forward (activation.py:734)]");
    EXPECT_TRUE(test::hasParts(failure.sentence(),
        {"48 MiB requested on a full GPU", "58 blocks, the largest 6 MiB",
            "22.81 GiB of at least 22.85 GiB is reserved", "model.py:54"}));
    EXPECT_FALSE(ofSample("oom-fragmentation").verdict().isNearlyFull());
}

TEST(OomVerdict, IsDividedWhereOnlyHolesAndDeviceTogetherWouldDo)
{
    const Failure failure(loadFile(test::samplePath("ranks/rank2_snapshot.pickle.zst"), {})->trace);
    EXPECT_EQ(failure.verdict().cause, OomCause::Divided);
    EXPECT_EQ(failureWords(failure.verdict()),
        "112 MiB requested, but only 104 MiB free on the GPU and blocks of at most 60.5 MiB in PyTorch's "
        "cache")
        << "one clause, so that the window's headline has the largest block";
}

TEST(OomVerdict, StandsAtOutOfMemoryEventsAlone)
{
    const Failure failure = ofSample("oom-too-big");
    EXPECT_FALSE(allocatorMomentAt(failure.history, failure.verdict().event - 1).verdict);
    EXPECT_FALSE(allocatorMomentAt(failure.history, -1).verdict);
}

TEST(OomVerdict, SearchesTheRunWithTheLeastInItsWay)
{
    SegmentState state;
    SegmentAt segment;
    segment.range = {0, 100, StreamId(), PoolId(), SegmentType::Unknown, false};
    const auto add = [&](Bytes size, bool hole) {
        BlockAt block;
        block.address = state.blocks.empty() ? 0 : state.blocks.back().end();
        block.size = size;
        block.state = hole ? BlockState::Inactive : BlockState::Active;
        state.blocks.push_back(block);
    };
    add(30, true);
    add(20, false);
    add(20, true);
    add(5, false);
    add(25, true);
    segment.blocks = {0, 5};
    segment.freeBytes = 75;
    segment.largestFree = 30;
    state.segments.push_back(segment);
    state.reservedBytes = 100;
    state.event = 0;
    const auto trace = test::traceFromText("oom 50 10");
    const OomVerdict verdict = oomVerdict(*trace, 0, state);
    ASSERT_TRUE(verdict.cheapest);
    EXPECT_EQ(verdict.cheapest->bytesInTheWay, 5);
    EXPECT_EQ(verdict.cheapest->blocks, (RowRange{2, 5}));
}

TEST(OomVerdict, SaysThatNothingIsSaidWhereTheEventHoldsNonsense)
{
    const Failure failure(test::traceFromText("alloc a 10\noom 0 0\nend"));
    EXPECT_EQ(failure.verdict().cause, OomCause::Unknown);
    EXPECT_FALSE(failure.verdict().cheapest);
}

TEST(OomVerdict, InfersALimitOfTheProcessWhereTheDeviceHadRoom)
{
    const Failure failure(test::traceFromText("alloc a 10\noom 5MiB 40MiB\nend"));
    EXPECT_EQ(failure.verdict().cause, OomCause::ProcessCap);
    EXPECT_FALSE(failure.verdict().limit);
    EXPECT_TRUE(test::hasParts(failure.sentence(), {"set_per_process_memory_fraction"}));
    // The request needs a segment of 20 MiB, which would not have fitted either.
    const Failure small(test::traceFromText("alloc a 10\noom 5MiB 6MiB\nend"));
    EXPECT_EQ(small.verdict().cause, OomCause::Divided);
    EXPECT_EQ(small.verdict().segmentBytes, 20 * kMiB);
    EXPECT_TRUE(test::hasParts(small.sentence(), {"segment of 20 MiB"}));
}

TEST(OomVerdict, DoesNotExplainARequestForWhichAHoleWasLargeEnough)
{
    const Failure failure(test::traceFromText("alloc a 10\noom 15MiB 8MiB\ncached c 20MiB\nend"));
    EXPECT_EQ(failure.verdict().cause, OomCause::Unexplained);
}

TEST(OomVerdict, NamesTheStreamWithTheHoleThatWouldDo)
{
    const Failure failure(test::traceFromText("alloc a 10\noom 15MiB 8MiB\ncached c 20MiB stream=7\nend"));
    EXPECT_EQ(failure.verdict().cause, OomCause::OtherPool);
    EXPECT_EQ(failure.verdict().elsewhereLargestFree, 20 * kMiB);
    EXPECT_TRUE(test::hasParts(failure.sentence(), {"20 MiB", "pool not recorded · stream 7"}));
}

TEST(OomVerdict, IsDividedWhereHolesAndDeviceWouldDoOnlyTogether)
{
    const Failure failure(test::traceFromText("alloc a 10\noom 25MiB 8MiB\ncached c 20MiB\nend"));
    EXPECT_EQ(failure.verdict().cause, OomCause::Divided);
    EXPECT_TRUE(
        test::hasParts(failureWords(failure.verdict()), {"25 MiB requested", "20 MiB in PyTorch's cache"}));
    EXPECT_EQ(failure.verdict().freeBytes, 20 * kMiB);
}

namespace {

Failure recordedFailure(const std::string& name)
{
    return Failure(loadFile(test::samplePath("failures/" + name + ".pickle.zst"), {})->trace);
}

} // namespace

TEST(OomVerdict, OfRecordingsIsWhatMadeTheRequestFail)
{
    // set_per_process_memory_fraction(0.5) of 22.03 GiB: 11.02 GiB.
    const Failure cap = recordedFailure("process-cap");
    EXPECT_EQ(cap.verdict().cause, OomCause::ProcessCap);
    EXPECT_TRUE(test::hasParts(cap.sentence(), {"a limit of 10.56 GiB to 11.06 GiB"}));
    EXPECT_EQ(recordedFailure("full").verdict().cause, OomCause::Full)
        << "the same program without the fraction";
    const Failure stream = recordedFailure("other-stream");
    EXPECT_EQ(stream.verdict().cause, OomCause::OtherPool);
    EXPECT_EQ(stream.verdict().elsewhereLargestFree, 8200 * kMiB);
    EXPECT_FALSE(recordedFailure("one-stream").moment.verdict) << "on one stream the request fits";
    EXPECT_EQ(recordedFailure("segment-reserve").verdict().cause, OomCause::ReserveTooSmall);
    EXPECT_FALSE(recordedFailure("refused").moment.verdict) << "throw_on_cudamalloc_oom leaves no event";
}

TEST(OomVerdict, ReadsTheReserveOfExpandableSegments)
{
    const auto trace
        = std::const_pointer_cast<Trace>(test::traceFromText("alloc a 10\noom 600MiB 900MiB\nend"));
    trace->metadata.settings.emplace_back(
        "PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True,expandable_segments_reserve:0.5G");
    const Failure failure(trace);
    EXPECT_EQ(failure.verdict().cause, OomCause::ReserveTooSmall);
    EXPECT_EQ(failure.verdict().limit, 512 * kMiB);
}

} // namespace highwater
