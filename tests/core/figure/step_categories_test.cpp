#include "core/figure/step_categories.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr auto indexOf = [](Category category) { return static_cast<std::size_t>(category); };

} // namespace

TEST(StepCategories, StacksKeptMemoryInOneLayerAboveTheParameters)
{
    StepPeaks peaks{{CategoryBytes{}}, {CategoryBytes{}}};
    peaks.live[0][indexOf(Category::Temporary)] = 1;
    peaks.live[0][indexOf(Category::Input)] = 2;
    peaks.live[0][indexOf(Category::KvCache)] = 4;
    peaks.live[0][indexOf(Category::Activation)] = 15;
    peaks.live[0][indexOf(Category::Parameter)] = 1;
    peaks.kept[0][indexOf(Category::Input)] = 1;
    peaks.kept[0][indexOf(Category::Activation)] = 13;
    std::vector<std::pair<Category, bool>> stacked;
    for (const StepPart& part : stepParts(std::vector<Step>(1), peaks))
        if (bytesOfPart(peaks, 0, part) > 0)
            stacked.emplace_back(part.category, part.isKept);
    const std::vector<std::pair<Category, bool>> expected{{Category::Parameter, false},
        {Category::Activation, true}, {Category::Input, true}, {Category::KvCache, false},
        {Category::Activation, false}, {Category::Input, false}, {Category::Temporary, false}};
    EXPECT_EQ(stacked, expected);
}

TEST(StepCategories, OrdersThePartsByTheHighestStep)
{
    std::vector<Step> steps(2);
    steps[0].peakBytes = 3;
    steps[1].peakBytes = 9;
    StepPeaks peaks{{CategoryBytes{}, CategoryBytes{}}, {CategoryBytes{}, CategoryBytes{}}};
    peaks.live[0][indexOf(Category::Input)] = 3;
    peaks.live[1][indexOf(Category::Activation)] = 8;
    peaks.live[1][indexOf(Category::Input)] = 1;
    const std::vector<StepPart> parts = stepParts(steps, peaks);
    const auto placeOf = [&](Category category) {
        return std::ranges::find_if(
            parts, [&](const StepPart& part) { return !part.isKept && part.category == category; });
    };
    EXPECT_LT(placeOf(Category::Activation), placeOf(Category::Input));
}

} // namespace highwater
