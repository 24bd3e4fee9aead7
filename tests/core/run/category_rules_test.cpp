#include "core/run/category_rules.h"

#include <gtest/gtest.h>

#include "core/analysis/steps/phases.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

std::string problemOfRules(std::string_view json)
{
    const Result<std::vector<CategoryRule>> rules = parseCategoryRules(json);
    return rules ? std::string() : rules.error().message;
}

} // namespace

TEST(CategoryRules, AreReadAsTheManualWritesThem)
{
    const auto rules = parseCategoryRules(
        R"([{"category": "kv_cache", "frames": "kv_.*:\\d+", "min_bytes": 5, "max_bytes": 9, "phase": "forward"}])");
    ASSERT_TRUE(rules);
    EXPECT_EQ(*rules, (std::vector<CategoryRule>{{Category::KvCache, "kv_.*:\\d+", 5, 9, "forward"}}));
}

TEST(CategoryRules, HaveNoLimitWhereTheLargestSizeIsZero)
{
    const auto rules = parseCategoryRules(R"([{"category": "input", "max_bytes": 0}])");
    ASSERT_TRUE(rules);
    EXPECT_EQ(rules->front(), CategoryRule({Category::Input, "", 0, CategoryRule().maxBytes, ""}));
}

TEST(CategoryRules, WrittenAndReadAgainAreTheSame)
{
    const std::vector<CategoryRule> rules = {{Category::Gradient, "a \"quoted\" \\w+", 1, 2, "backward"},
        {Category::Unknown, "", 512, CategoryRule().maxBytes, ""}};
    const auto again = parseCategoryRules(toJsonText(rules));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, rules);
}

TEST(CategoryRules, SayWhichRuleIsWrongAndWhy)
{
    EXPECT_EQ(problemOfRules("[{"), "the list of rules ends too early");
    EXPECT_TRUE(test::hasParts(problemOfRules("{}"), {"not a list", "[{\"category\": …}, …]"}));
    EXPECT_EQ(problemOfRules("[7]"), "rule 1: it is not an object");
    EXPECT_EQ(problemOfRules("[{}]"), "rule 1: \"category\" is missing");
    EXPECT_TRUE(test::hasParts(problemOfRules(R"([{"category": "input"}, {"category": "weights"}])"),
        {"rule 2", "category \"weights\"", "parameter, "}));
    EXPECT_TRUE(test::hasParts(problemOfRules(R"([{"category": "input", "phase": "lunch"}])"),
        {"rule 1", "phase \"lunch\"", "forward, "}));
    EXPECT_TRUE(test::hasParts(problemOfRules(R"([{"category": "input", "frames": "("}])"),
        {"rule 1", "\"frames\"", "missing ): ("}));
    EXPECT_TRUE(test::hasParts(problemOfRules(R"([{"category": "input", "min_bytes": -1}])"),
        {"rule 1", "\"min_bytes\" is not a whole number"}));
    EXPECT_TRUE(
        test::hasParts(problemOfRules(R"([{"category": "input", "max_bytes": 18446744073709551615}])"),
            {"rule 1", "\"max_bytes\" is not a whole number"}));
    EXPECT_TRUE(test::hasParts(problemOfRules(R"([{"category": "input", "min_bytes": 9, "max_bytes": 8}])"),
        {"rule 1", "\"min_bytes\" is larger"}));
    EXPECT_TRUE(test::hasParts(problemOfRules(R"([{"category": "input", "colour": "red"}])"),
        {"rule 1", "key \"colour\"", "min_bytes, max_bytes"}));
}

TEST(CategoryRules, KnowEveryPhase)
{
    for (int i = 0; i <= static_cast<int>(Phase::Data); ++i) {
        const std::string name(toText(static_cast<Phase>(i)));
        EXPECT_EQ(problemOfRules("[{\"category\": \"input\", \"phase\": \"" + name + "\"}]"), "") << name;
    }
}

TEST(CategoryNames, ReadBackAsTheSameCategory)
{
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto category = static_cast<Category>(i);
        EXPECT_EQ(categoryFromText(toText(category)), category);
        EXPECT_FALSE(titleOf(category).empty());
    }
    EXPECT_FALSE(categoryFromText("weights"));
}

} // namespace highwater
