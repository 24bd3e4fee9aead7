#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Returns how many rows of `vocabulary` 16-bit elements a size is; nullopt unless that is an integer of at
/// least 16. `rounded` means that the size was rounded up to a multiple of 512, as in profiler traces.
std::optional<std::int64_t> positionsOf(Bytes size, std::int64_t vocabulary, bool rounded);

/// The possible shapes of logits of a given size.
struct LogitsShape
{
    std::string text; ///< "fp32 logits, B=8, T=174, V=50,257"; only the known part if the rest is ambiguous
    std::vector<std::string> rivals; ///< other shapes that fit, a sentence each
};

/// Derives the element type, B and T from the run's settings (batch and length); otherwise derives the type
/// from copies of twice or half the size (`hasDouble`, `hasHalf`: an upcast). Lists the shapes that remain
/// possible.
LogitsShape logitsShape(const DetectorInput& input, Bytes size, std::int64_t vocabulary, bool rounded,
    bool hasDouble, bool hasHalf);

} // namespace highwater
