#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Returns the number of rows if a block of this size holds rows of `vocabulary` 16-bit elements. nullopt
/// unless it is an integer of at least 16. `isRounded` means that the size was rounded up to a multiple of
/// 512, as in profiler traces.
std::optional<std::int64_t> positionCount(Bytes size, std::int64_t vocabulary, bool isRounded);

/// The possible shapes of logits of a given size.
struct LogitsShape
{
    std::string text; ///< "fp32 logits, B=8, T=174, vocabulary 50,257"; without what is ambiguous
    std::string arithmetic; ///< how the size becomes tokens, or which copies show the type; may be empty
};

/// Describes the shape of logits of a given size. Element type, B and T are taken from the run's settings if
/// batch and length fit. Otherwise the type is derived from an upcast: `hasDouble` and `hasHalf` mean that
/// copies of twice or half the size are alive.
LogitsShape logitsShape(const DetectorInput& input, Bytes size, std::int64_t vocabulary, bool isRounded,
    bool hasDouble, bool hasHalf);

} // namespace highwater
