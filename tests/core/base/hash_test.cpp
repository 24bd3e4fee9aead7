#include "core/base/hash.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr std::uint64_t kKeys = 20'000;

/// Numbers as they occur in files. With the standard library's hash nearly all their low bits are equal.
struct Family
{
    const char* name;
    std::uint64_t (*number)(std::uint64_t i);
};

std::vector<std::uint64_t> numbersOf(const Family& family)
{
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < kKeys; ++i)
        numbers.push_back(family.number(i));
    return numbers;
}

/// Returns the number of hashes in the fullest of 2^16 buckets, using the bits that a table uses.
std::size_t fullestBucket(const std::vector<std::size_t>& hashes)
{
    std::vector<std::size_t> buckets(1u << 16, 0);
    for (const std::size_t hash : hashes)
        ++buckets[hash % buckets.size()];
    return *std::max_element(buckets.begin(), buckets.end());
}

} // namespace

class NumbersOfFiles : public testing::TestWithParam<Family>
{
};

TEST_P(NumbersOfFiles, SpreadOverTheLowBits)
{
    std::vector<std::size_t> hashes;
    for (const std::uint64_t number : numbersOf(GetParam()))
        hashes.push_back(NumberHash()(number));
    EXPECT_LE(fullestBucket(hashes), 12u); // for 20,000 random numbers it has 5 or 6
}

TEST_P(NumbersOfFiles, TakeATableOfTheirNumber)
{
    NumberMap<std::uint64_t, int> table;
    for (const std::uint64_t number : numbersOf(GetParam()))
        table[number] = 1;
    EXPECT_EQ(table.size(), kKeys);
    EXPECT_LE(table.bucket_count(), 4 * kKeys);
}

INSTANTIATE_TEST_SUITE_P(Families, NumbersOfFiles,
    testing::Values(Family{"Ids", [](std::uint64_t i) { return i; }},
        Family{"Blocks", [](std::uint64_t i) { return 0x7f0040000000 + i * 512; }},
        Family{"Segments", [](std::uint64_t i) { return 0x7f0040000000 + i * (20u << 20); }},
        Family{"Streams", [](std::uint64_t i) { return 0x7f0040000000 + (i << 32) + i * 1024; }},
        Family{"PackedPairs", [](std::uint64_t i) { return i << 32 | i; }},
        Family{"HighHalves", [](std::uint64_t i) { return i << 32 | 7; }},
        Family{"TopBits", [](std::uint64_t i) { return i << 48; }},
        Family{"NegativeSizes", [](std::uint64_t i) { return ~(i * 4096); }}),
    [](const testing::TestParamInfo<Family>& family) { return std::string(family.param.name); });

TEST(HashOf, TellsTheOrderOfAPair)
{
    EXPECT_NE(hashOf(1, 2), hashOf(2, 1));
    EXPECT_EQ(NumberHash()(std::pair<std::uint32_t, std::int64_t>(1, 2)), hashOf(1, 2));
}

TEST(HashOf, SpreadsPairsOfEqualNumbers)
{
    std::vector<std::size_t> hashes;
    for (std::uint64_t i = 0; i < kKeys; ++i)
        hashes.push_back(hashOf(i, i));
    EXPECT_LE(fullestBucket(hashes), 12u);
}

TEST(HashOf, ChangesHalfOfItsBitsWithAnyBit)
{
    for (int bit = 0; bit < 64; ++bit) {
        int changed = 0;
        for (std::uint64_t i = 0; i < 64; ++i)
            changed += __builtin_popcountll(hashOf(i * 512) ^ hashOf((i * 512) ^ (std::uint64_t{1} << bit)));
        EXPECT_NEAR(changed / 64.0, 32.0, 4.0) << bit;
    }
}

TEST(HashOf, CannotBeMadeToMeetWithoutItsKey)
{
    std::vector<std::size_t> hashes;
    for (std::uint64_t number = 0; hashes.size() < 2'000; ++number)
        if (keyedHash(0, number, 0) % 1024 == 0)
            hashes.push_back(hashOf(number));
    EXPECT_LE(fullestBucket(hashes), 6u);
}

TEST(NumberTables, TakeIdsEnumerationsAndPairs)
{
    using AppleId = StrongId<struct AppleTag>;
    enum class Kind : std::uint8_t
    {
        One,
        Other
    };
    NumberSet<AppleId> ids{AppleId(1u), AppleId(1u), AppleId()};
    EXPECT_EQ(ids.size(), 2u);
    NumberMap<std::pair<Kind, AppleId>, int> counts;
    ++counts[{Kind::One, AppleId(1u)}];
    ++counts[{Kind::One, AppleId(1u)}];
    ++counts[{Kind::Other, AppleId(1u)}];
    EXPECT_EQ((counts[{Kind::One, AppleId(1u)}]), 2);
    EXPECT_EQ(counts.size(), 2u);
}

} // namespace highwater
