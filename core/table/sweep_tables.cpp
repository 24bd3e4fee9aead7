#include "core/table/sweep_tables.h"

#include <map>

#include <fmt/format.h>

#include "core/analysis/diff/setting_changes.h"
#include "core/base/text_format.h"
#include "core/table/category_columns.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

Cell peakCell(const SweepRun& run)
{
    Cell cell
        = bytesCell(run.peakBytes)
              .explain(fmt::format("{} {}{}, {}{}", formatExactBytes(run.peakBytes), inWords(run.quantity),
                  run.isInferred ? " (inferred by the allocator's rounding rule)" : "",
                  formatMoment(run.peakEvent, "at"),
                  run.isIncomplete ? "; a lower bound, since the file is incomplete" : ""));
    if (run.isIncomplete)
        cell.shown = "≥ " + cellText(cell);
    return cell;
}

Cell referenceDifferenceCell(const RunSweep& sweep, std::size_t row)
{
    const SweepRow& sweepRow = sweep.rows[row];
    if (!sweepRow.deltaBytes)
        return Cell().explain("The run and the reference have no comparable figure");
    if (row == sweep.reference)
        return deltaCell(0).show("reference").mark(CellTone::Quiet);
    return deltaCell(*sweepRow.deltaBytes)
        .mark(*sweepRow.deltaBytes == 0    ? CellTone::Quiet
                : *sweepRow.deltaBytes > 0 ? CellTone::Worse
                                           : CellTone::Better)
        .explain(fmt::format("{}, {}", formatExactBytes(*sweepRow.deltaBytes),
            formatRelativeDelta(sweep.rows[sweep.reference].run.peakBytes, sweepRow.run.peakBytes)));
}

Cell peakPlaceCell(const SweepRun& run)
{
    std::string text = run.peakStep;
    if (run.peakPhase != Phase::Unknown)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", toText(run.peakPhase));
    return textCell(std::move(text)).sortBy(run.peakEvent);
}

Cell oomCell(const SweepRun& run)
{
    if (run.oomCount == 0)
        return countCell(0).show("–").mark(CellTone::Quiet);
    return countCell(run.oomCount)
        .show(run.oomCount > 1        ? fmt::format("{} times", formatCount(run.oomCount))
                : run.oomStep.empty() ? "yes"
                                      : "in " + run.oomStep)
        .mark(CellTone::Worse);
}

TableRow sweepRowOf(
    const RunSweep& sweep, std::size_t row, Bytes highest, const std::vector<Category>& categories)
{
    const SweepRun& run = sweep.rows[row].run;
    TableRow cells{Cell(sweep.rows[row].name).explain(run.path)};
    if (!run.isReadable()) {
        cells.push_back(Cell(run.error).mark(run.hasFailed ? CellTone::Worse : CellTone::Quiet).takeRest());
        cells.resize(cells.size() + 7 + categories.size());
        return cells;
    }
    cells.push_back(peakCell(run));
    cells.push_back(referenceDifferenceCell(sweep, row));
    cells.push_back(Cell(Outline{run.outline, highest, run.oomRanges})
                        .explain("The total over " + counted(run.eventCount, "event", "events")));
    cells.push_back(eventCell(run.peakEvent));
    cells.push_back(peakPlaceCell(run));
    cells.push_back(oomCell(run));
    cells.push_back(bytesCell(run.reservedPeakBytes));
    cells.push_back(
        countCell(run.eventCount).explain(fmt::format("{} on {}", formatCount(run.eventCount), run.device)));
    for (const Category category : categories) {
        const Bytes bytes = run.categories[static_cast<std::size_t>(category)];
        cells.push_back(bytesCell(bytes).explain(
            fmt::format("{}, {} of the peak", formatExactBytes(bytes), formatShare(bytes, run.peakBytes))));
    }
    return cells;
}

std::string settingValueText(const std::string& name, const std::optional<std::string>& value)
{
    return !value ? "unknown" : value->empty() ? "–" : shownSetting(name, *value);
}

} // namespace

Table sweepTable(const RunSweep& sweep)
{
    std::vector<CategoryBytes> bytes;
    for (const SweepRow& row : sweep.rows)
        bytes.push_back(row.run.categories);
    const std::vector<Category> categories = categoriesThatOccur(bytes);
    const Bytes highest = highestPeak(sweep);
    Table table{"runs", {},
        {{"Run", "name", false, "File name, with folders where names are equal"},
            {"Peak", "peak_bytes", true, "Most bytes in use at one moment"},
            {"Difference", "delta_bytes", true, "Its peak minus the reference's"},
            {"Curve, 0 to " + formatBytes(highest), "outline", false,
                "The total over the run's events, all on one scale; sorted by its mean"},
            {"At event", "peak_event", true, "Event of the peak"},
            {"Peak in", "peak_place", false, "Step and phase of the peak; sorted by event"},
            {"Out of memory", "ooms", true, "Where memory ran out"},
            {"Peak reserved", "reserved_peak_bytes", true, "Most GPU memory reserved at one moment"},
            {"Events", "events", true, "Allocator events"}}};
    for (const Category category : categories)
        table.columns.push_back(categoryColumn(category));
    for (std::size_t row = 0; row < sweep.rows.size(); ++row)
        table.rows.push_back(sweepRowOf(sweep, row, highest, categories));
    return table;
}

Table sweepSettingTable(const RunSweep& sweep)
{
    Table table{"settings", "Settings that differ", {{"Setting", "name"}}};
    for (const SweepRow& row : sweep.rows)
        if (row.run.isReadable())
            table.columns.push_back({row.name, row.name});
    for (const SettingOfRuns& setting : foldedLists(sweep.settings)) {
        TableRow row{setting.name};
        for (std::size_t run = 0; run < setting.values.size(); ++run)
            if (sweep.rows[run].run.isReadable())
                row.push_back(settingValueText(setting.name, setting.values[run]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table sweepValueTable(const RunSweep& sweep, const std::vector<std::size_t>& order)
{
    Table table{
        "settings", "Settings that differ", {{"Setting", "name"}, {"Value", "value"}, {"Runs", "runs"}}};
    for (const SettingOfRuns& setting : foldedLists(sweep.settings)) {
        std::map<std::string, std::vector<std::string>> runsOf;
        for (const std::size_t row : order)
            if (sweep.rows[row].run.isReadable())
                runsOf[settingValueText(setting.name, setting.values[row])].push_back(sweep.rows[row].name);
        for (const auto& [value, runs] : runsOf)
            table.rows.push_back({setting.name, value, namesText(runs)});
    }
    return table;
}

} // namespace highwater
