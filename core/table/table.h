#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/units.h"

/// Tables as values. Each is built once (core/table) and rendered by command line, window and report, which
/// may leave out rows and columns but do not reword what they show. All texts are plain: any characters,
/// escaped by the renderers.
namespace highwater {

enum class AmountKind : std::uint8_t
{
    ByteCount, ///< "21.26 GiB"
    ByteDelta, ///< "+3.61 GiB"
    Count, ///< "1,234"
    CountDelta,
    Event, ///< "5,701"; −1: "start" (before the first)
    PerMille, ///< of a whole: "17%"
    PerMilleDelta, ///< "+0.1%"
    Factor, ///< thousandths: "13.3 ×"
    Duration ///< nanoseconds: "31.2 ms"
};

/// A figure of a table: renderers format it as text and sort by it; JSON contains the raw value.
struct Amount
{
    std::int64_t value = 0;
    AmountKind kind = AmountKind::ByteCount;
    bool operator==(const Amount&) const = default;
};

/// Largest totals of equal stretches of a run, drawn as a curve up to `highest`.
struct Outline
{
    std::vector<Bytes> totals;
    Bytes highest = 0;
    bool operator==(const Outline&) const = default;
};

/// How a cell is set off; colours are the renderer's.
enum class CellTone : std::uint8_t
{
    Plain,
    Quiet,
    Better,
    Worse
};

struct Cell
{
    /// monostate: no value, "–".
    std::variant<std::monostate, std::string, Amount, Outline> value;
    std::string shown; ///< what is displayed instead of the value: "≥ 21.26 GiB"; empty: the value
    std::string tip; ///< shown on demand; empty: the exact value
    CellTone tone = CellTone::Plain;
    bool takesRest = false; ///< a sentence that has the rest of its row for itself
    std::optional<std::int64_t> order; ///< what it is sorted by; none: the amount, else the text

    // All of these are compiled once, in table.cpp: tables are built in many files.
    Cell();
    Cell(std::string text);
    Cell(const char* text);
    Cell(Amount amount);
    Cell(Outline outline);
    Cell(const Cell& other);
    Cell(Cell&& other) noexcept;
    Cell& operator=(const Cell& other);
    Cell& operator=(Cell&& other) noexcept;
    ~Cell();

    bool isEmpty() const { return std::holds_alternative<std::monostate>(value); }
    /// Null: it is something else.
    const std::string* text() const { return std::get_if<std::string>(&value); }
    const Amount* amount() const { return std::get_if<Amount>(&value); }
    const Outline* outline() const { return std::get_if<Outline>(&value); }

    Cell show(std::string text) &&;
    Cell explain(std::string text) &&;
    Cell mark(CellTone as) &&;
    Cell sortBy(std::int64_t key) &&;
    Cell takeRest() &&;

    bool operator==(const Cell& other) const;
};

/// For display: what `shown` says, else the value.
std::string cellText(const Cell& cell);
/// The exact value if the displayed one is rounded: "22,826,354,688 B"; else empty.
std::string exactText(const Cell& cell);
/// What is shown on demand: the tip, else the exact value; may be empty.
std::string tipText(const Cell& cell);

struct TableColumn
{
    std::string title; ///< "Peak before"
    std::string key; ///< of JSON and CSV, snake_case with its unit: "before_bytes"
    bool isNumber = false; ///< aligned right
    std::string tip = {}; ///< what the title means; may be empty
    bool isMixed = false; ///< its figures have different units
    bool isCostly = false; ///< its cells take a while: it is not sorted by
    bool isFalling = false; ///< the rows come by it, largest first

    bool operator==(const TableColumn& other) const;
};
/// What its figures count: "bytes", "ns", "of 1" for shares, "1" for plain counts; empty for texts, factors
/// and where figures are mixed.
std::string_view unitOf(const TableColumn& column);

using TableRow = std::vector<Cell>;

/// Every row has as many cells as there are columns.
struct Table
{
    std::string id; ///< unique in the report, kebab-case: file names and anchors are made of it
    std::string caption; ///< says what the rows are and what they sum to; may be empty
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows = {};
    TableRow total = {}; ///< the last row, separate from the others; empty: none
    std::string leftOut = {}; ///< "and 120 more rows that hold 1.2 GiB together"; empty: no row is left out

    bool operator==(const Table& other) const;
};

/// The table without the columns of which this holds, or that have these keys.
Table withoutColumns(Table table, const std::function<bool(const TableColumn&)>& isLeftOut);
Table withoutColumns(Table table, std::initializer_list<std::string_view> keys);
/// Rows of these numbers alone, in this order.
Table withRows(const Table& table, const std::vector<std::size_t>& rows);
/// "and 120 more rows", where `noun` is "rows".
std::string leftOutText(std::size_t rows, std::string_view noun);
/// Keeps the first `most` rows; of what is left out `noun` ("rows") is said with its number.
void cutRows(Table& table, std::size_t most, std::string_view noun);

} // namespace highwater
