#include "core/study/fixed_run.h"

#include <set>

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

RunStudy runStudyOf(std::shared_ptr<const Trace> trace)
{
    RunParts parts;
    parts.name = "run.pickle";
    parts.trace = trace;
    if (!trace->devices.empty())
        parts.device = std::make_shared<const DeviceStudy>(*trace, 0);
    return RunStudy(std::move(parts));
}

RunStudy sampleStudy(const std::string& name)
{
    return runStudyOf(openTrace(test::samplePath(name), {})->trace);
}

/// Returns a finding whose fix removes b until a is free.
Finding findingWithCut(bool isUpperBound = false)
{
    Finding finding;
    finding.remedy = {"Free b",
        PeakSaving{50,
            std::make_shared<const std::vector<RemovedBytes>>(std::vector<RemovedBytes>{{1, 200}, {3, 0}})},
        isUpperBound};
    return finding;
}

constexpr const char* kThree = R"(
alloc a 100
alloc b 200
free a
alloc c 50
end
)";

} // namespace

TEST(FixedRun, PeaksAtThePeakMinusTheSavingOfEachFindingOfTheSamples)
{
    // Savings of other things than bytes in use: reserved bytes, a failed request.
    const std::set<std::string> others{
        "settings-advice", "rounding-waste", "fragmentation", "divided-free-memory", "too-big"};
    std::size_t checked = 0;
    for (const std::string& sample : test::sampleNames("pytorch-snapshot")) {
        const RunStudy run = sampleStudy(sample);
        if (!run.device())
            continue;
        for (const Finding& finding : run.findings()) {
            const std::optional<FixedRun> fixed = fixedRun(run, finding);
            EXPECT_EQ(fixed.has_value(), finding.remedy.savedBytes > 0 && !others.contains(finding.rule))
                << sample << ": " << finding.rule;
            if (!fixed)
                continue;
            EXPECT_EQ(fixed->curve.peak().bytes, run.device()->curve.peak().bytes - finding.remedy.savedBytes)
                << sample << ": " << finding.rule;
            ++checked;
        }
    }
    EXPECT_GT(checked, 10u);
}

TEST(FixedRun, NeverUsesMoreThanTheRun)
{
    const RunStudy run = sampleStudy(test::kGrpoSample);
    const Finding* const growth = run.finding("growth");
    ASSERT_TRUE(growth);
    const std::optional<FixedRun> fixed = fixedRun(run, *growth);
    ASSERT_TRUE(fixed);
    for (std::int64_t event = -1; event < run.device()->curve.eventCount(); ++event) {
        ASSERT_LE(fixed->curve.at(event), run.device()->curve.at(event));
        ASSERT_GE(fixed->curve.at(event), 0);
    }
}

TEST(FixedRun, LeavesOutTheRemovedBytesOnlyWhereTheyAreRemoved)
{
    const RunStudy run = runStudyOf(test::traceFromText(kThree));
    const std::optional<FixedRun> fixed = fixedRun(run, findingWithCut());
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->curve.at(0), 100);
    EXPECT_EQ(fixed->curve.at(1), 100) << "b is missing";
    EXPECT_EQ(fixed->curve.at(3), 200) << "b is back, a is free";
    EXPECT_EQ(fixed->curve.at(4), 250);
    EXPECT_EQ(fixed->peakText, "250 B with this fix");
}

TEST(FixedRun, WithAnUpperBoundHasAtLeastThatPeak)
{
    const std::optional<FixedRun> fixed
        = fixedRun(runStudyOf(test::traceFromText(kThree)), findingWithCut(true));
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->peakText, "≥ 250 B with this fix");
}

TEST(FixedRun, NamesTheSmallestGpuThatItFits)
{
    const RunStudy run = sampleStudy(test::kGrpoSample);
    const std::optional<FixedRun> fixed = fixedRun(run, *run.finding("growth"));
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->fitText, "fits a GPU of 12 GB (RTX 3060)");
}

TEST(FixedRun, OfARunThatGoesOnLeakingNamesNoGpu)
{
    const RunStudy run = sampleStudy("pytorch-snapshot/r1-grpo-before.pickle.zst");
    std::size_t others = 0;
    for (const Finding& finding : run.findings()) {
        const std::optional<FixedRun> fixed = fixedRun(run, finding);
        if (!fixed)
            continue;
        EXPECT_EQ(fixed->fitText == "memory still leaks", finding.rule != "growth") << finding.rule;
        others += finding.rule != "growth" ? 1 : 0;
    }
    EXPECT_GE(others, 2u);
}

TEST(FixedRun, IsMissingForAFindingWithoutASaving)
{
    const RunStudy run = sampleStudy(test::kGrpoSample);
    EXPECT_FALSE(fixedRun(run, *run.finding("peak-summary")));
}

} // namespace highwater
