#include "core/table/run_rank_tables.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/diff/setting_changes.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

/// Returns the comparison row of each rank, by the rank's index in `run.ranks`.
std::vector<const RankRow*> rowsByRank(const RunRanks& run)
{
    std::vector<const RankRow*> rows(run.ranks.size(), nullptr);
    for (const RankRow& row : run.table.rows)
        if (row.file < rows.size() && !rows[row.file])
            rows[row.file] = &row;
    return rows;
}

Cell numberCell(const std::optional<std::int64_t>& number)
{
    return number ? Cell(fmt::format("{}", *number)).sortBy(*number) : Cell();
}

/// Returns "rank: file name, pp: folder".
std::string foundText(const RankIdentity& identity)
{
    std::string text;
    for (const auto& [field, source] : identity.found)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", field, source);
    return text;
}

/// Returns the first failure of a rank; null if it did not run out of memory.
const RankFailure* failureOf(const RunRanks& run, std::size_t rank)
{
    const auto failure = std::ranges::find(run.failures, rank, &RankFailure::rank);
    return failure == run.failures.end() ? nullptr : &*failure;
}

Cell failedRequestCell(const RankFailure* failure, const RankDevice& device)
{
    if (!failure)
        return {};
    return bytesCell(failure->requestedBytes)
        .mark(CellTone::Worse)
        .explain(device.oomCount > 1
                ? fmt::format("The first of {} that failed", formatCount(device.oomCount))
                : "");
}

Cell growthCell(const MergedRank& rank)
{
    if (!rank.growthPerStep)
        return {};
    return deltaCell(*rank.growthPerStep).mark(rank.leaks ? CellTone::Worse : CellTone::Plain);
}

TableRow rankRow(const RunRanks& run, std::size_t index, const RankRow& row)
{
    const MergedRank& rank = run.ranks[index];
    const RankFile& file = *run.table.files[rank.file];
    const RankDevice& device = *file.mainDevice();
    const CellTone tone = row.isOutlier ? CellTone::Worse : CellTone::Plain;
    const RankFailure* const failure = failureOf(run, index);
    return {Cell(run.nameOf(index) + (row.isOutlier ? " (outlier)" : ""))
                .sortBy(static_cast<std::int64_t>(index))
                .explain(foundText(rank.identity)),
        bytesCell(device.peakBytes).mark(device.oomCount > 0 ? tone : CellTone::Plain),
        failedRequestCell(failure, device), failure ? textCell(failure->site) : Cell(),
        row.group == RankRow::kNone ? Cell() : deltaCell(row.aboveMedian).mark(tone),
        numberCell(rank.identity.pp), textCell(rank.identity.host), textCell(rank.peakStep),
        textCell(rank.peakPhase), bytesCell(device.reservedPeakBytes), bytesCell(rank.freeAtPeak),
        countCell(rank.stepCount), growthCell(rank), Cell(device.label),
        Cell(std::string(inWords(device.quantity))), Cell(file.member.fileName()).explain(file.member.path)};
}

std::string settingText(const std::optional<std::string>& value)
{
    return value ? *value : "not set";
}

} // namespace

Table runRankTable(const RunRanks& run)
{
    Table table{"run-ranks", "The ranks of the run",
        {{"Rank", "rank", false, "The tooltip shows how it was detected"},
            {"Peak", "peak_bytes", true, "Most bytes in use at one moment"},
            {"Failed request", "requested_bytes", true, "The rank ran out of memory at this request"},
            {"Failing line", "site", false, "The line that made the failed request"},
            {"Above median", "above_median_bytes", true,
                "Its peak minus the median of the ranks that it is compared with"},
            {"Stage", "stage", true, "Pipeline stage"}, {"Host", "host"}, {"In step", "peak_step"},
            {"Phase", "peak_phase"}, {"Peak reserved", "reserved_peak_bytes", true},
            {"Reserved, not in use", "free_at_peak_bytes", true,
                "Reserved at the peak, less what was in use"},
            {"Steps", "steps", true},
            {"Growth per step", "growth_per_step_bytes", true,
                "Median slope of the bytes at the ends of the steps"},
            {"Device", "device"}, {"Counts", "quantity"}, {"File", "file"}}};
    const std::vector<const RankRow*> rows = rowsByRank(run);
    for (std::size_t i = 0; i < run.ranks.size(); ++i)
        table.rows.push_back(rankRow(run, i, *rows[i]));
    return table;
}

Table rankGroupTable(const RunRanks& run)
{
    Table table{"rank-groups", "Ranks that are compared with each other",
        {{"Stage", "stage", true}, {"Recorded at step", "step", true}, {"Counts", "quantity"},
            {"Ranks", "ranks", true}, {"Median peak", "median_peak_bytes", true},
            {"Median deviation", "deviation_bytes", true,
                "Median of the absolute differences from the median"},
            {"Lowest", "lowest_peak_bytes", true}, {"Highest", "highest_peak_bytes", true},
            {"Outliers", "outliers", true}}};
    if (run.table.groups.size() < 2)
        return table; // the table of ranks has its figures
    for (std::size_t i = 0; i < run.table.groups.size(); ++i) {
        const RankGroup& group = run.table.groups[i];
        const auto outliers = std::ranges::count_if(
            run.table.rows, [&](const RankRow& row) { return row.group == i && row.isOutlier; });
        table.rows.push_back({numberCell(group.stage), numberCell(group.step),
            Cell(std::string(inWords(group.quantity))), countCell(static_cast<std::int64_t>(group.rankCount)),
            bytesCell(group.medianPeak), bytesCell(group.deviation), bytesCell(group.lowestPeak),
            bytesCell(group.highestPeak), countCell(outliers)});
    }
    std::ranges::stable_sort(table.rows, {}, [](const TableRow& row) { return row[0].order.value_or(-1); });
    return table;
}

Table rankFailureTable(const RunRanks& run)
{
    Table table{"rank-failures", "Ranks that ran out of memory, in order of failure",
        {{"Rank", "rank"}, {"Stage", "stage", true}, {"Step", "step", true}, {"Time", "time"},
            {"Requested", "requested_bytes", true}, {"Failing line", "site"}}};
    if (run.failures.size() < 2)
        return table; // the table of ranks has its request and line
    for (const RankFailure& failure : run.failures)
        table.rows.push_back({Cell(run.nameOf(failure.rank)).sortBy(static_cast<std::int64_t>(failure.rank)),
            numberCell(run.ranks[failure.rank].identity.pp), numberCell(failure.at.step),
            failure.at.time ? Cell(formatTimestamp(*failure.at.time)) : Cell(),
            bytesCell(failure.requestedBytes), textCell(failure.site)});
    return table;
}

Table rankLeakTable(const RunRanks& run)
{
    Table table{"rank-leaks", "Ranks that keep more after every step",
        {{"Rank", "rank"}, {"Stage", "stage", true}, {"Growth per step", "growth_per_step_bytes", true},
            {"Steps", "steps", true}, {"After the first step", "first_end_bytes", true},
            {"After the last", "last_end_bytes", true}}};
    for (const StageLeak& leak : run.leaks)
        for (const std::size_t index : leak.leaking) {
            const MergedRank& rank = run.ranks[index];
            table.rows.push_back({Cell(run.nameOf(index)).sortBy(static_cast<std::int64_t>(index)),
                numberCell(rank.identity.pp), growthCell(rank), countCell(rank.growthSteps),
                bytesCell(rank.firstEndBytes), bytesCell(rank.lastEndBytes)});
        }
    return table;
}

Table rankSettingTable(const RunRanks& run)
{
    Table table{"rank-settings", "Settings that differ between ranks",
        {{"Setting", "name"}, {"Value", "value"}, {"Ranks", "ranks", true}, {"Examples", "examples"}}};
    for (const SettingOfRanks& setting : run.settings)
        for (const SettingValue& value : setting.values) {
            std::string examples;
            for (const std::size_t rank : value.first)
                examples += (examples.empty() ? "" : ", ") + run.nameOf(rank);
            table.rows.push_back(
                {Cell(setting.name), Cell(shownSetting(setting.name, settingText(value.value))),
                    countCell(static_cast<std::int64_t>(value.rankCount)), textCell(examples)});
        }
    return table;
}

Table rankTroubleTable(const RunRanks& run)
{
    Table table{"rank-troubles", "Files that are not ranks of the run, and ranks without a file",
        {{"File", "file"}, {"Rank", "rank", true}, {"State", "kind"}, {"Reason", "reason"}}};
    for (const RankTrouble& trouble : run.troubles) {
        // The name in JSON would call the job's own log foreign.
        const std::string_view state = trouble.isUsedLog ? "log"
            : trouble.kind == RankTrouble::Kind::Foreign ? "not used"
                                                         : toText(trouble.kind);
        table.rows.push_back(
            {Cell(std::string(fileName(trouble.path))).explain(trouble.path), numberCell(trouble.rank),
                Cell(std::string(state)).mark(trouble.isUsedLog ? CellTone::Plain : CellTone::Worse),
                Cell(trouble.reason)});
    }
    for (const std::int64_t rank : run.missing)
        table.rows.push_back(
            {Cell(), numberCell(rank), Cell("missing").mark(CellTone::Worse), Cell("it has no file")});
    return table;
}

std::vector<std::size_t> ranksByImportance(const RunRanks& run)
{
    std::vector<std::size_t> failureOrder(run.ranks.size(), run.failures.size());
    for (std::size_t i = 0; i < run.failures.size(); ++i)
        failureOrder[run.failures[i].rank] = i;
    std::vector<std::size_t> order(run.ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t rank) {
        return std::pair(failureOrder[rank], -run.deviceOf(run.ranks[rank])->peakBytes);
    });
    return order;
}

} // namespace highwater
