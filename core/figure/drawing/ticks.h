#pragma once

#include <string>
#include <vector>

namespace highwater {

struct AxisMark;

/// Ticks of an axis: ascending positions and their labels. Never scientific notation.
struct Ticks
{
    std::vector<double> at;
    std::vector<std::string> labels; ///< parallel to `at`, each with its unit
};

/// About `wanted` ticks (≥ 1) in [begin, end].

/// Of bytes: at 1, 2 or 5 times a power of ten of a binary unit, or at quarters and halves of the next one
/// ("256 MiB", "1.5 GiB").
Ticks byteTicks(double begin, double end, int wanted);

/// Of whole numbers: at 1, 2 or 5 times a power of ten, thousands separated. Below 0, before the first of
/// them, is the "start".
Ticks countTicks(double begin, double end, int wanted);

/// Of nanoseconds since some origin, all in one unit: "+1.25 s". From a minute on as a clock has them:
/// "+1:15 min", "+1:02:30 h", and in whole minutes or hours where the steps are: "+1 h 15 min".
Ticks durationTicks(double begin, double end, int wanted);

/// At the names of places ("step 3"), which ascend and of which the last one reaches to `last`; where fewer
/// than two of them are in view, at round shares of the one that fills it: "step 3 · 40%".
Ticks markTicks(const std::vector<AxisMark>& marks, double last, double begin, double end, int wanted);

} // namespace highwater
