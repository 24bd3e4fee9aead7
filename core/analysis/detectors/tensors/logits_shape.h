#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// How many rows of `vocabulary` 16-bit elements a size is; none unless that is an integer of at least 16.
/// `rounded`: the size was rounded up to a multiple of 512, as in profiler traces.
std::optional<std::int64_t> positionsOf(Bytes size, std::int64_t vocabulary, bool rounded);

/// What a size says about the shape of logits.
struct LogitsShape
{
    std::string text; ///< "fp32 logits, B=8, T=174, V=50,257"; the part that is known where the rest is open
    std::vector<std::string> rivals; ///< other shapes that fit, a sentence each
};

/// The element's type and B and T from the run's settings (batch and length), the type else from copies of
/// twice or half the size (`hasDouble`, `hasHalf`: an upcast); what stays open is listed.
LogitsShape logitsShape(const DetectorInput& input, Bytes size, std::int64_t vocabulary, bool rounded,
    bool hasDouble, bool hasHalf);

} // namespace highwater
