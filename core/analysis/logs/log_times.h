#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// The times at which the lines of a log were written, according to its series and messages. If times jump
/// back, as after a restart, lines are left out until the times reach the earlier ones again.
class LogTimes
{
public:
    LogTimes() = default;
    /// Costs O(n × log n) for n = points of all series + log events.
    explicit LogTimes(const Trace& trace);

    /// Returns the time of the last line at or before `line` that has a time; nothing if there is no such
    /// line. O(log n).
    std::optional<Nanoseconds> timeOf(std::uint64_t line) const;
    /// Returns the last line written at or before this time; nothing if there is none. O(log n).
    std::optional<std::uint64_t> lineAt(Nanoseconds time) const;

private:
    using Line = std::pair<std::uint64_t, Nanoseconds>;
    std::vector<Line> m_times; ///< ascending by line and by time
};

} // namespace highwater
