#pragma once

#include <cstddef>
#include <vector>

#include "core/analysis/composition/step_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/figure/drawing/figure_sheet.h"

/// The categories in the bars of a chart of steps, and the key of its lines.
namespace highwater {

/// A part of a bar: what is kept from earlier steps of a category, or the rest of it.
struct StepPart
{
    Category category = Category::Unknown;
    bool isKept = false;
};

/// Returns the parts of all bars from the bottom, in the order in which `stackBands` stacks them: kept memory
/// above parameters, optimizer state and gradients, in each layer the largest at the peak of the run lowest.
std::vector<StepPart> stepParts(const std::vector<Step>& steps, const StepPeaks& atPeaks);

Bytes bytesOfCategory(const CategoryBytes& bytes, Category category);
Bytes bytesOfPart(const StepPeaks& atPeaks, std::size_t step, const StepPart& part);

/// Returns the colour of the part of a category that is kept from earlier steps.
FigureColor keptCategoryColor(const GuessedCategories& guessed, Category category);

/// Returns the key of the lines over the bars. Bars that are each of several steps have a line of medians.
std::vector<LegendEntry> stepLineKey(const FigureSheet& sheet, bool isOfSeveralSteps);

/// Returns the entries of the categories in the order of `parts`, with their bytes at the peak of
/// `highestStep`, and of the hatching.
std::vector<LegendEntry> stepLegend(const FigureSheet& sheet, const GuessedCategories& guessed,
    const StepPeaks& atPeaks, const std::vector<StepPart>& parts, std::size_t highestStep);

} // namespace highwater
