#pragma once

#include <string>
#include <vector>

#include "core/base/units.h"

namespace highwater {

/// Ticks of an axis: ascending positions and their labels. Never scientific notation.
struct Ticks
{
    std::vector<double> at;
    std::vector<std::string> labels; ///< parallel to `at`, each with its unit
};

/// Of bytes from 0 to `top`: at 1, 2 or 5 times a power of ten of a binary unit, or at quarters and halves of
/// the next one ("256 MiB", "1.5 GiB"); about `wanted` of them, at least one above 0 if `top` > 0.
Ticks byteTicks(Bytes top, int wanted);

/// Of whole numbers in [begin, end]: at 1, 2 or 5 times a power of ten, thousands separated.
Ticks countTicks(std::int64_t begin, std::int64_t end, int wanted);

/// Of times in [begin, end] since some origin, all in one unit: "1.25 s".
Ticks durationTicks(Nanoseconds begin, Nanoseconds end, int wanted);

} // namespace highwater
