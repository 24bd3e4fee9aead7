#pragma once

#include <string>

#include "core/analysis/diff/matching/step_alignment.h"
#include "core/figure/layout/step_bars.h"
#include "core/figure/sheet/figure_sheet.h"
#include "core/figure/sheet/note_flag.h"

namespace highwater {

/// What is put beside each other: the steps of two runs, and how they were paired. The tables must be those
/// that `aligned` was made of.
struct StepPairs
{
    const StepTable& before;
    const StepTable& after;
    const AlignedSteps& aligned;
    Quantity quantity = Quantity::Requested; ///< of both tables' bytes
};

/// Name of a pair: "step 3" where both steps are called that, or where there is only one of them; "3 ↔ 5"
/// where their names differ in the number at the end alone; else both names.
std::string stepPairLabel(const StepPairs& pairs, const StepPair& pair);
/// The same in few letters: the numbers at the ends of the names, where they have one: "3", "3 ↔ 5".
std::string shortStepPairLabel(const StepPairs& pairs, const StepPair& pair);

/// One bar for each pair, or for several in a row where they are too many for `most` (≥ 1): it shows the pair
/// that the largest peak of all its steps is in. O(pairs).
std::vector<StepBar> stepPairBars(const StepPairs& pairs, std::size_t most);

/// The peak of each step, before (pale) and after (full) side by side; a step without a partner stands alone.
/// The ids of its shapes are indices in AlignedSteps::pairs, as are the places of `flags`.
Figure stepPairsFigure(
    const StepPairs& pairs, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater
