#include "importers/log/text/log_time.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <re2/re2.h>

#include "core/base/characters.h"
#include "core/base/text_parts.h"
#include "importers/log/text/match_view.h"
#include "importers/log/text/written_figures.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kSearchedBytes = 160;
/// Most bytes of a time before the clock's first digit: "Wed, 2024-05-01T".
constexpr std::size_t kBytesBeforeClock = 28;
constexpr std::size_t kBytesFromClock = 32;
constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kDay = 86'400 * kSecond;
constexpr std::int64_t kEarliestYear = 1990;
constexpr std::int64_t kLatestYear = 2200;

/// Finds the first "12:34:56", which all time formats contain and which is cheap to look for.
std::size_t findClock(std::string_view text)
{
    for (std::size_t i = text.find(':'); i != std::string_view::npos; i = text.find(':', i + 1))
        if (i >= 2 && i + 5 < text.size() && text[i + 3] == ':' && isDigit(text[i - 2])
            && isDigit(text[i - 1]) && isDigit(text[i + 1]) && isDigit(text[i + 2]) && isDigit(text[i + 4])
            && isDigit(text[i + 5]))
            return i - 2;
    return std::string_view::npos;
}

/// The named groups of a time format.
class TimeGroups
{
public:
    TimeGroups(const re2::RE2& shape, std::string_view text)
        : m_names(shape.NamedCapturingGroups())
    {
        const int count = std::min(shape.NumberOfCapturingGroups() + 1, static_cast<int>(m_groups.size()));
        m_matched = shape.Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, m_groups.data(), count);
    }
    bool isMatch() const { return m_matched; }
    std::string_view text(const char* name) const
    {
        const auto found = m_names.find(name);
        if (found == m_names.end() || found->second >= static_cast<int>(m_groups.size()))
            return {};
        const re2::StringPiece group = m_groups[static_cast<std::size_t>(found->second)];
        return {group.data(), group.size()};
    }
    std::optional<std::int64_t> number(const char* name) const { return parseWhole(trimmed(text(name))); }

private:
    const std::map<std::string, int>& m_names;
    std::array<re2::StringPiece, 12> m_groups;
    bool m_matched = false;
};

/// Parses "05" or "May"; the number may be out of range.
std::optional<unsigned> monthOf(std::string_view text)
{
    constexpr std::string_view kNames = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (const std::optional<std::int64_t> number = parseWhole(text))
        return static_cast<unsigned>(*number);
    const std::size_t found = text.size() == 3 ? kNames.find(text) : std::string_view::npos;
    return found == std::string_view::npos ? std::nullopt
                                           : std::optional(static_cast<unsigned>(found / 3 + 1));
}

/// Converts the digits after the decimal point of a second.
Nanoseconds fractionOf(std::string_view digits)
{
    Nanoseconds fraction = 0;
    for (std::size_t i = 0; i < 9; ++i)
        fraction = fraction * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    return fraction;
}

/// Returns how far a zone such as "+02:00" or "-0530" is ahead of UTC.
Nanoseconds zoneOffset(std::string_view zone)
{
    if (zone == "Z")
        return 0;
    const auto twoDigits = [&](std::size_t i) { return parseWhole(zone.substr(i, 2)).value_or(0); };
    const Nanoseconds minutes = twoDigits(1) * 60 + twoDigits(zone.size() - 2);
    return (zone[0] == '-' ? -minutes : minutes) * 60 * kSecond;
}

} // namespace

std::optional<Nanoseconds> dayBegin(std::int64_t year, unsigned month, unsigned day)
{
    using namespace std::chrono;
    const year_month_day date{
        std::chrono::year(static_cast<int>(year)), std::chrono::month(month), std::chrono::day(day)};
    if (year < kEarliestYear || year > kLatestYear || !date.ok())
        return std::nullopt;
    return sys_days(date).time_since_epoch().count() * kDay;
}

std::optional<LineTime> unixTime(double seconds)
{
    constexpr double kEarliest = 6e8; // 1989
    constexpr double kLatest = 7e9; // 2191
    if (!(seconds > kEarliest && seconds < kLatest))
        return std::nullopt;
    const double wholeSeconds = std::floor(seconds);
    return LineTime{
        static_cast<Nanoseconds>(wholeSeconds) * kSecond + std::llround((seconds - wholeSeconds) * 1e9),
        false};
}

TimeFinder::TimeFinder(std::vector<std::shared_ptr<const re2::RE2>> shapes, Nanoseconds fileTime)
    : m_shapes(std::move(shapes))
    , m_fileTime(fileTime)
{
}

std::optional<LineTime> TimeFinder::find(std::string_view line)
{
    line = line.substr(0, kSearchedBytes);
    const std::size_t clock = findClock(line);
    if (clock == std::string_view::npos)
        return std::nullopt;
    const std::size_t begin = clock > kBytesBeforeClock ? clock - kBytesBeforeClock : 0;
    const std::string_view text = line.substr(begin, clock - begin + kBytesFromClock);
    if (text != m_lastText) {
        m_lastText = text;
        m_lastTime = parse(text);
    }
    return m_lastTime;
}

/// Returns the time in the latest year that puts it at most a day after the file's own time.
std::optional<Nanoseconds> TimeFinder::inLatestYear(unsigned month, unsigned day, Nanoseconds timeOfDay) const
{
    if (m_fileTime <= 0)
        return std::nullopt;
    const std::int64_t latestYear = 1970 + m_fileTime / (365 * kDay) + 1;
    // 29 February may be up to eight years ago.
    for (std::int64_t year = latestYear; year > latestYear - 10; --year)
        if (const std::optional<Nanoseconds> date = dayBegin(year, month, day))
            if (*date + timeOfDay <= m_fileTime + kDay) // local times run up to a day ahead of UTC
                return *date + timeOfDay;
    return std::nullopt;
}

std::optional<LineTime> TimeFinder::parse(std::string_view text) const
{
    for (const auto& shape : m_shapes) {
        const TimeGroups groups(*shape, text);
        if (!groups.isMatch())
            continue;
        const std::optional<unsigned> month = monthOf(groups.text("month"));
        const std::int64_t hour = groups.number("hour").value_or(99);
        const std::int64_t minute = groups.number("minute").value_or(99);
        const std::int64_t second = groups.number("second").value_or(99);
        if (!month || hour > 23 || minute > 59 || second > 60)
            continue;
        const Nanoseconds timeOfDay
            = ((hour * 60 + minute) * 60 + second) * kSecond + fractionOf(groups.text("fraction"));
        const auto day = static_cast<unsigned>(groups.number("day").value_or(0));
        const std::optional<std::int64_t> year = groups.number("year");
        const std::optional<Nanoseconds> date = year ? dayBegin(*year, *month, day) : std::nullopt;
        const std::optional<Nanoseconds> time = year
            ? (date ? std::optional(*date + timeOfDay) : std::nullopt)
            : inLatestYear(*month, day, timeOfDay);
        if (!time)
            continue;
        const std::string_view zone = groups.text("zone");
        return LineTime{*time - (zone.empty() ? 0 : zoneOffset(zone)), zone.empty(), year.has_value()};
    }
    return std::nullopt;
}

} // namespace highwater::logs
