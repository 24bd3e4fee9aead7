#pragma once

#include <string>

#include "core/analysis/diff/matching/step_alignment.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/layout/step_bars.h"

namespace highwater {

/// The steps of two runs and their pairing. The tables must be those from which `aligned` was made.
struct StepPairs
{
    const StepTable& before;
    const StepTable& after;
    const AlignedSteps& aligned;
    Quantity quantity = Quantity::Requested; ///< Quantity of both tables' bytes
};

/// Returns the name of a pair: "step 3" if both steps have that name, or only one of them exists; "3 ↔ 5" if
/// their names differ only in the number at the end; else both names.
std::string stepPairLabel(const StepPairs& pairs, const StepPair& pair);
/// Returns a short form with only the numbers at the ends of the names, if they have one: "3", "3 ↔ 5".
std::string shortStepPairLabel(const StepPairs& pairs, const StepPair& pair);

/// Returns one bar per pair, or per several consecutive pairs if there are more than `most` (≥ 1): the bar
/// shows the pair with the largest peak. Memory before the first and after the last step has no bar, unless
/// it has the highest peak. O(pairs).
std::vector<StepBar> stepPairBars(const StepPairs& pairs, std::size_t most);

/// Draws the peak of each step, before (pale) and after (full) side by side; an unmatched step has one bar.
/// The ids of the shapes and the positions of `flags` are indices into AlignedSteps::pairs. O(pairs).
Figure stepPairsFigure(
    const StepPairs& pairs, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater
