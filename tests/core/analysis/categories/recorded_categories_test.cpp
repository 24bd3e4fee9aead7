#include "core/analysis/categories/recorded_categories.h"

#include <gtest/gtest.h>

#include "core/analysis/categories/categories.h"
#include "core/analysis/steps/phases.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/trace/category_text.h"
#include "core/trace/trace_builder.h"

namespace highwater {

namespace {

/// One device with an older block, an older block that is freed, and one allocation, each with or without a
/// category.
std::shared_ptr<const Trace> traceWithWords(
    std::string_view block, std::string_view freed, std::string_view born)
{
    TraceBuilder builder;
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    builder.deviceRow(device).hasFinalSegments = false;
    const auto word
        = [&](std::string_view text) { return text.empty() ? StringId() : builder.strings().intern(text); };
    builder.addBlockFromBeforeRecording(device, 512, word(block), {});
    MemoryEvent event;
    event.action = Action::Free;
    event.address = 1;
    event.size = 512;
    event.category = word(freed);
    builder.addEvent(event);
    event.action = Action::Alloc;
    event.address = 2;
    event.category = word(born);
    builder.addEvent(event);
    builder.assignEvents(device, {{0, 2}});
    return builder.finish();
}

CategoryTable categoriesOf(const Trace& trace, const std::vector<CategoryRule>& rules = {})
{
    const AllocationTable allocations(trace, 0);
    const UsageCurve curve(trace, allocations);
    const PhaseTable phases = findPhases(AllocationTable(trace, 0));
    return categorize(trace, allocations, phases, findSteps(trace, allocations, curve, phases), rules);
}

} // namespace

TEST(RecordedCategories, KnowTheProfilersWords)
{
    EXPECT_EQ(categoryOfRecordedWord("PARAMETER"), Category::Parameter);
    EXPECT_EQ(categoryOfRecordedWord("OPTIMIZER_STATE"), Category::OptimizerState);
    EXPECT_EQ(categoryOfRecordedWord("INPUT"), Category::Input);
    EXPECT_EQ(categoryOfRecordedWord("TEMPORARY"), Category::Temporary);
    EXPECT_EQ(categoryOfRecordedWord("ACTIVATION"), Category::Activation);
    EXPECT_EQ(categoryOfRecordedWord("GRADIENT"), Category::Gradient);
    EXPECT_EQ(categoryOfRecordedWord("AUTOGRAD_DETAIL"), Category::Temporary);
    EXPECT_EQ(categoryOfRecordedWord("Unknown"), Category::Unknown);
    EXPECT_EQ(categoryOfRecordedWord("gradient"), Category::Unknown);
}

TEST(RecordedCategories, HoldForOlderBlocksAndFreesAndAllocations)
{
    const CategoryTable table = categoriesOf(*traceWithWords("PARAMETER", "INPUT", "GRADIENT"));
    EXPECT_EQ(table.of(0), Category::Parameter);
    EXPECT_EQ(table.of(1), Category::Input);
    EXPECT_EQ(table.of(2), Category::Gradient);
    for (AllocationIndex i = 0; i < 3; ++i)
        EXPECT_EQ(table.gradeOf(i), Grade::B);
}

TEST(RecordedCategories, LeaveWhatTheRecorderDoesNotKnowUnknown)
{
    const CategoryTable table = categoriesOf(*traceWithWords("PARAMETER", "Unknown", "Unknown"));
    EXPECT_EQ(table.of(1), Category::Unknown);
    EXPECT_EQ(table.of(2), Category::Unknown);
    EXPECT_EQ(table.gradeOf(2), Grade::C);
}

TEST(RecordedCategories, GiveWayToTheUsersRules)
{
    CategoryRule rule;
    rule.category = Category::Workspace;
    rule.minBytes = 512;
    const CategoryTable table = categoriesOf(*traceWithWords("PARAMETER", "", "GRADIENT"), {rule});
    EXPECT_EQ(table.of(0), Category::Workspace);
    EXPECT_EQ(table.of(2), Category::Workspace);
}

TEST(RecordedCategories, AreSeenInEventsAndInBlocks)
{
    EXPECT_FALSE(hasRecordedCategories(*traceWithWords("", "", "")));
    EXPECT_TRUE(hasRecordedCategories(*traceWithWords("", "", "GRADIENT")));
    EXPECT_TRUE(hasRecordedCategories(*traceWithWords("PARAMETER", "", "")));
}

} // namespace highwater
