#include "core/study/next_step.h"

#include <gtest/gtest.h>

#include "core/analysis/device/cut_off.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

RunStudy recorded(const std::string& name)
{
    RunParts parts;
    parts.name = name;
    parts.trace = openTrace(test::snapshotPath(name), {})->trace;
    parts.device = std::make_shared<const DeviceStudy>(*parts.trace, 0);
    return RunStudy(std::move(parts));
}

} // namespace

TEST(NextStep, IsThatOfTheNamedFinding)
{
    const RunStudy run = recorded("r5-flan-t5-xl-before");
    ASSERT_TRUE(firstToAct(run));
    EXPECT_EQ(firstToAct(run)->rule, "duplicate-model");
}

TEST(NextStep, IsNoneInACleanRun)
{
    const RunStudy run = recorded("clean-attention");
    EXPECT_FALSE(firstToAct(run));
    EXPECT_FALSE(run.diagnosis().opportunity);
}

TEST(NextStep, OfACleanRunOfFewStepsComesWithTheLeaksThatTheyCannotExclude)
{
    EXPECT_EQ(recorded("clean-attention").diagnosis().unjudged, "4 steps are too few to exclude a slow leak");
}

TEST(NextStep, OfAFactThatSavesMemoryIsAnOpportunityAndNoFault)
{
    RunParts parts;
    parts.trace = openTrace(test::samplePath("rehearsed/modules-gpt.pickle.zst"), {})->trace;
    parts.device = std::make_shared<const DeviceStudy>(*parts.trace, 0);
    const RunStudy run(std::move(parts));
    EXPECT_EQ(run.diagnosis().diagnosed, DiagnosisClass::Clean);
    EXPECT_EQ(run.faultCount(), 0u);
    const Finding* const saving = run.findingAt(run.diagnosis().opportunity);
    ASSERT_TRUE(saving);
    EXPECT_EQ(saving->rule, "oversized-logits");
    EXPECT_NE(run.diagnosis().detail.find("Up to 452.89 MiB ("), std::string::npos) << run.diagnosis().detail;
}

TEST(NextStep, SavesReservedMemoryIfItChangesASetting)
{
    const RunStudy run = recorded("r5-flan-t5-xl-after");
    EXPECT_TRUE(
        run.diagnosis().detail.find("6.86 GiB of reserved memory can be saved: remove ") != std::string::npos)
        << run.diagnosis().detail;
}

TEST(NextStep, OfARecordingThatStartsLateIsALargerHistory)
{
    const RunStudy run = recorded("ring-buffer-overflow");
    EXPECT_NE(run.diagnosis().next.find("max_entries"), std::string::npos) << run.diagnosis().next;
    EXPECT_TRUE(knownPeakText(*run.device(), *run.figures()).starts_with("at least "));
}

TEST(NextStep, OfALaterRunWithoutAFaultIsNone)
{
    EXPECT_FALSE(firstToAct(recorded("r5-flan-t5-xl-after")));
}

TEST(NextStep, OfSeveralFaultsSavesMostFirst)
{
    const RunStudy run = recorded("r1-grpo-before");
    const std::vector<const Finding*> faults = faultsToFix(run);
    ASSERT_GT(faults.size(), 1u);
    for (std::size_t i = 1; i < faults.size(); ++i)
        EXPECT_GE(faults[i - 1]->remedy.savedBytes, faults[i]->remedy.savedBytes);
}

} // namespace highwater
