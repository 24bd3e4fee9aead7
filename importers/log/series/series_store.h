#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "core/base/hash.h"
#include "core/trace/trace_builder.h"

namespace highwater::logs {

using SpecId = std::uint32_t;

/// The quantity that a series measures, independent of its writer.
struct SeriesSpec
{
    std::string name; ///< the key as written; if empty, the name follows from the metric
    std::string metric;
    std::string unit; ///< "bytes", "s", …
    bool unitGuessed = false;
    std::string unitNote;
    PeakSince since = PeakSince::NotAPeak;
    std::string component;
    std::string stage;
    std::string pattern; ///< id of the table entry
    std::string family; ///< shared by patterns that write the same series
    bool isFallback = false; ///< rounded figures, dropped if a series of that name has exact ones
};

/// The source of a record.
struct Writer
{
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> device;
    std::uint32_t process = 0; ///< from SeriesStore::process; 0 if unknown
    std::uint32_t start = 1; ///< number of the program start; above one if it was restarted within the file

    /// Returns a number that is the same for all records of one process of one rank, on any device.
    std::uint64_t processKey() const
    {
        return static_cast<std::uint64_t>(rank.value_or(-1) + 1) << 16 | process;
    }
};

/// A point of a series.
struct SeriesPoint
{
    double value = 0; ///< in the unit of its series
    std::int64_t step = CounterSeries::kNoStep;
    StepNumbering stepNumbering = StepNumbering::None;
    double epoch = -1;
    Nanoseconds time = 0;
    std::uint64_t line = 0;
    std::uint32_t label = 0; ///< from SeriesStore::label; 0 for no label
};

/// Collects points into series, one per measure, rank, device and process.
class SeriesStore
{
public:
    /// Returns the id of a measure, which descriptions of the same name, metric, component, stage, family and
    /// unit share. Points of a measure beyond the limit are dropped.
    SpecId spec(const SeriesSpec& description);
    /// Returns the id of a process or label; 0 for an empty text, and beyond the limit on names.
    std::uint32_t process(std::string_view name) { return interned(m_processes, name); }
    std::uint32_t label(std::string_view text) { return interned(m_labels, text); }
    std::string_view processName(std::uint32_t process) const { return m_processes.names[process]; }

    /// Rounds bytes to integers. Counts and drops values that are not finite, bytes beyond about ±2^62, and
    /// points of series beyond the limits.
    void add(SpecId spec, const Writer& writer, const SeriesPoint& point);

    bool hasMemoryFigures() const;
    /// Reports how many points were dropped and why.
    void logTo(ImportLog& log) const;
    std::size_t pointCount() const { return m_pointCount; }
    /// Returns the number of points measured in bytes.
    std::size_t memoryPointCount() const { return m_memoryPointCount; }
    /// O(1), because it is called after every record.
    std::size_t memoryBytes() const;

    /// Moves the series to the trace, except rounded figures that others have exactly. If the series of
    /// several families have the same name, each gets its family in brackets.
    void moveTo(TraceBuilder& builder);

private:
    struct Names
    {
        tsl::robin_map<std::string, std::uint32_t> ids;
        std::vector<std::string> names{""};
    };
    struct StoredSeries
    {
        SpecId spec = 0;
        CounterSeries series;
        std::vector<std::uint32_t> label; ///< ids of m_labels

        std::size_t memoryBytes() const { return series.memoryBytes() + label.capacity() * sizeof label[0]; }
    };

    static std::uint32_t interned(Names& names, std::string_view text);
    /// Returns the series of a writer, or null beyond the limits.
    StoredSeries* seriesFor(SpecId spec, const Writer& writer);
    std::vector<std::string> finalNames() const; ///< by spec; empty if the spec's series are dropped
    void finishLabels(StoredSeries& stored) const;

    std::vector<SeriesSpec> m_specs;
    tsl::robin_map<std::string, SpecId> m_specIds;
    NumberMap<std::uint64_t, std::uint32_t> m_index;
    std::vector<StoredSeries> m_series;
    Names m_processes;
    Names m_labels;
    std::size_t m_pointCount = 0;
    std::size_t m_memoryPointCount = 0;
    std::size_t m_seriesBytes = 0;
    std::int64_t m_notFinite = 0;
    std::int64_t m_leftOut = 0; ///< points beyond the limit on series
};

} // namespace highwater::logs
