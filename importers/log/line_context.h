#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "importers/log/series/series_store.h"
#include "importers/log/text/log_time.h"

namespace highwater::logs {

/// Tracks which clock a file's times use: local time or UTC. The first time decides; times on the other clock
/// are ignored.
class ClockTracker
{
public:
    /// Returns the time, or 0 if it is on the other clock.
    Nanoseconds accept(const LineTime& time)
    {
        if (!m_isLocal)
            m_isLocal = time.isLocal;
        if (*m_isLocal != time.isLocal) {
            ++m_leftOut;
            return 0;
        }
        m_guessesYear = m_guessesYear || !time.hasYear;
        return time.time;
    }
    /// True if an accepted time was written without a year.
    bool hasGuessedYear() const { return m_guessesYear; }
    std::optional<bool> isLocal() const { return m_isLocal; }
    /// Returns the number of times on the other clock.
    std::int64_t leftOut() const { return m_leftOut; }

private:
    std::optional<bool> m_isLocal; ///< unset until the first time
    bool m_guessesYear = false;
    std::int64_t m_leftOut = 0;
};

/// A line and the content of its prefixes, with colour codes removed.
struct LineContext
{
    std::string_view whole; ///< with its prefixes
    std::string_view text; ///< without its prefixes
    std::string_view previous; ///< the last line that is not blank, with its prefixes, cut to 500 bytes
    std::uint64_t line = 0;
    Writer writer;
};

} // namespace highwater::logs
