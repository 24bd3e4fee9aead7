#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater {

/// The kinds of data that a diagnosis can examine. A run without any such data does not count as clean.
enum class ExaminedKind : std::uint8_t
{
    Allocations, ///< single allocations, over time
    Segments, ///< the allocator's state at one moment, without a history
    Series, ///< sampled figures of GPU memory
    Messages, ///< failures and warnings of logs, except those about settings
};
/// Returns "allocations", "segments", "series" or "messages".
std::string_view toText(ExaminedKind kind);

/// The amount of one kind of data that a diagnosis examined.
struct Examined
{
    ExaminedKind what = ExaminedKind::Allocations;
    std::int64_t count = 0;
    std::optional<std::int64_t> steps = {}; ///< number of steps in the data; nullopt if unknown
    std::int64_t points = 0; ///< points of the longest series

    bool operator==(const Examined&) const = default;
};

/// Returns "19,464 allocations over 12 steps and 3 series of GPU memory (up to 120
/// points at 12 steps)".
std::string examinedText(const std::vector<Examined>& examined);

} // namespace highwater
