#include "core/figure/step_categories.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/figure/band_areas.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater {

namespace {

constexpr double kNarrowestWithKept = 480; ///< width from which the legend is in full

} // namespace

std::array<Category, kCategoryCount> orderedCategories(const std::vector<CategoryBytes>& bytes)
{
    CategoryBytes sums{};
    for (const CategoryBytes& step : bytes)
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            sums[i] += step[i];
    return stackingOrder(sums);
}

Bytes bytesOfCategory(const CategoryBytes& bytes, Category category)
{
    return bytes[static_cast<std::size_t>(category)];
}

FigureColor keptCategoryColor(const GuessedCategories& guessed, Category category)
{
    return bandColor({category, 0, guessed[static_cast<std::size_t>(category)], true}).light;
}

std::vector<LegendEntry> stepLineKey(const FigureSheet& sheet, bool isOfSeveralSteps)
{
    return {{.label = isOfSeveralSteps                    ? "median peak"
                    : sheet.width() >= kNarrowestWithKept ? "at the step's start"
                                                          : "at its start",
                .color = sheet.palette().quietText,
                .isLine = true,
                .dashed = true},
        {.label = "at its end", .color = sheet.palette().text, .isLine = true}};
}

std::vector<LegendEntry> stepLegend(const FigureSheet& sheet, const GuessedCategories& guessed,
    const StepPeaks& atPeaks, std::size_t highestStep, bool isOfSeveralSteps)
{
    std::vector<LegendEntry> legend;
    bool isHatched = false;
    Bytes kept = 0;
    const auto has = [](const std::vector<CategoryBytes>& steps, Category category) {
        return std::ranges::any_of(
            steps, [&](const auto& bytes) { return bytesOfCategory(bytes, category) > 0; });
    };
    for (const Category category : orderedCategories(atPeaks.live)) {
        if (!has(atPeaks.live, category))
            continue;
        const Bytes bytes = bytesOfCategory(atPeaks.live[highestStep], category);
        const Bytes ofIt = bytesOfCategory(atPeaks.kept[highestStep], category);
        legend.push_back(
            LegendEntry::area(std::string(titleOf(category)), bytes, categoryColor(guessed, category).light));
        if (sheet.width() >= kNarrowestWithKept)
            legend.back().value = bytesWithKept(bytes, ofIt);
        isHatched = isHatched || has(atPeaks.kept, category);
        kept += ofIt;
    }
    if (isHatched)
        legend.push_back(hatchKey(kept));
    std::ranges::copy(stepLineKey(sheet, isOfSeveralSteps), std::back_inserter(legend));
    return sheet.fittingLegend(std::move(legend));
}

} // namespace highwater
