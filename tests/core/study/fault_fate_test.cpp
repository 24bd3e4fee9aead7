#include "core/study/fault_fate.h"

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

RunStudy studyOf(std::shared_ptr<const Trace> trace)
{
    RunParts parts;
    parts.name = "run.pickle";
    parts.trace = trace;
    parts.device = std::make_shared<const DeviceStudy>(*trace, 0);
    return RunStudy(std::move(parts));
}

RunStudy sample(const std::string& name)
{
    return studyOf(openTrace(test::snapshotPath(name), {})->trace);
}

} // namespace

TEST(FaultFate, OfGradientsThatStayIsNotGone)
{
    const RunStudy before = sample("r5-flan-t5-xl-before");
    const RunStudy after = sample("r5-flan-t5-xl-after");
    ASSERT_TRUE(before.finding("stale-gradients"));
    ASSERT_FALSE(after.finding("stale-gradients"));
    EXPECT_EQ(faultFate(*before.finding("stale-gradients"), before, after), FaultFate::Unreported);
}

TEST(FaultFate, OfCopiesThatTheLaterRunDoesNotHaveIsGone)
{
    const RunStudy before = sample("r5-flan-t5-xl-before");
    EXPECT_EQ(faultFate(*before.finding("duplicate-model"), before, sample("r5-flan-t5-xl-after")),
        FaultFate::Gone);
}

TEST(FaultFate, IsNotSeenWhereTheLaterRunEndsEarlier)
{
    const RunStudy before = sample("r5-flan-t5-xl-before");
    const RunStudy after = studyOf(test::traceFromText("alloc a 2KiB\nfree a\n"));
    EXPECT_EQ(faultFate(*before.finding("stale-gradients"), before, after), FaultFate::NotSeen);
    EXPECT_EQ(faultFate(*before.finding("too-big"), before, after), FaultFate::NotSeen);
}

} // namespace highwater
