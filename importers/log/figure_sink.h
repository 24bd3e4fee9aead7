#pragma once

#include <string>
#include <string_view>

#include "importers/log/line_context.h"
#include "importers/log/patterns/pattern_table.h"
#include "importers/log/series/step_tracker.h"

namespace highwater::logs {

/// Facts of a record other than its figures.
struct RecordFacts
{
    std::optional<std::int64_t> step;
    double epoch = -1; ///< −1 if unknown
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> device;
    std::optional<LineTime> time;
    std::string_view label;
    std::string stage;
};

/// Adds the figures of records to series; determines writer, step and time once per record.
class FigureSink
{
public:
    FigureSink(SeriesStore& series, StepTracker& steps, ClockTracker& clock, TimeFinder& times);

    /// Begins a record, which gets all figures up to the next call. A fact in `facts` has precedence over the
    /// same fact in the line.
    void beginRecord(const LineContext& context, const RecordFacts& facts);
    void add(SpecId spec, double value);
    /// Adds a figure for another device than the record's.
    void add(SpecId spec, double value, std::int64_t device);

    SeriesStore& series() { return m_series; }
    void setDeviceName(std::string_view name) { m_deviceName = name.substr(0, 200); }
    const std::string& deviceName() const { return m_deviceName; }

private:
    SeriesStore& m_series;
    StepTracker& m_steps;
    ClockTracker& m_clock;
    TimeFinder& m_times;
    Writer m_writer;
    SeriesPoint m_point;
    std::string m_deviceName;
};

} // namespace highwater::logs
