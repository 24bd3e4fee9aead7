#include "importers/memory_timeline/tensor_ledger.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace highwater::memory_timeline {

namespace {

constexpr CategoryIndex kActivation = 4;
constexpr CategoryIndex kGradient = 5;
constexpr std::uint32_t kNever = TensorLedger::kNever;

using Matching = TensorLedger::Matching;

/// Returns "birth-death bytes" of each interval, in order.
std::string staysOf(const TensorLedger& ledger)
{
    std::string text;
    for (const Interval& interval : ledger.intervals())
        text += std::to_string(interval.birth) + "-"
            + (interval.death == kNever ? "" : std::to_string(interval.death)) + " "
            + std::to_string(interval.bytes) + "; ";
    return text;
}

Bytes levelAt(const TensorLedger& ledger, std::uint32_t moment, std::optional<CategoryIndex> category = {})
{
    Bytes level = 0;
    for (const Interval& interval : ledger.intervals())
        if (interval.birth <= moment && moment < interval.death
            && (!category || interval.category == *category))
            level += interval.bytes;
    return level;
}

} // namespace

TEST(TensorLedger, EndsTheLatestOfEqualSizes)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    for (Nanoseconds time : {10, 20}) {
        ledger.beginMoment(time);
        ledger.come(kActivation, 100);
    }
    ledger.beginMoment(30);
    ledger.leave(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "1- 100; 2-3 100; ");
}

TEST(TensorLedger, LooksForTheSizeBeforeTheLatest)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.come(kActivation, 100);
    ledger.beginMoment(10);
    ledger.come(kActivation, 50);
    ledger.beginMoment(20);
    ledger.leave(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "0-2 100; 1- 50; ");
    EXPECT_EQ(ledger.counts().layered, 0);
}

TEST(TensorLedger, CutsTheLatestWhereNoSizeIsEqual)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.come(kActivation, 100);
    ledger.beginMoment(10);
    ledger.come(kActivation, 60);
    ledger.beginMoment(20);
    ledger.leave(kActivation, 90);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "0- 70; 1-2 60; 0-2 30; ");
    EXPECT_EQ(ledger.counts().layered, 1);
}

TEST(TensorLedger, FindsWhatIsLeftOfACutBySize)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.come(kActivation, 100);
    ledger.beginMoment(10);
    ledger.leave(kActivation, 30);
    ledger.beginMoment(20);
    ledger.come(kActivation, 5);
    ledger.beginMoment(30);
    ledger.leave(kActivation, 70);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "0-3 70; 0-1 30; 2- 5; ");
    EXPECT_EQ(ledger.counts().layered, 1);
}

TEST(TensorLedger, LayersEndFromTheTopWhateverTheirSize)
{
    TensorLedger ledger(Matching::LayersOnly);
    ledger.come(kActivation, 100);
    ledger.beginMoment(10);
    ledger.come(kActivation, 60);
    ledger.beginMoment(20);
    ledger.leave(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "0- 60; 1-2 60; 0-2 40; ");
    EXPECT_EQ(ledger.counts().layered, 0);
}

TEST(TensorLedger, LeavesOutWhatComesAndGoesAtOneMoment)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.beginMoment(10);
    ledger.leave(kActivation, 100);
    ledger.come(kActivation, 100);
    ledger.come(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "1- 100; ");
    EXPECT_EQ(ledger.counts().cancelled, 1);
}

TEST(TensorLedger, CutsWhatComesAtTheSameMomentWhenNothingElseIsThere)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.beginMoment(10);
    ledger.come(kActivation, 100);
    ledger.leave(kActivation, 60);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "1- 40; ");
}

TEST(TensorLedger, LetsOtherCategoriesPayAndCountsThat)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.come(kActivation, 100);
    ledger.come(kGradient, 20);
    ledger.beginMoment(10);
    ledger.leave(kGradient, 50);
    ledger.finish();
    EXPECT_EQ(levelAt(ledger, 1), 70);
    EXPECT_EQ(levelAt(ledger, 1, kGradient), 0);
    EXPECT_EQ(ledger.counts().borrowed, 1);
    EXPECT_EQ(ledger.counts().belowZero, 0);
}

TEST(TensorLedger, LooksForTheSizeInOtherCategoriesFirst)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.come(kGradient, 100);
    ledger.come(kActivation, 50);
    ledger.beginMoment(10);
    ledger.leave(7, 50);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "0- 100; 0-1 50; ");
}

TEST(TensorLedger, HoldsBackWhatComesUntilWhatWasMissingIsPaid)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.beginMoment(10);
    ledger.leave(kActivation, 50);
    ledger.beginMoment(20);
    ledger.come(kActivation, 30);
    ledger.beginMoment(30);
    ledger.come(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "3- 80; ");
    EXPECT_EQ(ledger.counts().belowZero, 1);
}

TEST(TensorLedger, RefusesSumsBeyondAnyMachine)
{
    TensorLedger ledger(Matching::LayersOnly);
    for (int i = 0; i < 256; ++i)
        EXPECT_TRUE(ledger.come(kActivation, Bytes{1} << 48));
    EXPECT_FALSE(ledger.come(kActivation, Bytes{1} << 48));
}

TEST(TensorLedger, KeepsEveryLevelOfEveryCategoryThatIsNotBelowZero)
{
    for (const Matching matching : {Matching::EqualSizesFirst, Matching::LayersOnly})
        for (std::uint32_t seed = 0; seed < 50; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
            TensorLedger ledger(matching);
            std::array<Bytes, kCategories> levels{};
            std::vector<std::array<Bytes, kCategories>> wanted;
            for (Nanoseconds time = 0; time < 100; ++time) {
                for (std::uint32_t change = below(6); change > 0; --change) {
                    const auto category = static_cast<CategoryIndex>(below(3));
                    const Bytes bytes = 8 * (1 + below(4));
                    if (below(2) == 0) {
                        ledger.come(category, bytes);
                        levels[category] += bytes;
                    } else if (levels[category] >= bytes) {
                        ledger.leave(category, bytes);
                        levels[category] -= bytes;
                    }
                }
                wanted.push_back(levels);
                ledger.beginMoment(time);
            }
            ledger.finish();
            for (std::uint32_t moment = 0; moment < wanted.size(); ++moment)
                for (CategoryIndex category = 0; category < kCategories; ++category)
                    ASSERT_EQ(levelAt(ledger, moment, category), wanted[moment][category])
                        << "seed " << seed << " moment " << moment;
            EXPECT_EQ(ledger.counts().borrowed, 0);
        }
}

} // namespace highwater::memory_timeline
