#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// How many rows of `vocabulary` elements of 16 bits a size is, whole and at least 16; none: it is not.
/// `rounded`: the size was rounded up to a multiple of 512, as profiler traces have it.
std::optional<std::int64_t> positionsOf(Bytes size, std::int64_t vocabulary, bool rounded);

/// What a size says of the shape of logits.
struct LogitsShape
{
    std::string text; ///< "fp32 logits, B=8, T=174, V=50,257"; where that is open, what is known
    std::vector<std::string> rivals; ///< what else fits, a sentence each
};

/// The element's type and B and T from the run's settings (batch and length), the type else from copies of
/// twice or half the size (`hasDouble`, `hasHalf`: an upcast); what stays open is listed.
LogitsShape logitsShape(const DetectorInput& input, Bytes size, std::int64_t vocabulary, bool rounded,
    bool hasDouble, bool hasHalf);

} // namespace highwater
