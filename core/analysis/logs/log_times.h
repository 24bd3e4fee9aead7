#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// When the lines of a log were written, as far as its series and messages tell. Where a log jumps back in
/// time, as after a restart, what it jumped back to is left out.
class LogTimes
{
public:
    LogTimes() = default;
    /// O(points × log points).
    explicit LogTimes(const Trace& trace);

    /// Of the nearest line at or before it of which the time is known; none: no such line. O(log points).
    std::optional<Nanoseconds> timeOf(std::uint64_t line) const;
    /// The last line that was written by this time. O(log points).
    std::optional<std::uint64_t> lineAt(Nanoseconds time) const;

private:
    std::vector<std::pair<std::uint64_t, Nanoseconds>> m_times; ///< by line, and by time
};

} // namespace highwater
