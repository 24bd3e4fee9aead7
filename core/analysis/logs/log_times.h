#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// When the lines of a log were written, according to its series and messages. Where times in a log jump
/// back, as after a restart, the lines with the repeated times are left out.
class LogTimes
{
public:
    LogTimes() = default;
    /// O(points × log points).
    explicit LogTimes(const Trace& trace);

    /// Time of the nearest line at or before it that has one; none: no such line. O(log points).
    std::optional<Nanoseconds> timeOf(std::uint64_t line) const;
    /// The last line written at or before this time. O(log points).
    std::optional<std::uint64_t> lineAt(Nanoseconds time) const;

private:
    using Line = std::pair<std::uint64_t, Nanoseconds>;
    std::vector<Line> m_times; ///< by line, and by time
};

} // namespace highwater
