#include "core/table/table.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/analysis/sweep/run_sweep.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

std::string countDeltaText(std::int64_t value)
{
    return (value > 0 ? "+" : "") + formatCount(value);
}

/// Formats two decimals below 10, one below 100, and whole numbers from there on, without trailing zeros:
/// "1.07×", "13.3×", "1,234×".
std::string factorText(std::int64_t thousandths)
{
    const std::string minus = thousandths < 0 ? "−" : "";
    const double value = static_cast<double>(magnitude(thousandths)) / 1000;
    if (value >= 99.95)
        return minus + formatCount(static_cast<std::int64_t>(value + 0.5)) + "×";
    return minus + withoutZeros(fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1)) + "×";
}

std::string exactFactorText(std::int64_t thousandths)
{
    const std::uint64_t whole = magnitude(thousandths) / 1000;
    const bool isRounded = magnitude(thousandths) % (whole < 10 ? 10 : whole < 100 ? 100 : 1000) != 0;
    if (!isRounded)
        return {};
    return fmt::format(
        "{}{}.{:03}×", thousandths < 0 ? "−" : "", formatCount(whole), magnitude(thousandths) % 1000);
}

std::string amountText(const Amount& amount)
{
    switch (amount.kind) {
    case AmountKind::ByteCount: return formatBytes(amount.value);
    case AmountKind::ByteDelta: return formatBytesDelta(amount.value);
    case AmountKind::Count: return formatCount(amount.value);
    case AmountKind::CountDelta: return countDeltaText(amount.value);
    case AmountKind::Event: return amount.value < 0 ? "start" : formatCount(amount.value);
    case AmountKind::PerMille: return formatPercent(static_cast<double>(amount.value) / 10);
    case AmountKind::PerMilleDelta:
        return (amount.value > 0 ? "+" : "") + formatPercent(static_cast<double>(amount.value) / 10);
    case AmountKind::Factor: return factorText(amount.value);
    case AmountKind::Duration: return formatDuration(amount.value);
    }
    return {};
}

std::string exactAmountText(const Amount& amount)
{
    const bool hasUnit = magnitude(amount.value) >= 1024;
    if (amount.kind == AmountKind::ByteCount)
        return hasUnit ? formatExactBytes(amount.value) : std::string();
    if (amount.kind == AmountKind::ByteDelta)
        return hasUnit ? countDeltaText(amount.value) + " B" : std::string();
    return amount.kind == AmountKind::Factor ? exactFactorText(amount.value) : std::string();
}

/// Draws one block character per range of the outline, at most 24.
std::string sparkline(const Outline& outline)
{
    constexpr std::size_t columns = 24;
    static constexpr std::array<const char*, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string text;
    for (const Bytes bytes : maximaOfParts(outline.totals, columns)) {
        const double share = outline.highest > 0 ? double(bytes) / double(outline.highest) : 0;
        text += blocks[std::min<std::size_t>(static_cast<std::size_t>(std::max(share, 0.0) * 8), 7)];
    }
    return text;
}

} // namespace

Cell::Cell() = default;

Cell::Cell(std::string text)
    : value(std::move(text))
{
}

Cell::Cell(const char* text)
    : value(std::string(text))
{
}

Cell::Cell(Amount amount)
    : value(amount)
{
}

Cell::Cell(Outline outline)
    : value(std::move(outline))
{
}

Cell::Cell(const Cell& other) = default;
Cell::Cell(Cell&& other) noexcept = default;
Cell& Cell::operator=(const Cell& other) = default;
Cell& Cell::operator=(Cell&& other) noexcept = default;
Cell::~Cell() = default;

bool Cell::operator==(const Cell& other) const = default;
bool TableColumn::operator==(const TableColumn& other) const = default;
bool Table::operator==(const Table& other) const = default;

Cell Cell::show(std::string text) &&
{
    shown = std::move(text);
    return std::move(*this);
}

Cell Cell::explain(std::string text) &&
{
    tip = std::move(text);
    return std::move(*this);
}

Cell Cell::mark(CellTone newTone) &&
{
    tone = newTone;
    return std::move(*this);
}

Cell Cell::sortBy(std::int64_t key) &&
{
    order = key;
    return std::move(*this);
}

Cell Cell::takeRest() &&
{
    takesRest = true;
    return std::move(*this);
}

std::string cellText(const Cell& cell)
{
    if (!cell.shown.empty())
        return cell.shown;
    if (const std::string* text = cell.text())
        return *text;
    if (const Outline* outline = cell.outline())
        return sparkline(*outline);
    return cell.amount() ? amountText(*cell.amount()) : "–";
}

std::string exactText(const Cell& cell)
{
    return cell.amount() ? exactAmountText(*cell.amount()) : std::string();
}

std::string tipText(const Cell& cell)
{
    return cell.tip.empty() ? exactText(cell) : cell.tip;
}

std::string_view unitOf(const TableColumn& column)
{
    const auto endsWith = [&column](std::string_view unit) { return column.key.ends_with(unit); };
    if (!column.isNumber || column.isMixed || endsWith("_thousandths"))
        return {};
    return endsWith("bytes") ? "bytes" : endsWith("_ns") ? "ns" : endsWith("_per_mille") ? "of 1" : "1";
}

Table withoutColumns(Table table, const std::function<bool(const TableColumn&)>& isLeftOut)
{
    for (std::size_t i = table.columns.size(); i-- > 0;) {
        if (!isLeftOut(table.columns[i]))
            continue;
        const auto position = static_cast<std::ptrdiff_t>(i);
        table.columns.erase(table.columns.begin() + position);
        for (TableRow& row : table.rows)
            row.erase(row.begin() + position);
        if (!table.total.empty())
            table.total.erase(table.total.begin() + position);
    }
    return table;
}

Table withoutColumns(Table table, std::initializer_list<std::string_view> keys)
{
    return withoutColumns(std::move(table),
        [keys](const TableColumn& column) { return std::ranges::find(keys, column.key) != keys.end(); });
}

Table withoutEmptyColumns(Table table)
{
    const auto isBlank = [](const Cell& cell) { return cell.isEmpty() && cell.shown.empty(); };
    std::set<std::string> emptyKeys;
    for (std::size_t i = 0; i < table.columns.size() && !table.rows.empty(); ++i)
        if (std::ranges::all_of(table.rows, [&](const TableRow& row) { return isBlank(row[i]); })
            && (table.total.empty() || isBlank(table.total[i])))
            emptyKeys.insert(table.columns[i].key);
    return withoutColumns(
        std::move(table), [&emptyKeys](const TableColumn& column) { return emptyKeys.contains(column.key); });
}

Table withRows(const Table& table, const std::vector<std::size_t>& rows)
{
    Table selected{table.id, table.caption, table.columns, {}, table.total, table.leftOut};
    for (const std::size_t row : rows)
        selected.rows.push_back(table.rows[row]);
    return selected;
}

bool showsTotal(const Table& table)
{
    return !table.total.empty() && (table.rows.size() != 1 || !table.leftOut.empty());
}

std::string leftOutText(std::size_t rows, std::string_view noun)
{
    return fmt::format("and {} more {}", formatCount(rows), noun);
}

void cutRows(Table& table, std::size_t most, std::string_view noun)
{
    if (table.rows.size() <= most)
        return;
    table.leftOut = leftOutText(table.rows.size() - most, noun);
    table.rows.resize(most);
}

} // namespace highwater
