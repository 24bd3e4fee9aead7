#include "core/analysis/budget/timeline_parts.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Activations of 16 GiB, of which 4 GiB are logits, and 2 GiB of inputs, of which 1.5 GiB are logits.
ObservedBudget withLogits()
{
    ObservedBudget observed;
    observed.categories
        = {{Category::Activation, 16 * kGiB}, {Category::Input, 2 * kGiB, true}, {Category::Gradient, kGiB}};
    observed.lines = {{.name = BudgetLineName::Gradients, .bytes = kGiB},
        {.name = BudgetLineName::Activations, .bytes = 12 * kGiB},
        {.name = BudgetLineName::Critic, .bytes = kGiB / 2}};
    observed.rest = {{Category::Input, kGiB / 2, true}};
    observed.logitsParts = {{Category::Activation, 4 * kGiB}, {Category::Input, 3 * kGiB / 2, true}};
    return observed;
}

BudgetLine lineNamed(BudgetLineName name)
{
    BudgetLine line;
    line.name = name;
    return line;
}

} // namespace

TEST(TimelineText, NamesTheCategoryThatALineSharesWithTheLogits)
{
    const ObservedBudget observed = withLogits();
    EXPECT_EQ(timelineText(lineNamed(BudgetLineName::Activations), observed),
        "part of 16 GiB of activations in the timeline");
    EXPECT_EQ(
        timelineText(observed.rest.front(), observed), "part of 2 GiB of inputs (guess) in the timeline");
}

TEST(TimelineText, NamesTheCategoriesOfTheLogits)
{
    EXPECT_EQ(timelineText(lineNamed(BudgetLineName::Logits), withLogits()),
        "4 GiB of activations, 1.5 GiB of inputs (guess) in the timeline");
}

TEST(TimelineText, IsEmptyWhereTheTimelineHasTheSameBytes)
{
    EXPECT_EQ(timelineText(lineNamed(BudgetLineName::Gradients), withLogits()), "");
}

TEST(TimelineText, IsEmptyForALineOfSeveralCategories)
{
    BudgetLine critic = lineNamed(BudgetLineName::Critic);
    critic.gradients = kGiB;
    EXPECT_EQ(timelineText(critic, withLogits()), "");
}

} // namespace highwater
