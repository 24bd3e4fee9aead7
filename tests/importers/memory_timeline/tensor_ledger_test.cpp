#include "importers/memory_timeline/tensor_ledger.h"

#include <array>
#include <random>
#include <sstream>

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

/// Tensors of one category that come (`+100`), go (`-100`) and begin a moment (`@10`).
struct LedgerCase
{
    const char* name;
    Matching matching;
    const char* changes;
    const char* stays;
    int layered = -1; ///< not checked if negative
};

class LedgerChanges : public testing::TestWithParam<LedgerCase>
{
};

} // namespace

TEST_P(LedgerChanges, LeaveTheseStays)
{
    TensorLedger ledger(GetParam().matching);
    std::istringstream changes(GetParam().changes);
    char kind = 0;
    for (std::int64_t value = 0; changes >> kind >> value;) {
        if (kind == '@')
            ledger.beginMoment(value);
        else if (kind == '+')
            ledger.addBytes(kActivation, value);
        else
            ledger.removeBytes(kActivation, value);
    }
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), GetParam().stays);
    if (GetParam().layered >= 0) {
        EXPECT_EQ(ledger.counts().layered, GetParam().layered);
    }
}

INSTANTIATE_TEST_SUITE_P(Ledgers, LedgerChanges,
    testing::Values(LedgerCase{"EndsTheLatestOfEqualSizes", Matching::EqualSizesFirst,
                        "@10 +100 @20 +100 @30 -100", "1- 100; 2-3 100; "},
        LedgerCase{"LooksForTheSizeBeforeTheLatest", Matching::EqualSizesFirst, "+100 @10 +50 @20 -100",
            "0-2 100; 1- 50; ", 0},
        LedgerCase{"CutsTheLatestWhereNoSizeIsEqual", Matching::EqualSizesFirst, "+100 @10 +60 @20 -90",
            "0- 70; 1-2 60; 0-2 30; ", 1},
        LedgerCase{"FindsWhatIsLeftOfACutBySize", Matching::EqualSizesFirst, "+100 @10 -30 @20 +5 @30 -70",
            "0-3 70; 0-1 30; 2- 5; ", 1},
        LedgerCase{"LayersEndFromTheTopWhateverTheirSize", Matching::LayersOnly, "+100 @10 +60 @20 -100",
            "0- 60; 1-2 60; 0-2 40; ", 0},
        LedgerCase{"CutsWhatComesAtTheSameMomentWhenNothingElseIsThere", Matching::EqualSizesFirst,
            "@10 +100 -60", "1- 40; "}),
    [](const auto& row) { return row.param.name; });

TEST(TensorLedger, LeavesOutWhatComesAndGoesAtOneMoment)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.beginMoment(10);
    ledger.removeBytes(kActivation, 100);
    ledger.addBytes(kActivation, 100);
    ledger.addBytes(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "1- 100; ");
    EXPECT_EQ(ledger.counts().cancelled, 1);
}

TEST(TensorLedger, LetsOtherCategoriesPayAndCountsThat)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.addBytes(kActivation, 100);
    ledger.addBytes(kGradient, 20);
    ledger.beginMoment(10);
    ledger.removeBytes(kGradient, 50);
    ledger.finish();
    EXPECT_EQ(levelAt(ledger, 1), 70);
    EXPECT_EQ(levelAt(ledger, 1, kGradient), 0);
    EXPECT_EQ(ledger.counts().borrowed, 1);
    EXPECT_EQ(ledger.counts().belowZero, 0);
}

TEST(TensorLedger, LooksForTheSizeInOtherCategoriesFirst)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.addBytes(kGradient, 100);
    ledger.addBytes(kActivation, 50);
    ledger.beginMoment(10);
    ledger.removeBytes(7, 50);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "0- 100; 0-1 50; ");
}

TEST(TensorLedger, HoldsBackWhatComesUntilWhatWasMissingIsPaid)
{
    TensorLedger ledger(Matching::EqualSizesFirst);
    ledger.beginMoment(10);
    ledger.removeBytes(kActivation, 50);
    ledger.beginMoment(20);
    ledger.addBytes(kActivation, 30);
    ledger.beginMoment(30);
    ledger.addBytes(kActivation, 100);
    ledger.finish();
    EXPECT_EQ(staysOf(ledger), "3- 80; ");
    EXPECT_EQ(ledger.counts().belowZero, 1);
}

TEST(TensorLedger, RefusesSumsBeyondAnyMachine)
{
    TensorLedger ledger(Matching::LayersOnly);
    for (int i = 0; i < 256; ++i)
        EXPECT_TRUE(ledger.addBytes(kActivation, Bytes{1} << 48));
    EXPECT_FALSE(ledger.addBytes(kActivation, Bytes{1} << 48));
}

TEST(TensorLedger, KeepsEveryLevelOfEveryCategoryThatIsNotBelowZero)
{
    for (const Matching matching : {Matching::EqualSizesFirst, Matching::LayersOnly})
        for (std::uint32_t seed = 0; seed < 50; ++seed) {
            std::mt19937 random(seed);
            const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
            TensorLedger ledger(matching);
            std::array<Bytes, kTimelineCategoryCount> levels{};
            std::vector<std::array<Bytes, kTimelineCategoryCount>> wanted;
            for (Nanoseconds time = 0; time < 100; ++time) {
                for (std::uint32_t change = below(6); change > 0; --change) {
                    const auto category = static_cast<CategoryIndex>(below(3));
                    const Bytes bytes = 8 * (1 + below(4));
                    if (below(2) == 0) {
                        ledger.addBytes(category, bytes);
                        levels[category] += bytes;
                    } else if (levels[category] >= bytes) {
                        ledger.removeBytes(category, bytes);
                        levels[category] -= bytes;
                    }
                }
                wanted.push_back(levels);
                ledger.beginMoment(time);
            }
            ledger.finish();
            for (std::uint32_t moment = 0; moment < wanted.size(); ++moment)
                for (CategoryIndex category = 0; category < kTimelineCategoryCount; ++category)
                    ASSERT_EQ(levelAt(ledger, moment, category), wanted[moment][category])
                        << "seed " << seed << " moment " << moment;
            EXPECT_EQ(ledger.counts().borrowed, 0);
        }
}

} // namespace highwater::memory_timeline
