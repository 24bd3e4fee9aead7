#include "core/analysis/logs/log_times.h"

#include <algorithm>

namespace highwater {

LogTimes::LogTimes(const Trace& trace)
{
    const auto addTime = [this](std::uint64_t line, Nanoseconds time) {
        if (line > 0 && time > 0)
            m_times.emplace_back(line, time);
    };
    for (const CounterSeries& series : trace.counters)
        for (std::size_t i = 0; i < series.points(); ++i)
            addTime(series.lineAt(i), series.timeAt(i));
    for (const LogEvent& event : trace.logEvents)
        addTime(event.line, event.time);
    std::ranges::sort(m_times);
    Nanoseconds latest = 0;
    std::erase_if(m_times, [&latest](const auto& entry) {
        const bool falls = entry.second < latest;
        latest = std::max(latest, entry.second);
        return falls;
    });
}

std::optional<Nanoseconds> LogTimes::timeOf(std::uint64_t line) const
{
    const auto after = std::ranges::upper_bound(m_times, line, {}, &Line::first);
    return after == m_times.begin() ? std::nullopt : std::optional(std::prev(after)->second);
}

std::optional<std::uint64_t> LogTimes::lineAt(Nanoseconds time) const
{
    const auto after = std::ranges::upper_bound(m_times, time, {}, &Line::second);
    return after == m_times.begin() ? std::nullopt : std::optional(std::prev(after)->first);
}

} // namespace highwater
