#pragma once

#include <string>
#include <vector>

namespace highwater {

struct AxisMark;

/// Returns the smallest number of at least `wanted` (> 0) that is 1, 2 or 5 times a power of ten.
double roundStep(double wanted);

/// Ticks of an axis: positions and their labels, never in scientific notation.
struct Ticks
{
    std::vector<double> positions; ///< Ascending
    std::vector<std::string> labels; ///< Parallel to `positions`, each with its unit if it has one
};

// The functions below return at most about `wanted` ticks (≥ 1) in [begin, end].

/// Returns ticks for bytes: at 1, 2 or 5 times a power of ten of a binary unit, or at quarters and halves of
/// the next one ("256 MiB", "1.5 GiB"). All labels have one unit.
Ticks byteTicks(double begin, double end, int wanted);

/// Returns ticks for whole numbers: at 1, 2 or 5 times a power of ten, with commas between thousands. Values
/// below 0, before the first event, are labelled "start".
Ticks countTicks(double begin, double end, int wanted);

/// Returns ticks for nanoseconds since some origin, none before it, all in one unit: "+1.25 s". From a minute
/// on they are clock times: "+1:15 min", "+1:02:30 h", or whole minutes or hours if the steps are: "+1 h 15
/// min".
Ticks durationTicks(double begin, double end, int wanted);

/// Returns ticks at marks, labelled with their names ("step 3"). Marks ascend, and the last mark extends to
/// `last`. If many are in view, only those whose numbers are multiples of a round number have ticks. If fewer
/// than two marks are in view, ticks are at round percentages of the mark that fills the view: "step 3 ·
/// 40%".
Ticks markTicks(const std::vector<AxisMark>& marks, double last, double begin, double end, int wanted);

} // namespace highwater
