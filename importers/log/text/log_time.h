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
    Nanoseconds time = 0; ///< since the Unix epoch; local times are read as if they were UTC
    bool isLocal = true; ///< true if no zone is written
    bool hasYear = true; ///< false if the year is a guess
};

/// Finds times in lines, in the shapes of the pattern table.
class TimeFinder
{
public:
    /// Shapes are expressions with the groups year, month, day, hour, minute, second, fraction, zone. A time
    /// without a year gets the latest year that puts it at most a day after `fileTime` (ns since the Unix
    /// epoch), because local times run ahead of UTC. If `fileTime` is 0 (unknown), such times are ignored.
    TimeFinder(std::vector<std::shared_ptr<const re2::RE2>> shapes, Nanoseconds fileTime);

    /// Finds the time that contains the first clock ("12:34:56") in the line's first 160 bytes; nullopt if
    /// there is no clock, or no time in one of the shapes.
    std::optional<LineTime> find(std::string_view line);

private:
    std::optional<LineTime> parse(std::string_view text) const;
    std::optional<Nanoseconds> inLatestYear(unsigned month, unsigned day, Nanoseconds timeOfDay) const;

    std::vector<std::shared_ptr<const re2::RE2>> m_shapes;
    Nanoseconds m_fileTime;
    std::string m_lastText; ///< cached, because many lines have the same time as the previous one
    std::optional<LineTime> m_lastTime;
};

/// Converts seconds since the Unix epoch; returns nothing before 1989 and after 2191.
std::optional<LineTime> unixTime(double seconds);

/// Returns the nanoseconds from the Unix epoch to the beginning of a day (proleptic Gregorian calendar);
/// nothing if the day does not exist, or is not in the years 1990 to 2200.
std::optional<Nanoseconds> dayBegin(std::int64_t year, unsigned month, unsigned day);

} // namespace highwater::logs
