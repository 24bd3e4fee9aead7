#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// What a diagnosis could look at: without any of it nothing is clean.
enum class ExaminedKind : std::uint8_t
{
    Allocations, ///< single ones, over time
    Segments, ///< the allocator's state at one moment, without a history
    Series, ///< sampled figures of GPU memory
    Messages, ///< failures and warnings of logs
};
/// "allocations", "segments", "series", "messages".
std::string_view toText(ExaminedKind kind);

struct Examined
{
    ExaminedKind what = ExaminedKind::Allocations;
    std::int64_t count = 0;
    std::optional<std::int64_t> steps = {}; ///< that they span; none: steps are not known
    std::int64_t points = 0; ///< of the longest series

    bool operator==(const Examined&) const = default;
};

/// "19,464 allocations over 12 steps and 3 series of GPU memory (120 points)".
std::string examinedText(const std::vector<Examined>& examined);

} // namespace highwater
