#include "core/analysis/budget/formula.h"

#include <limits>

#include <gtest/gtest.h>

namespace highwater {

TEST(Formulae, ComputeWhatTheyWrite)
{
    const Formula logits = Formula(8) * 174 * 50257 * 2;
    EXPECT_EQ(logits.text(), "8 × 174 × 50257 × 2");
    EXPECT_EQ(logits.value(), 139'915'488);
}

TEST(Formulae, PutSumsInParenthesesWhereTheyAreMultiplied)
{
    const Formula sum = (Formula(2) + Formula(3)) * 4;
    EXPECT_EQ(sum.text(), "(2 + 3) × 4");
    EXPECT_EQ(sum.value(), 20);
    EXPECT_EQ((Formula(2) * 3 + Formula(4)).over(3).text(), "(2 × 3 + 4) / 3");
}

TEST(Formulae, RoundQuotientsUp)
{
    EXPECT_EQ(Formula(10).over(4).value(), 3);
    EXPECT_EQ(Formula(8).over(4).value(), 2);
    EXPECT_EQ(Formula(8).over(1).text(), "8");
}

TEST(Formulae, LeaveNothingOutButZero)
{
    EXPECT_EQ((Formula() + Formula(3)).text(), "3");
    EXPECT_EQ((Formula(3) + Formula()).text(), "3");
}

TEST(Formulae, EndDifferencesAtZero)
{
    EXPECT_EQ((Formula(5) - Formula(3)).text(), "5 − 3");
    EXPECT_EQ((Formula(3) - Formula(5)).value(), 0);
}

TEST(Formulae, CountElementsOfEveryType)
{
    EXPECT_EQ(Formula(3).times(ElementType::Bf16).text(), "3 × 2");
    EXPECT_EQ(Formula(4096).times(ElementType::Nf4).value(), 2113);
}

TEST(Formulae, RememberOverflows)
{
    const Formula half(std::int64_t{1} << 62);
    EXPECT_TRUE((half * 2).overflows());
    EXPECT_TRUE((half + half).overflows());
    EXPECT_TRUE((half * 2 * 0).overflows());
    EXPECT_TRUE((half * 2).over(8).overflows());
    EXPECT_TRUE((Formula(1) - half * 2).overflows());
    EXPECT_FALSE((half + Formula(1)).overflows());
}

} // namespace highwater
