// Checks that reading a summary verifies everything that other parts of the program rely on.
#include "importers/summary/summary_check.h"

#include <functional>

#include <gtest/gtest.h>

#include "app/loading/run/run_assembly.h"
#include "core/study/summarize.h"
#include "importers/summary/summary_writer.h"
#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns a summary of several steps and a failure.
RankSummary soundSummary()
{
    const std::string sample = "pytorch-snapshot/fault-growth.pickle.zst";
    const Result<ImportedTrace> imported = openTrace(test::samplePath(sample), {});
    RankSummary summary = summarize(RunStudy(*partsOf(sample, *imported, {})), {16, 8, true});
    summary.ooms.emplace_back();
    return summary;
}

struct Damage
{
    const char* name;
    const char* problem;
    std::function<void(RankSummary&)> apply;
};

class DamagedSummary : public testing::TestWithParam<Damage>
{
};

constexpr std::int64_t kHuge = INT64_MAX;

} // namespace

TEST(SummaryCheck, FindsNothingInWhatWasSummarized)
{
    EXPECT_EQ(firstSummaryProblem(soundSummary(), true), "");
}

TEST_P(DamagedSummary, IsFound)
{
    RankSummary summary = soundSummary();
    GetParam().apply(summary);
    EXPECT_EQ(firstSummaryProblem(summary, true), GetParam().problem);
}

TEST_P(DamagedSummary, IsRefusedAsAFile)
{
    RankSummary summary = soundSummary();
    GetParam().apply(summary);
    const Result<ImportedTrace> imported = test::importBytes(summaryFileBytes(summary));
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Malformed);
}

INSTANTIATE_TEST_SUITE_P(All, DamagedSummary,
    testing::Values(Damage{"RankBelowZero", "its rank", [](auto& s) { s.identity.rank = -1; }},
        Damage{"StageBeyondAll", "its rank", [](auto& s) { s.identity.pp = kHuge; }},
        Damage{"Kind", "its device", [](auto& s) { s.device.kind = 99; }},
        Damage{"Quantity", "its device", [](auto& s) { s.device.quantity = -1; }},
        Damage{"EventsBelowZero", "its device", [](auto& s) { s.device.events = -1; }},
        Damage{"PeakBehindTheEnd", "its device", [](auto& s) { s.device.peakEvent = s.device.events; }},
        Damage{"PeakBlocks", "its device", [](auto& s) { s.device.peakBlocks = kHuge; }},
        Damage{"PinnedBytes", "its device", [](auto& s) { s.device.peakPinnedFreeBytes = -1; }},
        Damage{"EmptyStep", "its steps",
            [](auto& s) {
                s.steps.insert(s.steps.begin(), s.steps[0]);
                s.steps[0].end = 0;
                s.steps[0].peakEvent = -1;
            }},
        Damage{"StepBackwards", "its steps", [](auto& s) { std::swap(s.steps[0].begin, s.steps[0].end); }},
        Damage{"StepBelowZero", "its steps", [](auto& s) { s.steps[0].begin = -7; }},
        Damage{"GapBetweenSteps", "its steps", [](auto& s) { ++s.steps[1].begin; }},
        Damage{"OverlapOfSteps", "its steps", [](auto& s) { --s.steps[1].begin; }},
        Damage{"StepsBehindTheEnd", "its steps", [](auto& s) { ++s.steps.back().end; }},
        Damage{"StepsBeforeTheEnd", "its steps", [](auto& s) { s.steps.pop_back(); }},
        Damage{"PeakOutsideOfStep", "its steps", [](auto& s) { s.steps[0].peakEvent = s.steps[0].end; }},
        Damage{"StepBytes", "its steps", [](auto& s) { s.steps[0].endBytes = -1; }},
        Damage{"Growth", "its growth", [](auto& s) { s.growthPerStep = INT64_MIN; }},
        Damage{"GrowthSteps", "its growth", [](auto& s) { s.growthSteps = kHuge; }},
        Damage{"SiteBytes", "its call sites", [](auto& s) { s.sites[0].bytes = -1; }},
        Damage{"SiteCount", "its call sites", [](auto& s) { s.sites[0].count = kHuge; }},
        Damage{"RestCount", "its call sites", [](auto& s) { s.restCount = -1; }},
        Damage{"FindingStep", "its findings",
            [](auto& s) { s.findings[0].step = static_cast<std::int64_t>(s.steps.size()); }},
        Damage{"FindingEvent", "its findings", [](auto& s) { s.findings[0].event = -2; }},
        Damage{"FindingBytes", "its findings", [](auto& s) { s.findings[0].bytes = kHuge; }},
        Damage{"FailureStep", "its failures", [](auto& s) { s.ooms[0].step = -2; }},
        Damage{"FailureTime", "its failures", [](auto& s) { s.ooms[0].time = kHuge; }},
        Damage{"FailureBytes", "its failures", [](auto& s) { s.ooms[0].requestedBytes = -1; }},
        Damage{"FailureFree", "its failures", [](auto& s) { s.ooms[0].deviceFreeBytes = -2; }},
        Damage{"MessageCount", "its messages",
            [](auto& s) {
                s.importLog.push_back({Severity::Info, "code", "message", kHuge, {}});
            }},
        Damage{"Messages", "its messages", [](auto& s) { s.importLog.resize(10'001); }},
        Damage{"Failures", "its failures", [](auto& s) { s.ooms.resize(1'001); }},
        Damage{"SourcesOfTheRank", "its rank", [](auto& s) { s.identity.found.resize(65); }},
        Damage{"Clock", "its clock", [](auto& s) { s.clock = 3; }},
        Damage{"FailureStack", "its stacks", [](auto& s) { s.ooms[0].stack = 1'000'000; }},
        Damage{"Function", "its stacks", [](auto& s) { s.frames[0].function = 1'000'000; }},
        Damage{"Frame", "its stacks", [](auto& s) { s.nodes[1].frame = 1'000'000; }},
        Damage{"CallerBehind", "its stacks",
            [](auto& s) {
                s.nodes.push_back({0, static_cast<SummaryStack>(s.nodes.size())});
            }},
        Damage{"NoEmptyStack", "its stacks",
            [](auto& s) {
                s.nodes.clear();
                s.ooms.clear();
            }},
        Damage{"MomentTwice", "its curve", [](auto& s) { s.moments.event[1] = s.moments.event[0]; }},
        Damage{"MomentBehindTheEnd", "its curve", [](auto& s) { ++s.moments.event.back(); }},
        Damage{"MomentTime", "its curve", [](auto& s) { s.moments.time.at(0) = kHuge; }},
        Damage{"MomentReserved", "its curve", [](auto& s) { s.moments.reserved.at(0) = -1; }},
        Damage{"MomentBytes", "its curve", [](auto& s) { s.moments.byCategory[0][0] = -1; }},
        Damage{"AllocationStack", "its allocations", [](auto& s) { s.allocations[0].stack = 1'000'000; }},
        Damage{"AllocationBytes", "its allocations", [](auto& s) { s.allocations[0].bytes = -5; }},
        Damage{"AllocationCount", "its allocations", [](auto& s) { s.allocations[0].count = 0; }},
        Damage{"AllocationCategory", "its allocations", [](auto& s) { s.allocations[0].category = 99; }},
        Damage{"AllocationBirth", "its allocations", [](auto& s) { s.allocations[0].birth = 1'000'000; }},
        Damage{"AllocationDeath", "its allocations",
            [](auto& s) { s.allocations[0].death = s.allocations[0].birth; }}),
    [](const auto& damage) { return std::string(damage.param.name); });

} // namespace highwater
