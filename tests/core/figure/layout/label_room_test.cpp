#include "core/figure/layout/label_room.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"

namespace highwater {

namespace {

using Rooms = std::vector<LabelRoom>;

/// Computes the rooms column by column, following the header's definition.
Rooms slowRooms(const std::vector<BandSpan>& runs, int width, int height)
{
    Rooms rooms;
    for (std::size_t i = 0; i + static_cast<std::size_t>(width) <= runs.size(); ++i) {
        int from = runs[i].from;
        int to = runs[i].to;
        bool joined = true;
        for (std::size_t k = i + 1; k < i + static_cast<std::size_t>(width); ++k) {
            joined = joined && runs[k].column == runs[k - 1].column + 1;
            from = std::max(from, runs[k].from);
            to = std::min(to, runs[k].to);
        }
        if (joined && to - from >= height)
            rooms.push_back({runs[i].column, from, to});
    }
    return rooms;
}

} // namespace

TEST(LabelRooms, AreWhereTheRectangleLiesWhollyInsideTheBand)
{
    const std::vector<BandSpan> runs = {{0, 3, 0, 10}, {0, 4, 2, 9}, {0, 5, 2, 5}, {0, 6, 0, 10}};
    EXPECT_EQ(labelRooms(runs, 2, 7), (Rooms{{3, 2, 9}}));
    EXPECT_EQ(labelRooms(runs, 2, 3), (Rooms{{3, 2, 9}, {4, 2, 5}, {5, 2, 5}}));
}

TEST(LabelRooms, DoNotBridgeAColumnThatTheBandDoesNotReach)
{
    const std::vector<BandSpan> runs = {{0, 3, 0, 10}, {0, 5, 0, 10}};
    EXPECT_EQ(labelRooms(runs, 2, 1), Rooms());
    EXPECT_EQ(labelRooms(runs, 1, 1).size(), 2u);
}

TEST(LabelRooms, AreThoseOfASearchOfEveryColumn)
{
    test::Random random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<BandSpan> runs;
        int column = 0;
        for (std::int64_t i = 0; i < 60; ++i) {
            column += random.oneIn(9) ? 2 : 1;
            const int from = static_cast<int>(random.below(8));
            runs.push_back({0, column, from, from + 1 + static_cast<int>(random.below(12))});
        }
        for (const int width : {1, 2, 5, 13})
            for (const int height : {1, 4, 8})
                ASSERT_EQ(labelRooms(runs, width, height), slowRooms(runs, width, height));
    }
}

} // namespace highwater
