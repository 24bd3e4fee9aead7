#include "core/study/next_step.h"

#include <gtest/gtest.h>

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
    EXPECT_FALSE(mostSaving(run)) << mostSaving(run)->title;
}

TEST(NextStep, OfAComparisonIsTheFaultThatIsStillThere)
{
    const RunStudy before = recorded("r5-flan-t5-xl-before");
    const RunStudy after = recorded("r5-flan-t5-xl-after");
    EXPECT_FALSE(firstToAct(after));
    ASSERT_TRUE(faultStillThere(before, after));
    EXPECT_EQ(faultStillThere(before, after)->rule, "stale-gradients");
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
