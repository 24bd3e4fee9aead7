#include "core/base/packed_column.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/strong_id.h"

namespace highwater {

namespace {

using Id = StrongId<struct TestTag>;

template <typename T>
PackedColumn<T> packed(const std::vector<T>& values)
{
    PackedColumn<T> column;
    for (const T value : values)
        column.push_back(value);
    return column;
}

/// Returns values of this many bits that fill several frames and part of another.
std::vector<std::int64_t> numbers(int bits)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(bits));
    std::vector<std::int64_t> values;
    for (int i = 0; i < 1000; ++i)
        values.push_back(bits == 0 ? 7 : static_cast<std::int64_t>(random() >> (64 - bits)));
    return values;
}

} // namespace

TEST(PackedColumn, GivesBackNumbersOfEveryWidth)
{
    for (int bits = 0; bits <= 64; ++bits) {
        const std::vector<std::int64_t> values = numbers(bits);
        const PackedColumn<std::int64_t> column = packed(values);
        ASSERT_EQ(column.size(), values.size());
        ASSERT_TRUE(std::equal(values.begin(), values.end(), column.begin(), column.end())) << bits;
    }
}

TEST(PackedColumn, KeepsTheLargestAndTheSmallestNumberSideBySide)
{
    std::vector<std::int64_t> values(300, std::numeric_limits<std::int64_t>::max());
    values[17] = std::numeric_limits<std::int64_t>::min();
    EXPECT_TRUE(std::ranges::equal(packed(values), values));
    const std::vector<std::uint64_t> addresses(300, std::numeric_limits<std::uint64_t>::max());
    EXPECT_TRUE(std::ranges::equal(packed(addresses), addresses));
}

TEST(PackedColumn, KeepsIdsAndNoneApart)
{
    std::vector<Id> ids;
    for (std::uint32_t i = 0; i < 1000; ++i)
        ids.push_back(i % 7 == 0 ? Id() : Id(i % 200));
    const PackedColumn<Id> column = packed(ids);
    EXPECT_TRUE(std::ranges::equal(column, ids));
    EXPECT_LT(column.memoryBytes(), 1000 * sizeof(Id));
}

TEST(PackedColumn, TakesNoBytesForEqualValuesAndOneForNearMultiples)
{
    constexpr std::size_t rows = 256 * 100;
    PackedColumn<std::int64_t> equal;
    PackedColumn<std::uint64_t> addresses;
    for (std::size_t i = 0; i < rows; ++i) {
        equal.push_back(4096);
        addresses.push_back(0x7f0000000000 + i * 4096);
    }
    EXPECT_LT(equal.memoryBytes(), rows / 5);
    EXPECT_LT(addresses.memoryBytes(), rows + rows / 5);
}

TEST(PackedColumn, SetsValuesThatFitAndThoseThatDoNot)
{
    for (const int bits : {0, 5, 20, 40}) {
        std::vector<std::int64_t> values = numbers(bits);
        PackedColumn<std::int64_t> column = packed(values);
        std::mt19937_64 random(1);
        for (int i = 0; i < 500; ++i) {
            const std::size_t row = random() % values.size();
            values[row] = i % 2 == 0 ? values[random() % values.size()] : static_cast<std::int64_t>(random());
            column.set(row, values[row]);
        }
        for (std::size_t i = 0; i < 600; ++i) { // the column still grows
            values.push_back(values[i]);
            column.push_back(values[i]);
        }
        ASSERT_TRUE(std::ranges::equal(column, values)) << bits;
    }
}

TEST(PackedColumn, IsSearchedLikeAnyArray)
{
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 1000; ++i)
        values.push_back(3 * i);
    const PackedColumn<std::int64_t> column = packed(values);
    static_assert(std::random_access_iterator<PackedColumn<std::int64_t>::Iterator>);
    EXPECT_EQ(std::lower_bound(column.begin(), column.end(), 1000) - column.begin(), 334);
    EXPECT_EQ(column.back(), 2997);
    EXPECT_EQ(IndexRange(column, 10, 12)[1], 33);
}

TEST(SparseColumn, TakesNoMemoryForDefaultValues)
{
    SparseColumn<int> column;
    for (std::size_t i = 0; i < 1000; ++i)
        column.set(i, 0);
    EXPECT_TRUE(column.empty());
    EXPECT_EQ(column.memoryBytes(), 0u);
}

TEST(SparseColumn, GivesDefaultsBeforeAndBehindWhatWasSet)
{
    SparseColumn<int> column;
    column.set(5, 7);
    EXPECT_EQ(column.get(4), 0);
    EXPECT_EQ(column.get(5), 7);
    EXPECT_EQ(column.get(6), 0);
}

TEST(SparseColumn, CanSetAValueBackToTheDefault)
{
    SparseColumn<int> column;
    column.set(2, 7);
    column.set(2, 0);
    EXPECT_EQ(column.get(2), 0);
}

} // namespace highwater
