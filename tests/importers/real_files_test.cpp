// Tests of recordings of other people's runs, if they are available next to the project. The expected figures
// come from an independent reading of them.
#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/analysis/usage/usage_curve.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

struct RealFigures
{
    const char* name;
    DeviceIndex device;
    std::int64_t events;
    std::int64_t segments;
    std::int64_t blocks;
    Bytes initialBytes;
    std::int64_t initialBlocks;
    Bytes peakBytes;
    std::int64_t peakEvent;
    std::int64_t peakBlocks;
    Bytes finalBytes;
    std::int64_t finalBlocks;
    Bytes finalAllocatedBytes;
    Bytes reservedInitialBytes;
    Bytes reservedPeakBytes;
    Bytes reservedFinalBytes;
    std::int64_t spanMicroseconds; ///< −1 if there are no times
};

Result<ImportedTrace> openReal(const std::string& name)
{
    const std::optional<std::string> path = test::realFilePath(name);
    return path ? openTrace(*path, {}) : fail(ErrorCode::CannotRead, "absent");
}

bool isNamedInLog(const Trace& trace, std::string_view code)
{
    return trace.log.find(code) != nullptr;
}

class RealFile : public testing::TestWithParam<RealFigures>
{
};

} // namespace

TEST_P(RealFile, HasTheFiguresOfAnIndependentReading)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath(GetParam().name));
    const Result<ImportedTrace> imported = openReal(GetParam().name);
    ASSERT_TRUE(imported) << toText(imported.error());
    EXPECT_FALSE(imported->incomplete);
    const DeviceFigures f = deviceFigures(*imported->trace, GetParam().device);
    const RealFigures& wanted = GetParam();
    EXPECT_EQ(f.eventCount, wanted.events);
    EXPECT_EQ(f.segmentCount, wanted.segments);
    EXPECT_EQ(f.blockCount, wanted.blocks);
    EXPECT_EQ(f.initialBytes, wanted.initialBytes);
    EXPECT_EQ(f.initialLiveCount, wanted.initialBlocks);
    EXPECT_EQ(f.peakBytes, wanted.peakBytes);
    EXPECT_EQ(f.peakEvent, wanted.peakEvent);
    EXPECT_EQ(f.peakLiveCount, wanted.peakBlocks);
    EXPECT_EQ(f.finalBytes, wanted.finalBytes);
    EXPECT_EQ(f.finalLiveCount, wanted.finalBlocks);
    EXPECT_EQ(f.finalAllocatedBytes, wanted.finalAllocatedBytes);
    EXPECT_EQ(f.reservedInitialBytes, wanted.reservedInitialBytes);
    EXPECT_EQ(f.reservedPeakBytes, wanted.reservedPeakBytes);
    EXPECT_EQ(f.reservedFinalBytes, wanted.reservedFinalBytes);
    EXPECT_EQ(f.span ? *f.span / 1000 : -1, wanted.spanMicroseconds);
}

TEST_P(RealFile, GroupsItsPeakExactly)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath(GetParam().name));
    const Result<ImportedTrace> imported = openReal(GetParam().name);
    ASSERT_TRUE(imported);
    const AllocationTable allocations(*imported->trace, GetParam().device);
    const CallSites sites(*imported->trace, allocations);
    for (const GroupKey key : {GroupKey::Stack, GroupKey::Site, GroupKey::File, GroupKey::Allocation}) {
        Bytes sum = 0;
        for (const CompositionGroup& group :
            compositionAt(*imported->trace, allocations, sites, GetParam().peakEvent, key).groups)
            sum += group.bytes;
        EXPECT_EQ(sum, GetParam().peakBytes) << toText(key);
    }
}

TEST_P(RealFile, EndsWithTheBlocksOfTheSnapshotInAllocatedBytes)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath(GetParam().name));
    const Result<ImportedTrace> imported = openReal(GetParam().name);
    ASSERT_TRUE(imported);
    const Trace& trace = *imported->trace;
    const AllocationTable allocated(trace, GetParam().device, Quantity::Allocated);
    const UsageCurve curve(trace, allocated);
    EXPECT_EQ(curve.at(curve.eventCount() - 1), GetParam().finalAllocatedBytes);
    const AllocationTable requested(trace, GetParam().device);
    for (AllocationIndex i = 0; i < requested.size(); ++i)
        ASSERT_GE(allocated.bytes(i), requested.bytes(i)) << i;
}

TEST_P(RealFile, HasNoBlockBelowTheRoundedRequest)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath(GetParam().name));
    const Result<ImportedTrace> imported = openReal(GetParam().name);
    ASSERT_TRUE(imported);
    const RoundingSettings settings = roundingSettings(imported->trace->metadata);
    for (const Block& block : imported->trace->segments.blocks)
        if (block.isLive()) {
            ASSERT_GE(block.size, roundedSize(block.requestedSize, settings));
        }
}

INSTANTIATE_TEST_SUITE_P(Snapshots, RealFile,
    testing::Values(RealFigures{"snapshots/from-zero-small.pickle", 0, 97, 9, 20, 0, 0, 3249143816, 52, 17,
                        31719428, 10, 31719936, 0, 3781165056, 3781165056, 970162},
        RealFigures{"snapshots/gpt-medium-ctx1024-training.pickle", 0, 22331, 234, 1031, 5095895040, 664,
            24207167496, 3737, 1432, 6870548484, 885, 6874481152, 25178406912, 25178406912, 25178406912,
            646688},
        RealFigures{"snapshots/gpt-medium-ctx128-inference.pickle", 0, 3840, 98, 230, 1701310464, 223,
            1736962048, 292, 231, 1701310464, 223, 1703276544, 1763704832, 1763704832, 1763704832, 42803},
        RealFigures{"snapshots/gpt-medium-ctx256-training.pickle", 0, 19430, 495, 1023, 5095403520, 664,
            9103544320, 2780, 1204, 6829096964, 885, 6837944832, 9265217536, 9265217536, 9265217536, 270371},
        RealFigures{"snapshots/small-model-with-segments.pickle", 0, 9670, 36, 148, 514649088, 113, 762608640,
            249, 127, 523168768, 114, 524643328, 568328192, 937426944, 937426944, 416765},
        RealFigures{"snapshots/torch20-history-oom-observer.pickle", 0, 1, 176, 463, 11840159744, 460,
            11840159744, -1, 460, 11840159744, 460, 11840159744, 11844714496, 11844714496, 11844714496, -1},
        RealFigures{"snapshots/torch20-history.pickle", 0, 1, 266, 791, 3881394672, 716, 3881394672, -1, 716,
            3872498160, 715, 3872498688, 6658457600, 6658457600, 6658457600, -1},
        RealFigures{"snapshots/transformer-forward-fp32.pickle", 0, 7600, 1423, 3211, 32029770756, 1745,
            44087612420, 7597, 2998, 44046652420, 2997, 45107911168, 45730496512, 45730496512, 45730496512,
            103529},
        RealFigures{"snapshots/transformer-forward-mixed.pickle", 0, 8948, 1722, 4158, 32009290754, 1745,
            43754773506, 8943, 3480, 43727739906, 3478, 44607570432, 47234154496, 47234154496, 47234154496,
            83066},
        RealFigures{"snapshots/transformer-fullstep.pickle", 0, 19464, 999, 1987, 15568596996, 1313,
            22827925508, 5701, 2254, 15568596996, 1313, 16019091968, 23842521088, 23842521088, 23842521088,
            235503},
        RealFigures{"snapshots/two-devices-no-trace-fragmented.pickle", 0, 0, 499, 2974, 8521811504, 2524,
            8521811504, -1, 2524, 8521811504, 2524, 8548367872, 16236150784, 16236150784, 16236150784, -1},
        RealFigures{"snapshots/verl-private-pools-no-trace.pickle", 0, 0, 127, 638, 25483614352, 543,
            25483614352, -1, 543, 25483614352, 543, 25513411584, 26189234176, 26189234176, 26189234176, -1},
        RealFigures{"snapshots/windows-paths.pickle", 0, 5163, 216, 455, 1373919236, 229, 13923997700, 1402,
            504, 1373919236, 229, 1377753600, 14180941824, 14180941824, 14180941824, 248181}),
    [](const auto& sample) { return test::testNameOf(sample.param.name); });

TEST(RealFileWithFaults, SaysThatATrimmedFileDoesNotFitTogether)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("snapshots/trimmed-inconsistent.pickle"));
    const Result<ImportedTrace> imported = openReal("snapshots/trimmed-inconsistent.pickle");
    ASSERT_TRUE(imported);
    EXPECT_TRUE(isNamedInLog(*imported->trace, "live-not-in-segments"));
    EXPECT_EQ(deviceFigures(*imported->trace, 0).peakBytes, 402'752'512);
}

TEST(RealFileWithFaults, SaysThatASyntheticFileDoesNotFitTogether)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("snapshots/synthetic-streams-annotations.pickle"));
    const Result<ImportedTrace> imported = openReal("snapshots/synthetic-streams-annotations.pickle");
    ASSERT_TRUE(imported);
    bool warned = false;
    for (const ImportLogEntry& entry : imported->trace->log.entries())
        warned = warned || entry.severity == Severity::Warning;
    EXPECT_TRUE(warned);
    EXPECT_EQ(imported->trace->spans.size(), 3u);
}

TEST(RealFileWithFaults, SaysThatOneEventIsNoHistory)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("snapshots/one-event-no-history.pickle"));
    const Result<ImportedTrace> imported = openReal("snapshots/one-event-no-history.pickle");
    ASSERT_TRUE(imported);
    EXPECT_FALSE(imported->trace->metadata.hasHistory);
    EXPECT_TRUE(isNamedInLog(*imported->trace, "no-history"));
    EXPECT_EQ(deviceFigures(*imported->trace, 0).initialBytes, 16'380'108'176);
}

TEST(RealFileOfTheNativeWriter, IsReadWithoutWhatIsNoEvent)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("encodings/cpp-writer-sample.pickle"));
    const Result<ImportedTrace> imported = openReal("encodings/cpp-writer-sample.pickle");
    ASSERT_TRUE(imported) << toText(imported.error());
    EXPECT_FALSE(imported->incomplete);
    const Trace& trace = *imported->trace;
    ASSERT_EQ(trace.eventCount(0), 3);
    EXPECT_EQ(trace.events.address[0], 139716164221072u);
    EXPECT_EQ(trace.events.size[2], 514);
    EXPECT_EQ(trace.stacks.frames(trace.events.stack[0]).size(), 1u);
    EXPECT_TRUE(isNamedInLog(trace, "unexpected-item"));
}

} // namespace highwater
