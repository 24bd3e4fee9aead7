#include "core/table/series_tables.h"

#include "core/analysis/diff/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

/// Returns bytes as an amount. Other figures are texts that sort by their thousandths.
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
    return Cell(seriesTitle(series)).explain(measureText(series));
}

std::string noteText(const CounterSeries& series)
{
    std::string text = series.unitNote;
    if (series.unitGuessed)
        text += text.empty() ? "unit guessed" : " (a guess)";
    if (series.since == PeakSince::PreviousRecord)
        text += (text.empty() ? "" : "; ") + std::string("peak since the record before");
    if (!series.metric.empty() && !series.name.starts_with(series.metric) && series.component.empty())
        text = series.metric + (text.empty() ? "" : "; ") + text;
    return text;
}

TableColumn figures(std::string title, std::string key)
{
    return {std::move(title), std::move(key), true, {}, true};
}

} // namespace

Table seriesTable(const Trace& log)
{
    Table table{"series", "What the log measured",
        {{"Series", "key"}, {"Points", "points", true}, figures("First", "first"), figures("Last", "last"),
            figures("Smallest", "smallest"), figures("Largest", "largest"), {"At step", "largest_step", true},
            {"Note", "note"}}};
    for (const std::size_t index : seriesOrder(log)) {
        const CounterSeries& series = log.counters[index];
        if (const std::optional<SeriesFigures> found = seriesFigures(series))
            table.rows.push_back({seriesCell(series), countCell(static_cast<std::int64_t>(found->points)),
                valueCell(series, found->first), valueCell(series, found->last),
                valueCell(series, found->smallest), valueCell(series, found->largest),
                stepNumberCell(found->largestStep), textCell(noteText(series))});
    }
    return table;
}

Table seriesPairTable(const Trace& before, const LogDiff& diff)
{
    Table table{"series", "Series in both logs",
        {{"Series", "key"}, figures("First before", "before_first"), figures("First after", "after_first"),
            figures("Last before", "before_last"), figures("Last after", "after_last"),
            figures("Largest before", "before_largest"), {"At step", "before_step", true},
            figures("Largest after", "after_largest"), {"At step", "after_step", true},
            {"Difference", "delta_largest", true, "Difference of the largest values", true}}};
    for (const SeriesPair& pair : diff.series) {
        const CounterSeries& series = before.counters[pair.before];
        const SeriesFigures& low = pair.beforeFigures;
        const SeriesFigures& high = pair.afterFigures;
        table.rows.push_back({seriesCell(series), valueCell(series, low.first), valueCell(series, high.first),
            valueCell(series, low.last), valueCell(series, high.last), valueCell(series, low.largest),
            stepNumberCell(low.largestStep), valueCell(series, high.largest),
            stepNumberCell(high.largestStep), seriesDifferenceCell(series, low.largest, high.largest)});
    }
    return table;
}

} // namespace highwater
