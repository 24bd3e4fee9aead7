#include "core/base/chunked_vector.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"

namespace highwater {

namespace {

/// Counts copies of its objects.
struct Counted
{
    static inline std::int64_t copies = 0;

    Counted(int number) // implicit on purpose
        : value(number)
    {
    }
    Counted(const Counted& other)
        : value(other.value)
    {
        ++copies;
    }
    Counted& operator=(const Counted& other)
    {
        value = other.value;
        ++copies;
        return *this;
    }

    int value;
};

template <typename T>
typename ChunkedVector<T>::Position positionOf(const ChunkedVector<T>& values, std::size_t index)
{
    auto position = values.begin();
    for (std::size_t i = 0; i < index; ++i)
        position = values.next(position);
    return position;
}

template <typename T>
typename ChunkedVector<T>::Position lowerBound(const ChunkedVector<T>& values, int wanted)
{
    return values.partitionPoint([wanted](const T& each) {
        if constexpr (std::is_same_v<T, Counted>)
            return each.value < wanted;
        else
            return each < wanted;
    });
}

void expectSame(const ChunkedVector<int>& values, const std::vector<int>& plain)
{
    ASSERT_EQ(values.size(), plain.size());
    ASSERT_EQ(values.empty(), plain.empty());
    ASSERT_EQ(values.values(), plain);
    auto position = values.begin();
    for (const int value : plain) {
        ASSERT_EQ(values[position], value);
        position = values.next(position);
    }
    ASSERT_EQ(position, values.end());
    for (auto value = plain.rbegin(); value != plain.rend(); ++value) {
        position = values.previous(position);
        ASSERT_EQ(values[position], *value);
    }
    ASSERT_EQ(position, values.begin());
}

} // namespace

TEST(ChunkedVector, HoldsWhatAVectorHoldsAfterRandomChanges)
{
    test::Random random(1);
    ChunkedVector<int> values;
    std::vector<int> plain;
    for (int change = 0; change < 4000; ++change) {
        const bool grows = plain.empty() || random.below(5) < (change / 1000 % 2 == 1 ? 4 : 1);
        const auto index = static_cast<std::size_t>(
            random.below(static_cast<std::int64_t>(plain.size()) + (grows ? 1 : 0)));
        if (grows) {
            const auto position = values.insert(positionOf(values, index), change);
            plain.insert(plain.begin() + static_cast<std::ptrdiff_t>(index), change);
            ASSERT_EQ(values[position], change);
        } else {
            const auto position = values.erase(positionOf(values, index));
            plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(index));
            ASSERT_EQ(position, positionOf(values, index));
        }
        if (change % 50 == 0)
            expectSame(values, plain);
    }
    ASSERT_GT(plain.size(), 2 * ChunkedVector<int>::kMaxInChunk) << "several chunks";
    expectSame(values, plain);
}

TEST(ChunkedVector, FindsTheFirstValueThatIsNotBefore)
{
    ChunkedVector<int> values;
    for (int i = 0; i < 1000; ++i)
        values.insert(values.end(), 2 * i);
    for (int wanted = 0; wanted < 1999; ++wanted)
        ASSERT_EQ(values[lowerBound(values, wanted)], (wanted + 1) / 2 * 2);
    EXPECT_EQ(lowerBound(values, 1999), values.end());
    EXPECT_EQ(lowerBound(ChunkedVector<int>(), 1), ChunkedVector<int>().end());
}

TEST(ChunkedVector, MovesNoMoreThanAChunkAtAChange)
{
    constexpr int count = 50'000;
    constexpr std::int64_t most = 2 * ChunkedVector<Counted>::kMaxInChunk;
    test::Random random(2);
    ChunkedVector<Counted> values;
    std::vector<int> inserted;
    Counted::copies = 0;
    for (int i = 0; i < count; ++i) {
        inserted.push_back(static_cast<int>(random.below(1'000'000'000)));
        values.insert(lowerBound(values, inserted.back()), inserted.back());
    }
    EXPECT_LT(Counted::copies, count * most) << "a vector moves a quarter of " << count << " at each";
    Counted::copies = 0;
    for (const int value : inserted)
        values.erase(lowerBound(values, value));
    EXPECT_LT(Counted::copies, count * most);
    EXPECT_TRUE(values.empty());
    EXPECT_EQ(values.begin(), values.end());
}

TEST(ChunkedVector, TakesMemoryInProportionToItsValues)
{
    constexpr std::size_t count = 100'000;
    ChunkedVector<int> ascending;
    ChunkedVector<int> mixed;
    test::Random random(3);
    for (std::size_t i = 0; i < count; ++i) {
        ascending.insert(ascending.end(), static_cast<int>(i));
        const auto value = static_cast<int>(random.below(1'000'000'000));
        mixed.insert(lowerBound(mixed, value), value);
    }
    EXPECT_LT(ascending.memoryBytes(), 2 * count * sizeof(int));
    EXPECT_LT(mixed.memoryBytes(), 4 * count * sizeof(int));
    EXPECT_LE(ChunkedVector<int>(mixed).memoryBytes(), mixed.memoryBytes());
}

TEST(ChunkedVector, LeavesCopiesAsTheyWere)
{
    test::Random random(4);
    ChunkedVector<int> values;
    std::vector<int> plain;
    std::vector<std::pair<ChunkedVector<int>, std::vector<int>>> copies;
    for (int i = 0; i < 3000; ++i) {
        const std::int64_t place = random.below(static_cast<std::int64_t>(plain.size()) + 1);
        const auto index = static_cast<std::size_t>(place);
        const auto position = plain.begin() + place;
        if (position == plain.end() || random.below(3) > 0) {
            values.insert(positionOf(values, index), i);
            plain.insert(position, i);
        } else if (random.below(2) > 0) {
            values.erase(positionOf(values, index));
            plain.erase(position);
        } else {
            values.edit(positionOf(values, index)) = *position = -i;
        }
        if (i % 250 == 0)
            copies.emplace_back(values, plain);
    }
    expectSame(values, plain);
    for (const auto& [copy, before] : copies)
        expectSame(copy, before);
}

TEST(ChunkedVector, SharesWhatItsCopiesDoNotChange)
{
    constexpr int count = 100'000;
    ChunkedVector<int> values;
    for (int i = 0; i < count; ++i)
        values.insert(values.end(), i);
    const std::size_t alone = values.memoryBytes();
    ChunkedVector<int> copy = values;
    copy.edit(copy.begin()) = 7;
    EXPECT_LT(values.memoryBytes() + copy.memoryBytes(), alone + alone / 10);
    EXPECT_EQ(values[values.begin()], 0);
}

} // namespace highwater
