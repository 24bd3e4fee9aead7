#include "core/table/rank_table.h"

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

Cell failureCell(const RankDevice& device)
{
    if (device.ooms == 0)
        return Cell().show("no").mark(CellTone::Quiet).sortBy(0);
    return Cell(device.ooms == 1 ? "at event " + formatCount(device.firstOom)
                                 : fmt::format("{} times", formatCount(device.ooms)))
        .mark(CellTone::Worse)
        .sortBy(device.ooms);
}

TableRow deviceCells(const RankDevice& device, const RankRow& row)
{
    const CellTone tone = row.outlier ? CellTone::Worse : CellTone::Plain;
    return {device.label, bytesCell(device.peakBytes).mark(tone), std::string(inWords(device.quantity)),
        row.group == RankRow::kNone ? Cell() : deltaCell(row.aboveMedian).mark(tone),
        eventCell(device.peakEvent), bytesCell(device.reservedPeakBytes), failureCell(device),
        countCell(device.events)};
}

} // namespace

std::string rankState(const RankFile& file)
{
    return !file.error.empty() ? "cannot be read" : file.incomplete ? "incomplete, not compared" : "loaded";
}

std::vector<RankEntry> rankEntries(const RankTable& ranks)
{
    std::vector<RankEntry> lines;
    for (const RankRow& row : ranks.rows)
        lines.push_back({ranks.files[row.file]->member, row, rankState(*ranks.files[row.file])});
    return lines;
}

Table rankTable(const RankTable& ranks, const std::vector<RankEntry>& lines)
{
    Table table{"ranks", "The ranks of the run beside each other",
        {{"Rank", "rank", false, "From the content of the file, else from its name"},
            {"Device", "device", false,
                "Devices of different ranks are never merged, also where their numbers are the same"},
            {"Peak", "peak_bytes", true, "Most bytes live at one moment"}, {"Counts", "quantity"},
            {"Above the median", "above_median_bytes", true,
                "Its peak minus the median of the ranks that it is compared with"},
            {"At event", "peak_event", true, "Event of the peak"},
            {"Peak reserved", "reserved_peak_bytes", true,
                "Most bytes that the allocator held of the device at one moment"},
            {"Out of memory", "out_of_memory"}, {"Events", "events", true, "Allocator events"},
            {"State", "state"}, {"File", "file"}}};
    for (const RankEntry& line : lines) {
        const RankDevice* device = line.row ? ranks.deviceOf(*line.row) : nullptr;
        TableRow row{Cell(line.member.label() + (line.row && line.row->outlier ? " (stands out)" : ""))
                         .sortBy(std::ssize(table.rows))};
        TableRow cells = device ? deviceCells(*device, *line.row)
                                : TableRow{textCell(line.row ? ranks.files[line.row->file]->error : "")};
        cells.resize(8);
        row.insert(row.end(), std::move_iterator(cells.begin()), std::move_iterator(cells.end()));
        row.push_back(line.state);
        row.push_back(Cell(line.member.fileName()).explain(line.member.path));
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace highwater
