#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/hash.h"
#include "importers/log/patterns/pattern_table.h"
#include "importers/log/series/series_store.h"

namespace highwater::logs {

/// Tracks the current step of each writer of a log.
class StepTracker
{
public:
    explicit StepTracker(const PatternTable& table)
        : m_table(table)
    {
    }

    /// Registers a record that states its step.
    void record(const Writer& writer, std::int64_t step, std::uint64_t line);
    /// Registers a line that may be a progress bar, which is parsed only when needed.
    void setProgressBar(std::string_view text, std::uint64_t line);

    /// Returns the step for a record that does not state one: the step of the last progress bar or of the
    /// last record, whichever is later. The last record is the writer's own, or any writer's if it has none.
    /// Returns kNoStep and None if there is neither.
    std::pair<std::int64_t, StepNumbering> find(const Writer& writer);
    /// Returns the line of the writer's last record with a step; 0 if there is none.
    std::uint64_t lastLine(const Writer& writer) const;
    /// Returns the highest step in the writer's records; kNoStep if there is none.
    std::int64_t highestStep(const Writer& writer) const;
    /// Forgets the last record and the progress bar, because the program was restarted. Keeps the entries of
    /// writers, since lines after a restart have other writers.
    void restart()
    {
        m_lastRecord = {};
        m_barLine = 0;
        m_barEntry = {};
    }

private:
    struct Entry
    {
        std::int64_t step = CounterSeries::kNoStep;
        std::uint64_t line = 0;
        std::int64_t highest = CounterSeries::kNoStep;
    };
    const Entry* entryOf(const Writer& writer) const;
    void readBar();

    const PatternTable& m_table;
    NumberMap<std::uint64_t, Entry> m_entries;
    Entry m_lastRecord; ///< last record of any writer
    std::string m_bar; ///< last line that may be a progress bar
    std::uint64_t m_barLine = 0; ///< line of `m_bar`; 0 once it is parsed
    Entry m_barEntry; ///< last line that is a progress bar
};

} // namespace highwater::logs
