#include "core/table/rank_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

/// Returns "at event 1,396", or "2 times" for several failures.
Cell failureCell(std::int64_t failures, const char* unit, std::int64_t first)
{
    return Cell(failures == 1 ? fmt::format("at {} {}", unit, formatCount(first))
                              : fmt::format("{} times", formatCount(failures)))
        .mark(CellTone::Worse);
}

/// Returns the cells from the device to the number of events.
TableRow deviceCells(const RankDevice& device, const RankRow& row)
{
    const CellTone tone = row.isOutlier ? CellTone::Worse : CellTone::Plain;
    // An outlier's distance from the median is marked; its peak too if the device ran out of memory.
    return {device.label, bytesCell(device.peakBytes).mark(device.oomCount > 0 ? tone : CellTone::Plain),
        row.group == RankRow::kNone ? Cell() : deltaCell(row.aboveMedian).mark(tone),
        eventCell(device.peakEvent), bytesCell(device.reservedPeakBytes),
        device.oomCount == 0 ? Cell().show("no").mark(CellTone::Quiet)
                             : failureCell(device.oomCount, "event", device.firstOom),
        countCell(device.eventCount)};
}

/// Returns the same cells for a log or an unreadable file. Where a log has no failure, the cell is empty and
/// not "no", since the log may lack the messages of the run.
TableRow cellsWithoutDevice(const RankFile& file)
{
    const Cell failed = file.failureCount == 0
        ? Cell()
        : failureCell(file.failureCount, "line", static_cast<std::int64_t>(file.firstFailureLine));
    return {{}, {}, {}, {}, {}, failed, {}};
}

const char* stateOf(const RankFile& file)
{
    return !file.error.empty() ? "cannot be read" : file.isIncomplete ? "incomplete, not compared" : "loaded";
}

} // namespace

Table rankTable(const RankTable& ranks)
{
    const bool hasRanks
        = std::ranges::any_of(ranks.files, [](const auto& file) { return file->member.rank.has_value(); });
    Table table{"ranks", hasRanks ? "Files and ranks" : "Files",
        {{"Rank", "rank"}, {"Device", "device"}, {"Peak", "peak_bytes", true},
            {"Above median", "above_median_bytes", true}, {"At event", "peak_event", true},
            {"Peak reserved", "reserved_peak_bytes", true}, {"Out of memory", "out_of_memory"},
            {"Events", "events", true}, {"State", "state"}, {"File", "file"}}};
    for (const RankRow& row : ranks.rows) {
        const RankFile& file = *ranks.files[row.file];
        const RankDevice* device = ranks.deviceOf(row);
        TableRow shown{
            (file.member.rank ? file.member.label() : "unknown") + (row.isOutlier ? " (outlier)" : "")};
        TableRow cells = device ? deviceCells(*device, row) : cellsWithoutDevice(file);
        shown.insert(shown.end(), std::move_iterator(cells.begin()), std::move_iterator(cells.end()));
        shown.push_back(stateOf(file));
        shown.push_back(file.member.fileName());
        table.rows.push_back(std::move(shown));
    }
    return table;
}

} // namespace highwater
