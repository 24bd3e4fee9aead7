#include "core/base/pair_numbers.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace highwater {

TEST(PairNumbers, CountUpInOrderOfAppearance)
{
    PairNumbers numbers;
    EXPECT_EQ(numbers.intern(7, 9), 0u);
    EXPECT_EQ(numbers.intern(9, 7), 1u);
    EXPECT_EQ(numbers.intern(7, 9), 0u);
    EXPECT_EQ(numbers.size(), 2u);
    EXPECT_EQ(numbers[1], (PairNumbers::Pair{9, 7}));
}

TEST(PairNumbers, AgreeWithAMap)
{
    std::mt19937 random(1);
    PairNumbers numbers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> expected;
    for (int i = 0; i < 50'000; ++i) {
        const auto first = static_cast<std::uint32_t>(random() % 200);
        const auto second = random() % 3 == 0 ? 0xffffffff : static_cast<std::uint32_t>(random() % 200);
        const auto next = static_cast<std::uint32_t>(expected.size());
        EXPECT_EQ(numbers.intern(first, second), expected.try_emplace({first, second}, next).first->second);
    }
    EXPECT_EQ(numbers.size(), expected.size());
}

TEST(PairNumbers, OfATreeAgreeWithAMap)
{
    std::mt19937 random(2);
    PairNumbers numbers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> expected;
    std::uint32_t parent = PairNumbers::kNone;
    for (int i = 0; i < 200'000; ++i) {
        if (i == 100'000)
            numbers.forgetSlots();
        // introduces new pairs later, too
        const auto value = static_cast<std::uint32_t>(random() % (i < 1000 ? 3 : 500));
        const auto next = static_cast<std::uint32_t>(expected.size());
        const std::uint32_t node = expected.try_emplace({value, parent}, next).first->second;
        ASSERT_EQ(numbers.internNode(value, parent), node);
        ASSERT_EQ(numbers.find(value, parent), node);
        ASSERT_EQ(numbers.find(500, parent), PairNumbers::kNone);
        parent = random() % 40 == 0 ? PairNumbers::kNone
            : random() % 4 == 0     ? static_cast<std::uint32_t>(random() % expected.size())
                                    : node;
    }
    EXPECT_EQ(numbers.size(), expected.size());
}

TEST(PairNumbers, OfABranchTakeEightBytesEach)
{
    PairNumbers numbers;
    for (std::uint32_t i = 0; i < 60'000; ++i)
        numbers.internNode(i % 7, i - 1);
    for (std::uint32_t i = 0; i < 60'000; ++i)
        ASSERT_EQ(numbers.internNode(i % 7, i - 1), i);
    EXPECT_LE(numbers.memoryBytes(), 60'000u * 8 + 128);
}

TEST(PairNumbers, OfNodesWithAValueOfTheirOwnTakeTwelveBytesEach)
{
    PairNumbers numbers;
    numbers.internNode(PairNumbers::kNone, PairNumbers::kNone);
    for (int turn = 0; turn < 2; ++turn)
        for (std::uint32_t i = 0; i < 60'000; ++i)
            ASSERT_EQ(numbers.internNode(i, 0), i + 1);
    EXPECT_LE(numbers.memoryBytes(), 60'000u * 12 + 128);
}

TEST(PairNumbers, TakeTwentyBytesEachWhateverTheyAre)
{
    for (const std::uint32_t stride : {1u, 1024u, 1u << 16}) {
        PairNumbers numbers;
        for (std::uint32_t i = 0; i < 60'000; ++i)
            numbers.intern(i * stride, i * stride);
        EXPECT_EQ(numbers.size(), 60'000u);
        EXPECT_LE(numbers.memoryBytes(), 60'000u * 20);
    }
}

TEST(PairNumbers, FindWhatHasANumberAndNothingElse)
{
    PairNumbers numbers;
    EXPECT_EQ(numbers.find(7, 9), PairNumbers::kNone);
    numbers.intern(7, 9);
    numbers.intern(9, 7);
    EXPECT_EQ(numbers.find(9, 7), 1u);
    EXPECT_EQ(numbers.find(9, 9), PairNumbers::kNone);
    EXPECT_EQ(numbers.size(), 2u);
}

TEST(PairNumbers, CountOnAfterTheyForgotTheirSlots)
{
    for (const std::uint32_t pairs : {0u, 1u, 9u, 10u, 1000u}) {
        PairNumbers numbers;
        for (std::uint32_t i = 0; i < pairs; ++i)
            numbers.intern(i, 7);
        numbers.forgetSlots();
        EXPECT_EQ(numbers.memoryBytes(), pairs * sizeof(PairNumbers::Pair));
        for (std::uint32_t i = 0; i < 2 * pairs; ++i)
            ASSERT_EQ(numbers.intern(i, 7), i);
    }
}

} // namespace highwater
