#include "core/analysis/diff/matching/step_alignment.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

StepTable stepTable(
    const std::vector<std::pair<std::string, Bytes>>& peaks, StepSource source = StepSource::Frames)
{
    StepTable table;
    table.source = source;
    for (const auto& [name, peak] : peaks) {
        Step step;
        step.name = name;
        step.peakBytes = peak;
        table.steps.push_back(step);
    }
    return table;
}

/// Writes "0-1" if step 0 before is paired with step 1 after, and "x" if a step has no partner.
std::string text(const AlignedSteps& aligned)
{
    std::string out;
    const auto number
        = [](const std::optional<std::size_t>& step) { return step ? std::to_string(*step) : "x"; };
    for (const StepPair& pair : aligned.pairs)
        out += (out.empty() ? "" : " ") + number(pair.before) + "-" + number(pair.after);
    return out;
}

} // namespace

TEST(AlignSteps, PutsEquallyManyBesideEachOtherInOrder)
{
    const AlignedSteps aligned = alignSteps(stepTable({{"a", 1}, {"b", 9}}), stepTable({{"a", 9}, {"b", 1}}));
    EXPECT_EQ(text(aligned), "0-0 1-1");
    EXPECT_EQ(aligned.alignment, StepAlignment::Index);
}

TEST(AlignSteps, GoesByTheNumbersOfTheProfiler)
{
    const AlignedSteps aligned
        = alignSteps(stepTable({{"ProfilerStep#2", 1}, {"ProfilerStep#3", 1}}, StepSource::ProfilerStep),
            stepTable({{"ProfilerStep#3", 1}, {"ProfilerStep#4", 1}}, StepSource::ProfilerStep));
    EXPECT_EQ(text(aligned), "0-x 1-0 x-1");
    EXPECT_EQ(aligned.alignment, StepAlignment::Name);
}

TEST(AlignSteps, MovesPastAWarmUpThatOnlyOneRunHas)
{
    const AlignedSteps aligned
        = alignSteps(stepTable({{"a", 100}, {"b", 100}}), stepTable({{"w", 5}, {"a", 100}, {"b", 100}}));
    EXPECT_EQ(text(aligned), "x-0 0-1 1-2");
    EXPECT_EQ(aligned.alignment, StepAlignment::BestMatch);
    EXPECT_EQ(
        text(alignSteps(stepTable({{"w", 5}, {"a", 100}, {"b", 100}}), stepTable({{"a", 100}, {"b", 100}}))),
        "0-x 1-0 2-1");
}

TEST(AlignSteps, MovesPastAWarmUpAlsoWhereAllPeaksFell)
{
    EXPECT_EQ(
        text(alignSteps(stepTable({{"a", 70}, {"b", 70}}), stepTable({{"w", 5}, {"a", 100}, {"b", 100}}))),
        "x-0 0-1 1-2");
}

TEST(AlignSteps, KeepsTheFirstTogetherWhereBothRunsGrow)
{
    const AlignedSteps aligned = alignSteps(stepTable({{"a", 80}, {"b", 100}, {"c", 120}}),
        stepTable({{"a", 40}, {"b", 60}, {"c", 79}, {"d", 97}}));
    EXPECT_EQ(text(aligned), "0-0 1-1 2-2 x-3");
    EXPECT_EQ(aligned.alignment, StepAlignment::Index);
}

TEST(AlignSteps, KeepsTheFirstTogetherWhereNothingSpeaksForAMove)
{
    EXPECT_EQ(text(alignSteps(stepTable({{"a", 100}}), stepTable({{"a", 100}, {"b", 100}}))), "0-0 x-1");
}

TEST(AlignSteps, OfNothingIsNothing)
{
    EXPECT_TRUE(alignSteps({}, {}).pairs.empty());
    EXPECT_EQ(text(alignSteps({}, stepTable({{"a", 1}}))), "x-0");
}

} // namespace highwater
