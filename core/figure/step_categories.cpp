#include "core/figure/step_categories.h"

#include <algorithm>
#include <string>

#include "core/analysis/composition/band_stack.h"
#include "core/figure/band_areas.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater {

namespace {

constexpr double kNarrowestWithKept = 480; ///< width from which the legend is in full

} // namespace

std::vector<StepPart> stepParts(const std::vector<Step>& steps, const StepPeaks& atPeaks)
{
    const auto highest
        = static_cast<std::size_t>(std::ranges::max_element(steps, {}, &Step::peakBytes) - steps.begin());
    std::vector<StepPart> parts;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        for (const bool isKept : {false, true})
            parts.push_back({static_cast<Category>(i), isKept});
    const auto tierOf
        = [](const StepPart& part) { return part.isKept ? BandTier::Kept : bandTier(part.category, false); };
    std::ranges::stable_sort(parts, [&](const StepPart& a, const StepPart& b) {
        if (tierOf(a) != tierOf(b))
            return tierOf(a) < tierOf(b);
        return bytesOfPart(atPeaks, highest, a) > bytesOfPart(atPeaks, highest, b);
    });
    return parts;
}

Bytes bytesOfCategory(const CategoryBytes& bytes, Category category)
{
    return bytes[static_cast<std::size_t>(category)];
}

Bytes bytesOfPart(const StepPeaks& atPeaks, std::size_t step, const StepPart& part)
{
    const Bytes kept = bytesOfCategory(atPeaks.kept[step], part.category);
    return part.isKept ? kept : bytesOfCategory(atPeaks.live[step], part.category) - kept;
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
    const StepPeaks& atPeaks, const std::vector<StepPart>& parts, std::size_t highestStep)
{
    std::vector<LegendEntry> legend;
    bool isHatched = false;
    Bytes kept = 0;
    const auto has = [](const std::vector<CategoryBytes>& steps, Category category) {
        return std::ranges::any_of(
            steps, [&](const auto& bytes) { return bytesOfCategory(bytes, category) > 0; });
    };
    for (const auto& [category, isKept] : parts) {
        if (isKept || !has(atPeaks.live, category))
            continue;
        const Bytes bytes = bytesOfCategory(atPeaks.live[highestStep], category);
        const Bytes keptInCategory = bytesOfCategory(atPeaks.kept[highestStep], category);
        legend.push_back(LegendEntry::area(titleOf(category, guessed[static_cast<std::size_t>(category)]),
            bytes, categoryColor(guessed, category).light));
        if (sheet.width() >= kNarrowestWithKept)
            legend.back().value = bytesWithKept(bytes, keptInCategory);
        isHatched = isHatched || has(atPeaks.kept, category);
        kept += keptInCategory;
    }
    if (isHatched)
        legend.push_back(hatchKey(kept));
    return legend;
}

} // namespace highwater
