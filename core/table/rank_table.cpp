#include "core/table/rank_table.h"

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

Cell firstFailureCell(const RankDevice& device)
{
    if (device.ooms == 0)
        return Cell().show("no").mark(CellTone::Quiet);
    return Cell(device.ooms == 1 ? "at event " + formatCount(device.firstOom)
                                 : fmt::format("{} times", formatCount(device.ooms)))
        .mark(CellTone::Worse);
}

TableRow deviceCells(const RankDevice& device, const RankRow& row)
{
    const CellTone tone = row.isOutlier ? CellTone::Worse : CellTone::Plain;
    return {device.label, bytesCell(device.peakBytes).mark(device.ooms > 0 ? tone : CellTone::Plain),
        row.group == RankRow::kNone ? Cell() : deltaCell(row.aboveMedian).mark(tone),
        eventCell(device.peakEvent), bytesCell(device.reservedPeakBytes), firstFailureCell(device),
        countCell(device.events)};
}

const char* stateOf(const RankFile& file)
{
    return !file.error.empty() ? "cannot be read" : file.isIncomplete ? "incomplete, not compared" : "loaded";
}

} // namespace

Table rankTable(const RankTable& ranks)
{
    Table table{"ranks", "Files and ranks",
        {{"Rank", "rank"}, {"Device", "device"}, {"Peak", "peak_bytes", true},
            {"Above median", "above_median_bytes", true}, {"At event", "peak_event", true},
            {"Peak reserved", "reserved_peak_bytes", true}, {"Out of memory", "out_of_memory"},
            {"Events", "events", true}, {"State", "state"}, {"File", "file"}}};
    for (const RankRow& rank : ranks.rows) {
        const RankFile& file = *ranks.files[rank.file];
        const RankDevice* device = ranks.deviceOf(rank);
        TableRow row{file.member.label() + (rank.isOutlier ? " (outlier)" : "")};
        TableRow cells = device ? deviceCells(*device, rank) : TableRow{textCell(file.error)};
        cells.resize(7);
        row.insert(row.end(), std::move_iterator(cells.begin()), std::move_iterator(cells.end()));
        row.push_back(stateOf(file));
        row.push_back(file.member.fileName());
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace highwater
