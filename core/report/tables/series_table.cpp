#include "core/report/tables/series_table.h"

#include <cmath>

namespace highwater {

namespace {

void writePoint(const CounterSeries& series, std::size_t point, TableWriter& writer)
{
    const auto orMissing = [&](std::int64_t value, std::int64_t missing) {
        writer.number(value == missing ? std::nullopt : std::optional(value));
    };
    writer.text(series.name);
    writer.number(series.rank);
    writer.number(series.deviceOrdinal);
    writer.textOrMissing(series.process);
    orMissing(series.stepAt(point), CounterSeries::kNoStep);
    if (series.epochAt(point) < 0)
        writer.missing();
    else
        writer.real(series.epochAt(point));
    orMissing(series.timeAt(point), 0);
    orMissing(static_cast<std::int64_t>(series.lineAt(point)), 0);
    writer.textOrMissing(series.labelAt(point));
    const double value = series.value[point];
    if (series.unit == "bytes" && std::abs(value) < 9e18)
        writer.number(static_cast<std::int64_t>(value));
    else
        writer.real(value);
    writer.text(series.unit);
}

} // namespace

std::vector<std::string> seriesColumns()
{
    return {
        "series", "rank", "device", "process", "step", "epoch", "time_ns", "line", "label", "value", "unit"};
}

void writeSeries(const Trace& trace, TableWriter& writer)
{
    for (const CounterSeries& series : trace.counters)
        for (std::size_t point = 0; point < series.points() && !writer.stopped(); ++point)
            writePoint(series, point, writer);
}

} // namespace highwater
