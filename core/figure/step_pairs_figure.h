#pragma once

#include <string>

#include "core/analysis/diff/matching/step_alignment.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/layout/step_bars.h"

namespace highwater {

/// The steps of two runs and how they were paired. The tables must be those from which `aligned` was made.
struct StepPairs
{
    const StepTable& before;
    const StepTable& after;
    const AlignedSteps& aligned;
    Quantity quantity = Quantity::Requested; ///< of both tables' bytes
};

/// Name of a pair: "step 3" if both steps have that name, or only one of them exists; "3 ↔ 5" if their names
/// differ only in the number at the end; else both names.
std::string stepPairLabel(const StepPairs& pairs, const StepPair& pair);
/// A short form: the numbers at the ends of the names, if they have one: "3", "3 ↔ 5".
std::string shortStepPairLabel(const StepPairs& pairs, const StepPair& pair);

/// One bar for each pair, or for several consecutive ones if there are more than `most` (≥ 1): it shows the
/// pair with the largest peak of all its steps. O(pairs).
std::vector<StepBar> stepPairBars(const StepPairs& pairs, std::size_t most);

/// The peak of each step, before (pale) and after (full) side by side; an unmatched step has one bar. The ids
/// of its shapes are indices in AlignedSteps::pairs, as are the places of `flags`.
Figure stepPairsFigure(
    const StepPairs& pairs, const FigureOptions& options, const std::vector<NoteFlag>& flags = {});

} // namespace highwater
