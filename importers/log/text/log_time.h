#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace re2 {
class RE2;
}

namespace highwater::logs {

/// A time found in a line.
struct LineTime
{
    Nanoseconds time = 0; ///< since the Unix epoch; of local times: read as if they were UTC
    bool isLocal = true; ///< no zone is written
    bool hasYear = true; ///< false: it is a guess
};

/// Finds times in lines, in the shapes of the pattern table.
class LogTimes
{
public:
    /// Shapes with the groups year, month, day, hour, minute, second, fraction, zone; a year that is not
    /// written is the last one in which the time is not after `fileTime` (ns since the Unix epoch; 0: not
    /// known, then such times are left out).
    LogTimes(std::vector<std::shared_ptr<const re2::RE2>> shapes, Nanoseconds fileTime);

    /// The first time in the line's first 160 bytes.
    std::optional<LineTime> find(std::string_view line);

private:
    std::optional<LineTime> parse(std::string_view text) const;
    std::optional<Nanoseconds> inSomeYear(unsigned month, unsigned day, Nanoseconds ofDay) const;

    std::vector<std::shared_ptr<const re2::RE2>> m_shapes;
    Nanoseconds m_fileTime;
    std::string m_lastText; ///< many lines show the time of the one before
    std::optional<LineTime> m_last;
};

/// Converts seconds since the Unix epoch; none if they are not plausible.
std::optional<LineTime> unixTime(double seconds);

/// Nanoseconds from the Unix epoch to the beginning of that day (proleptic Gregorian calendar); none where
/// there is no such day.
std::optional<Nanoseconds> dayBegin(std::int64_t year, unsigned month, unsigned day);

} // namespace highwater::logs
