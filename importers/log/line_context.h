#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "importers/log/series/series_store.h"
#include "importers/log/text/log_time.h"

namespace highwater::logs {

/// On which clock the times of a file are: the first one decides, others are left out.
class ClockTracker
{
public:
    /// 0 where the time is on the other clock.
    Nanoseconds accept(const LineTime& time)
    {
        if (!m_isLocal)
            m_isLocal = time.isLocal;
        if (*m_isLocal != time.isLocal) {
            ++m_leftOut;
            return 0;
        }
        return time.time;
    }
    std::optional<bool> isLocal() const { return m_isLocal; }
    std::int64_t leftOut() const { return m_leftOut; }

private:
    std::optional<bool> m_isLocal; ///< none: no time was seen
    std::int64_t m_leftOut = 0;
};

/// A line with what its prefixes say. Colours are already taken off.
struct LineContext
{
    std::string_view whole; ///< prefixes included
    std::string_view text; ///< behind the prefixes
    std::string_view previous; ///< the line before, whole
    std::uint64_t line = 0;
    Writer writer;
};

} // namespace highwater::logs
