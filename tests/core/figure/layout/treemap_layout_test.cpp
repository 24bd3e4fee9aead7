#include "core/figure/layout/treemap_layout.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"

namespace highwater {

namespace {

std::vector<Bytes> randomWeights(std::uint32_t seed, std::int64_t count)
{
    test::Random random(seed);
    std::vector<Bytes> weights;
    for (std::int64_t i = 0; i < count; ++i)
        weights.push_back(1 + random.below(random.oneIn(5) ? 100000 : 100));
    std::sort(weights.begin(), weights.end(), std::greater());
    return weights;
}

bool overlap(const Rectangle& a, const Rectangle& b)
{
    constexpr double slack = 1e-6;
    return a.x + a.width > b.x + slack && b.x + b.width > a.x + slack && a.y + a.height > b.y + slack
        && b.y + b.height > a.y + slack;
}

} // namespace

TEST(Squarify, LaysOutTheExampleOfItsPaper)
{
    const std::vector<Bytes> weights{6, 6, 4, 3, 2, 2, 1};
    const std::vector<Rectangle> places = squarify(weights, {0, 0, 6, 4});
    EXPECT_DOUBLE_EQ(places[0].width, 3);
    EXPECT_DOUBLE_EQ(places[0].height, 2);
    EXPECT_DOUBLE_EQ(places[1].y, 2);
    EXPECT_DOUBLE_EQ(places[2].x, 3);
    EXPECT_NEAR(places[2].width, 12.0 / 7, 1e-9);
}

TEST(Squarify, TilesTheAreaInProportion)
{
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const std::vector<Bytes> weights = randomWeights(seed, 60);
        const Rectangle area{10, 20, 640, 300};
        const std::vector<Rectangle> places = squarify(weights, area);
        ASSERT_EQ(places.size(), weights.size());
        double total = 0;
        for (const Bytes weight : weights)
            total += static_cast<double>(weight);
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_NEAR(places[i].area(), area.area() * static_cast<double>(weights[i]) / total, 1e-3);
            EXPECT_GE(places[i].x, area.x - 1e-6);
            EXPECT_LE(places[i].y + places[i].height, area.y + area.height + 1e-6);
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_FALSE(overlap(places[i], places[k]));
        }
    }
}

TEST(Squarify, GivesNothingNoRoom)
{
    EXPECT_TRUE(squarify({}, {0, 0, 10, 10}).empty());
    const std::vector<Rectangle> places = squarify(std::vector<Bytes>{5, 0, 0}, {0, 0, 10, 10});
    ASSERT_EQ(places.size(), 3u);
    EXPECT_EQ(places[0].area(), 100);
    EXPECT_EQ(places[1].area(), 0);
    EXPECT_EQ(squarify(std::vector<Bytes>{5}, {0, 0, 0, 10}).at(0).area(), 0);
}

TEST(TreemapLayout, TilesSumToTheirGroups)
{
    std::vector<TreemapGroup> groups;
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        TreemapGroup group;
        group.parts = randomWeights(seed, 200);
        for (const Bytes part : group.parts)
            group.bytes += part;
        groups.push_back(group);
    }
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    const TreemapLayout layout = treemapLayout(groups, {0, 0, 200, 150}, 14, 20);
    std::vector<Bytes> sums(groups.size());
    std::vector<std::uint32_t> parts(groups.size());
    for (const TreemapTile& tile : layout.tiles) {
        sums[tile.group] += tile.bytes;
        parts[tile.group] += tile.partCount;
        const Rectangle& group = layout.groups[tile.group];
        EXPECT_GE(tile.place.x, group.x - 1e-6);
        EXPECT_LE(tile.place.y + tile.place.height, group.y + group.height + 1e-6);
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        EXPECT_EQ(sums[i], groups[i].bytes);
        EXPECT_EQ(parts[i], groups[i].parts.size());
    }
    EXPECT_LT(layout.tiles.size(), 1600u);
}

} // namespace highwater
