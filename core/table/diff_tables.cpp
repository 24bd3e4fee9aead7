#include "core/table/diff_tables.h"

#include <numeric>

#include <fmt/format.h>

#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/table/cells.h"
#include "core/table/composition_tables.h"

namespace highwater {

namespace {

Cell keyCell(GroupKey key, const DiffRow& row, const std::string& label)
{
    const std::optional<Category> category
        = key == GroupKey::Category ? categoryFromText(row.key) : std::nullopt;
    if (category)
        return std::string(titleOf(*category));
    return Cell(row.key).show(label).explain(row.key);
}

Cell deltaBetween(Bytes before, Bytes after)
{
    const Bytes delta = after - before;
    return deltaCell(delta)
        .mark(delta > 0     ? CellTone::Worse
                : delta < 0 ? CellTone::Better
                            : CellTone::Plain)
        .explain(fmt::format("{}, {}", formatExactBytes(delta), formatRelativeDelta(before, after)));
}

Cell amountCell(const DiffAmount& amount)
{
    return bytesCell(amount.bytes)
        .explain(fmt::format(
            "{} in {}", formatExactBytes(amount.bytes), counted(amount.count, "allocation", "allocations")));
}

Cell sizeRatioCell(const SizeCauses& causes, const DiffRow& row, std::size_t i)
{
    const std::optional<double> ratio = row.sizeRatio();
    const PairText sizes = formatPair(row.before.bytesOfEach, row.after.bytesOfEach);
    return textCell(sizeChangeText(causes, static_cast<std::uint32_t>(i)))
        .mark(CellTone::Quiet)
        .sortBy(static_cast<std::int64_t>(ratio.value_or(0) * 1000))
        .explain(ratio ? fmt::format("Each allocation: {} → {}", sizes.before, sizes.after)
                       : "Its allocations differ in size or are in one run only");
}

/// Returns the tip of the title, which also explains the factors in the cells.
std::string sizeChangeTip(const SizeCauses& causes)
{
    std::string tip = "Change of size, if all allocations of the row are of one size";
    for (const std::string& sentence : legendSentences(causes.factors))
        tip += "\n" + sentence;
    return tip;
}

Cell statusCell(const DiffRow& row)
{
    const char* const note = row.isMoved ? " (timing)"
        : row.isCut()                    ? " (cut off)"
        : row.isLoose                    ? " (loose)"
                                         : "";
    const Cell status = Cell(fmt::format("{}{}", toText(row.status()), note)).mark(CellTone::Quiet);
    if (row.isMoved)
        return Cell(status).explain("The other run had as much of it, but at another moment");
    if (row.isCut())
        return Cell(status).explain(row.cut == RowCut::StartsLate
                ? "Allocated before this recording began: the code is unknown"
                : "The other recording ends before this code runs");
    return row.isLoose ? Cell(status).explain("Your own frames match; the library frames below them differ")
                       : status;
}

/// Returns the row of the others or of the totals.
TableRow sumRow(const TableSource& source, std::string name, const DiffAmount& before,
    const DiffAmount& after, std::string status)
{
    TableRow row{std::move(name), deltaCell(after.bytes - before.bytes), bytesCell(before.bytes),
        countCell(before.count), bytesCell(after.bytes), countCell(after.count)};
    row.resize(source.columns.size());
    row.back() = textCell(std::move(status));
    return row;
}

void add(DiffAmount& sum, const DiffAmount& amount)
{
    sum.bytes += amount.bytes;
    sum.count += amount.count;
}

} // namespace

TableSource diffSource(GroupKey key, const RunDiff& diff, const SizeCauses* causes, const SideNames& names)
{
    const auto cellOfRow = [&diff](auto makeCell) {
        return [&diff, makeCell](std::size_t i) { return makeCell(diff.rows[i]); };
    };
    TableSource table{
        "change", "Bytes in use before and after; rows sum to the totals", {}, diff.rows.size()};
    table.columns = {{{std::string(groupTitle(key)), "key"},
                         [key, &diff, labels = rowLabels(diff.rows)](
                             std::size_t i) { return keyCell(key, diff.rows[i], labels[i]); }},
        {{"Difference", "delta_bytes", true},
            cellOfRow([](const DiffRow& row) { return deltaBetween(row.before.bytes, row.after.bytes); })},
        {{upperFirst(names.before), "before_bytes", true},
            cellOfRow([](const DiffRow& row) { return amountCell(row.before); })},
        {{names.caption("Count", names.before), "before_count", true, "Number of allocations"},
            cellOfRow([](const DiffRow& row) { return countCell(row.before.count); })},
        {{upperFirst(names.after), "after_bytes", true},
            cellOfRow([](const DiffRow& row) { return amountCell(row.after); })},
        {{names.caption("Count", names.after), "after_count", true, "Number of allocations"},
            cellOfRow([](const DiffRow& row) { return countCell(row.after.count); })}};
    if (causes)
        table.columns.push_back({{"Size change", "each", true, sizeChangeTip(*causes), true},
            [&diff, causes](std::size_t i) { return sizeRatioCell(*causes, diff.rows[i], i); }});
    table.columns.push_back(
        {{"Status", "status"}, cellOfRow([](const DiffRow& row) { return statusCell(row); })});
    return table;
}

Table diffTable(
    GroupKey key, const RunDiff& diff, std::size_t maxRows, const SizeCauses* causes, const SideNames& names)
{
    const TableSource source = diffSource(key, diff, causes, names);
    const std::size_t shown = shownRowCount(diff.rows.size(), maxRows);
    std::vector<std::size_t> rows(shown);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    Table table = tableOf(source, rows);
    DiffAmount before;
    DiffAmount after;
    for (std::size_t i = shown; i < diff.rows.size(); ++i) {
        add(before, diff.rows[i].before);
        add(after, diff.rows[i].after);
    }
    table.endsWithRest = shown < diff.rows.size();
    if (table.endsWithRest)
        table.rows.push_back(sumRow(source, othersText(diff.rows.size() - shown), before, after, ""));
    table.total = sumRow(source, "total", {diff.before.bytes, diff.before.count},
        {diff.after.bytes, diff.after.count},
        diff.delta() == 0      ? "same"
            : diff.delta() > 0 ? "grew"
                               : "shrank");
    return table;
}

Table settingChangeTable(const std::vector<SettingChange>& changes)
{
    Table table{"settings-changed", "Settings that differ between the runs",
        {{"Setting", "name"}, {"Before", "before"}, {"After", "after"}}};
    for (const SettingChange& change : foldedLists(changes))
        table.rows.push_back(
            {change.name, settingCell(change.name, change.before), settingCell(change.name, change.after)});
    return table;
}

} // namespace highwater
