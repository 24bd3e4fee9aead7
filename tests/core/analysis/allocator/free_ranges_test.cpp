#include "core/analysis/allocator/free_ranges.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"

namespace highwater {

namespace {

constexpr int kPlaces = 600;

/// A number of places, some of them vacant, and the block at each.
class Places
{
public:
    bool isVacant(int place) const { return place >= 0 && place < kPlaces && m_vacant[place]; }
    bool isAll(int first, int last, bool vacant) const
    {
        for (int place = first; place < last; ++place)
            if (m_vacant[place] != vacant)
                return false;
        return true;
    }
    void set(int first, int last, bool vacant)
    {
        for (int place = first; place < last; ++place)
            m_vacant[place] = vacant;
    }
    /// Returns the beginning of the lowest vacant range of that size; −1 if there is none.
    int lowest(int size, int from) const
    {
        for (int begin = std::max(from, 0); begin < kPlaces; ++begin) {
            if (!m_vacant[begin] || isVacant(begin - 1))
                continue;
            int end = begin;
            while (isVacant(end))
                ++end;
            if (end - begin >= size)
                return begin;
        }
        return -1;
    }

private:
    bool m_vacant[kPlaces] = {};
};

/// A block's number is the place at which it begins.
FreeRanges::Range rangeBetween(int first, int last)
{
    return {static_cast<Address>(first), last - first, static_cast<std::uint32_t>(first)};
}

} // namespace

TEST(FreeRanges, JoinWhatTouchesAndKeepTheFirstBlock)
{
    FreeRanges ranges;
    ranges.add({100, 10, 1});
    ranges.add({120, 10, 3});
    ranges.add({110, 10, 2});
    const auto run = ranges.lowest(1);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->begin, 100u);
    EXPECT_EQ(run->size, 30);
    EXPECT_EQ(run->first, 1u);
    EXPECT_FALSE(ranges.lowest(1, 101));
}

TEST(FreeRanges, AreCutWhereSomethingMovesIn)
{
    FreeRanges ranges;
    ranges.add({100, 30, 1});
    ranges.remove(110, 5, 7);
    EXPECT_EQ(ranges.lowest(1)->size, 10);
    EXPECT_EQ(ranges.lowest(11)->begin, 115u);
    EXPECT_EQ(ranges.lowest(11)->first, 7u);
    ranges.remove(100, 10, 9);
    ranges.remove(115, 15, 9);
    EXPECT_FALSE(ranges.lowest(1));
}

TEST(FreeRanges, FindWhatALookAtEveryPlaceFinds)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        test::Random random(seed);
        FreeRanges ranges;
        Places places;
        int changes = 0;
        for (int step = 0; step < 6000; ++step) {
            const int first = static_cast<int>(random.below(kPlaces));
            const int last = std::min(kPlaces, first + 1 + static_cast<int>(random.below(4)));
            const bool vacant = random.oneIn(2);
            if (places.isAll(first, last, !vacant)) {
                if (vacant)
                    ranges.add(rangeBetween(first, last));
                else
                    ranges.remove(
                        static_cast<Address>(first), last - first, static_cast<std::uint32_t>(last));
                places.set(first, last, vacant);
                ++changes;
            }
            const int size = 1 + static_cast<int>(random.below(12));
            const int from = static_cast<int>(random.below(kPlaces));
            const auto found = ranges.lowest(size, static_cast<Address>(from));
            const int expected = places.lowest(size, from);
            ASSERT_EQ(found ? static_cast<int>(found->begin) : -1, expected);
            if (found) {
                ASSERT_EQ(found->first, found->begin);
            }
        }
        EXPECT_GT(changes, 1000);
    }
}

} // namespace highwater
