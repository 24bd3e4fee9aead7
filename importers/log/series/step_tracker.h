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

    /// Registers a record that names its step.
    void record(const Writer& writer, std::int64_t step, std::uint64_t line);
    /// Registers a progress bar, which is parsed only on demand.
    void sawBar(std::string_view text, std::uint64_t line);

    /// The step that a record without one belongs to: the later of the last bar and the last record of its
    /// writer, else of any writer.
    std::pair<std::int64_t, StepNumbering> find(const Writer& writer);
    /// Line of the writer's last record with a step; 0: none.
    std::uint64_t lastLine(const Writer& writer) const;
    /// Highest step of the writer's records; kNoStep: none.
    std::int64_t highestStep(const Writer& writer) const;
    /// Forgets the step that any writer is in: the program was started again.
    void restart()
    {
        m_last = {};
        m_barIsRead = true;
        m_barEntry = {};
    }

private:
    struct Entry
    {
        std::int64_t step = CounterSeries::kNoStep;
        std::uint64_t line = 0;
        std::int64_t highest = CounterSeries::kNoStep;
    };
    const Entry* entry(const Writer& writer) const;
    std::int64_t barStep();

    const PatternTable& m_table;
    NumberMap<std::uint64_t, Entry> m_entries;
    Entry m_last; ///< of any writer
    std::string m_bar;
    bool m_barIsRead = true;
    Entry m_barEntry;
};

} // namespace highwater::logs
