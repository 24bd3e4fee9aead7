#pragma once

#include <array>
#include <vector>

#include "core/analysis/composition/step_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"

/// The categories in the bars of a chart of steps, and the key of its lines.
namespace highwater {

/// Orders categories by their bytes over all steps, so that no bar changes while the view moves.
std::array<Category, kCategoryCount> orderedCategories(const std::vector<CategoryBytes>& bytes);

Bytes bytesOfCategory(const CategoryBytes& bytes, Category category);

/// Returns the colour of the part of a category that is kept from earlier steps.
FigureColor keptCategoryColor(const GuessedCategories& guessed, Category category);

/// Returns the key of the lines over the bars. Bars that are each of several steps have a line of medians.
std::vector<LegendEntry> stepLineKey(const FigureSheet& sheet, bool isOfSeveralSteps);

/// Returns the entries of the categories, with their bytes at the peak of `highestStep`, of the hatching, and
/// of the lines, as far as they fit.
std::vector<LegendEntry> stepLegend(const FigureSheet& sheet, const GuessedCategories& guessed,
    const StepPeaks& atPeaks, std::size_t highestStep, bool isOfSeveralSteps);

} // namespace highwater
