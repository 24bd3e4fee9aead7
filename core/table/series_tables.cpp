#include "core/table/series_tables.h"
#include "core/analysis/logs/memory_series.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

/// Returns the value as bytes if its unit is bytes; else as text. Sort keys are integers, so a text has its
/// value in thousandths.
Cell valueCell(const CounterSeries& series, double value)
{
    if (series.unit == "bytes")
        return bytesCell(wholeBytes(value));
    return Cell(valueText(series, value)).sortBy(wholeBytes(value * 1000));
}

Cell seriesDifferenceCell(const CounterSeries& series, double before, double after)
{
    if (series.unit == "bytes")
        return deltaCell(wholeBytes(after) - wholeBytes(before));
    return Cell(valueDeltaText(series, after - before)).sortBy(wholeBytes((after - before) * 1000));
}

Cell stepNumberCell(std::int64_t step)
{
    return step == CounterSeries::kNoStep ? Cell() : countCell(step);
}

Cell seriesCell(const CounterSeries& series)
{
    const std::string title = seriesTitle(series);
    const bool hasOwnName = series.metric.empty() || !title.starts_with(series.metric);
    return Cell(title).show(hasOwnName ? title : measureText(series)).explain(measureText(series));
}

/// Returns "GB is read as GiB" for the note "GB taken as GiB": tables of patterns and saved traces have the
/// older words.
std::string unitText(std::string note)
{
    constexpr std::string_view kTaken = " taken as ";
    if (const std::size_t at = note.find(kTaken); at != std::string::npos)
        note.replace(at, kTaken.size(), " is read as ");
    return note;
}

std::string noteText(const CounterSeries& series)
{
    std::vector<std::string> parts;
    if (!series.metric.empty() && !series.name.starts_with(series.metric) && series.component.empty())
        parts.push_back(metricText(series));
    if (!series.unitNote.empty())
        parts.push_back(unitText(series.unitNote));
    if (series.unitGuessed)
        parts.emplace_back("the unit is a guess");
    if (isSampled(series))
        parts.emplace_back("samples can miss a peak");
    if (series.since == PeakSince::PreviousRecord)
        parts.emplace_back("each is the peak since the record before it");
    return fmt::format("{}", fmt::join(parts, "; "));
}

TableColumn mixedColumn(std::string title, std::string key)
{
    return {std::move(title), std::move(key), true, {}, true};
}

} // namespace

Table seriesTable(const Trace& log)
{
    std::vector<std::size_t> withValue = seriesOrder(log);
    std::erase_if(withValue, [&](std::size_t i) { return !seriesFigures(log.counters[i]); });
    return seriesTable(log, withValue);
}

Table seriesTable(const Trace& log, const std::vector<std::size_t>& series)
{
    Table table{"series", "What the log measured",
        {{"Series", "key"}, {"Points", "points", true}, mixedColumn("First", "first"),
            mixedColumn("Last", "last"), mixedColumn("Smallest", "smallest"),
            mixedColumn("Largest", "largest"), {"At step", "largest_step", true}, {"Note", "note"}}};
    for (const std::size_t index : series) {
        const CounterSeries& shown = log.counters[index];
        const SeriesFigures figures = seriesFigures(shown).value();
        table.rows.push_back({seriesCell(shown), countCell(static_cast<std::int64_t>(figures.points)),
            valueCell(shown, figures.first), valueCell(shown, figures.last),
            valueCell(shown, figures.smallest), valueCell(shown, figures.largest),
            stepNumberCell(figures.largestStep), textCell(noteText(shown))});
    }
    return table;
}

Table seriesPairTable(const Trace& before, const LogDiff& diff)
{
    Table table{"series", "Series in both logs",
        {{"Series", "key"}, {"Difference", "delta_largest", true, "Difference of the largest values", true},
            mixedColumn("Largest before", "before_largest"), mixedColumn("Largest after", "after_largest"),
            {"At step, before", "before_step", true}, {"At step, after", "after_step", true},
            mixedColumn("First before", "before_first"), mixedColumn("First after", "after_first"),
            mixedColumn("Last before", "before_last"), mixedColumn("Last after", "after_last")}};
    for (const SeriesPair& pair : diff.series) {
        const CounterSeries& series = before.counters[pair.before];
        const SeriesFigures& beforeFigures = pair.beforeFigures;
        const SeriesFigures& afterFigures = pair.afterFigures;
        table.rows.push_back(
            {seriesCell(series), seriesDifferenceCell(series, beforeFigures.largest, afterFigures.largest),
                valueCell(series, beforeFigures.largest), valueCell(series, afterFigures.largest),
                stepNumberCell(beforeFigures.largestStep), stepNumberCell(afterFigures.largestStep),
                valueCell(series, beforeFigures.first), valueCell(series, afterFigures.first),
                valueCell(series, beforeFigures.last), valueCell(series, afterFigures.last)});
    }
    return table;
}

} // namespace highwater
