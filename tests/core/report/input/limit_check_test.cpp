#include "core/report/input/limit_check.h"

#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/trace/trace_builder.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::vector<LimitResult> check(const MemoryLimits& limits)
{
    const auto trace = test::traceFromText(R"(
        segment_alloc S 4096
        alloc a 1000
        alloc b 500
        free a
        final b
    )");
    return checkLimits(*trace, 0, deviceFigures(*trace, 0), limits);
}

} // namespace

TEST(LimitCheck, HoldsUpToTheLimitItself)
{
    EXPECT_TRUE(check({.peak = 1500, .reserved = {}, .growthPerStep = {}})[0].holds);
    EXPECT_FALSE(check({.peak = 1499, .reserved = {}, .growthPerStep = {}})[0].holds);
}

TEST(LimitCheck, NamesWhatWasFound)
{
    const LimitResult result = check({.peak = 1024, .reserved = {}, .growthPerStep = {}})[0];
    EXPECT_EQ(result.limit, "max-peak");
    EXPECT_EQ(result.limitBytes, 1024);
    EXPECT_EQ(result.observed, 1500);
    EXPECT_EQ(result.event, 2);
    EXPECT_TRUE(test::hasParts(result.text, {"1.46 KiB (1,500 B", "event 2", "1 KiB"}));
}

TEST(LimitCheck, SaysThatThePeakOfAPartOfARunMayBeHigher)
{
    for (const auto& [sample, reason] : {std::pair("pytorch-snapshot/ring-buffer-overflow.pickle.zst",
                                             "; the recording starts late, so it may be higher"),
             std::pair(
                 "kineto/tiny-addresses.pt.trace.json", "; the recording starts late, so it may be higher"),
             std::pair("encodings/tiny-segments-only.pickle",
                 "; the file shows one moment, so it may be higher")}) {
        const auto imported = openTrace(test::samplePath(sample), {});
        const LimitResult result = checkLimits(*imported->trace, 0, deviceFigures(*imported->trace, 0),
            {.peak = kGiB, .reserved = {}, .growthPerStep = {}})[0];
        EXPECT_TRUE(result.holds);
        EXPECT_TRUE(result.text.ends_with(reason)) << result.text;
    }
}

TEST(LimitCheck, JudgesReservedBytes)
{
    // Only the segment of b remains at the end.
    const std::vector<LimitResult> results = check({.peak = {}, .reserved = 511, .growthPerStep = {}});
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].limit, "max-reserved");
    EXPECT_EQ(results[0].observed, 512);
    EXPECT_FALSE(results[0].holds);
    EXPECT_TRUE(check({.peak = {}, .reserved = 512, .growthPerStep = {}})[0].holds);
}

TEST(LimitCheck, DoesNotPassReservedBytesThatNobodyTells)
{
    TraceBuilder builder;
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.deviceRow(device).hasFinalSegments = false;
    builder.addBlockFromBeforeRecording(device, 512);
    const auto trace = builder.finish();
    const MemoryLimits limits{.peak = {}, .reserved = kGiB, .growthPerStep = {}};
    const LimitResult result = checkLimits(*trace, 0, deviceFigures(*trace, 0), limits)[0];
    EXPECT_FALSE(result.holds);
    EXPECT_FALSE(result.observed);
}

TEST(LimitCheck, DoesNotPassWhatItCannotJudge)
{
    const LimitResult result = check({.peak = {}, .reserved = {}, .growthPerStep = kGiB})[0];
    EXPECT_FALSE(result.holds);
    EXPECT_FALSE(result.observed);
    EXPECT_TRUE(test::hasParts(result.text, {"cannot be judged", "steps"}));
}

namespace {

LimitResult against(Bytes peak, double percent, Quantity quantity = Quantity::Requested)
{
    Device device;
    DeviceFigures figures;
    figures.peakBytes = 1050;
    return checkBaseline(device, figures, {"other.pickle", peak, quantity, percent});
}

} // namespace

TEST(BaselineCheck, HoldsUpToTheAllowedIncrease)
{
    EXPECT_TRUE(against(1000, 5).holds);
    EXPECT_FALSE(against(1000, 4.99).holds);
    EXPECT_TRUE(against(1050, 0).holds);
    EXPECT_TRUE(against(2000, 0).holds); // a lower peak always holds
}

TEST(BaselineCheck, SaysTheDifferenceInBytesAndPercent)
{
    EXPECT_EQ(against(1000, 5).observed, 1050);
    EXPECT_TRUE(test::hasParts(
        against(1000, 5).text, {"1.03 KiB (1,050 B", "+50 B (+5", "1000 B of other.pickle", "+5%"}));
    EXPECT_EQ(against(1000, 5).limitBytes, 1050);
}

TEST(BaselineCheck, DoesNotSetDifferentBytesAgainstEachOther)
{
    const LimitResult result = against(2000, 5, Quantity::DeviceUsed);
    EXPECT_FALSE(result.holds);
    EXPECT_FALSE(result.observed);
    EXPECT_TRUE(test::hasParts(result.text, {"other.pickle", "device used", "requested"}));
}

} // namespace highwater
