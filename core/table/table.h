#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/units.h"

/// Tables as values. A table is built once (core/table) and rendered by the command line, the window and
/// the report. Renderers may omit rows and columns and shorten texts, but do not word them anew. All texts
/// are plain: they may contain any characters, and the renderers escape them.
namespace highwater {

/// The unit of an amount, which determines its format.
enum class AmountKind : std::uint8_t
{
    ByteCount, ///< "21.26 GiB"
    ByteDelta, ///< "+3.61 GiB"
    Count, ///< "1,234"
    CountDelta,
    Event, ///< "5,701"; −1: "start" (before the first)
    PerMille, ///< Share of a whole: "17%"
    PerMilleDelta, ///< "+0.1%"
    Factor, ///< Thousandths: "13.3×"
    Duration ///< Nanoseconds: "31.2 ms"
};

/// A figure in a table: renderers format it as text and sort by it; JSON contains the raw value.
struct Amount
{
    std::int64_t value = 0;
    AmountKind kind = AmountKind::ByteCount;
    bool operator==(const Amount&) const = default;
};

/// A curve of totals over a run: the largest total of each of several equally long parts. It is drawn on a
/// scale from 0 to `highest`.
struct Outline
{
    std::vector<Bytes> totals;
    Bytes highest = 0;
    std::vector<std::size_t> marks = {}; ///< indices of totals at which memory ran out
    bool operator==(const Outline&) const = default;
};

/// The emphasis of a cell; renderers choose the colours.
enum class CellTone : std::uint8_t
{
    Plain,
    Quiet,
    Better,
    Worse
};

/// One cell of a table: a value, and how it is displayed. Renderers show `shown` or the formatted value;
/// JSON and CSV have the value alone. The functions `show` to `takeRest` set one member each and return the
/// cell, for use in expressions.
struct Cell
{
    /// monostate stands for no value, "–".
    std::variant<std::monostate, std::string, Amount, Outline> value;
    std::string shown; ///< Displayed instead of the value: "≥ 21.26 GiB"; empty to display the value
    std::string tip; ///< Shown on demand; empty for the exact value
    CellTone tone = CellTone::Plain;
    bool takesRest = false; ///< A sentence that takes the rest of its row
    std::optional<std::int64_t> order; ///< Sort key; nullopt to sort by the amount, else the text

    // Defined in table.cpp, because tables are built in many files and inline copies would slow down their
    // compilation.
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
    /// Return the value as this type; null if it has another type.
    const std::string* text() const { return std::get_if<std::string>(&value); }
    const Amount* amount() const { return std::get_if<Amount>(&value); }
    const Outline* outline() const { return std::get_if<Outline>(&value); }

    Cell show(std::string text) &&;
    Cell explain(std::string text) &&;
    Cell mark(CellTone newTone) &&;
    Cell sortBy(std::int64_t key) &&;
    Cell takeRest() &&;

    bool operator==(const Cell& other) const;
};

/// Returns the text for display: `shown`, else the value.
std::string cellText(const Cell& cell);
/// Returns the exact value of a size from 1 KiB on, "22,826,354,688 B", or of a rounded factor; else empty.
std::string exactText(const Cell& cell);
/// Returns the text shown on demand: the tip, else the exact value; may be empty.
std::string tipText(const Cell& cell);

/// The title and the properties of a column, which all renderers share.
struct TableColumn
{
    std::string title; ///< "Peak before"
    std::string key; ///< Key in JSON and CSV, snake_case with its unit: "before_bytes"
    bool isNumber = false; ///< Aligned right
    std::string tip = {}; ///< Explains the title; may be empty
    bool isMixed = false; ///< Its figures have different units
    bool isCostly = false; ///< Its cells are slow to compute: the table cannot be sorted by it
    bool isSortedDescending = false; ///< The rows are sorted by it, largest first

    bool operator==(const TableColumn& other) const;
};
/// Returns the unit of the column's figures: "bytes", "ns", "of 1" for shares, "1" for plain counts and
/// numbers of events; empty for texts, factors and mixed figures.
std::string_view unitOf(const TableColumn& column);

using TableRow = std::vector<Cell>;

/// Every row has as many cells as there are columns.
struct Table
{
    std::string id; ///< Unique in the report; used in file names and anchors
    std::string caption; ///< Describes the rows and their total; may be empty
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows = {};
    TableRow total = {}; ///< The last row, separate from the others; may be empty
    std::string leftOut = {}; ///< "and 120 more rows"; empty if no row is left out
    bool endsWithRest = false; ///< The last row sums up several others and stays last if the table is sorted

    bool operator==(const Table& other) const;
};

/// Returns the table without the columns for which `isLeftOut` is true, or with these keys.
Table withoutColumns(Table table, const std::function<bool(const TableColumn&)>& isLeftOut);
Table withoutColumns(Table table, std::initializer_list<std::string_view> keys);
/// Returns the table without the columns that show only "–"; a table without rows keeps all columns.
Table withoutEmptyColumns(Table table);
/// Returns the table with only the rows of these indices, in this order. The total stays as it is;
/// `endsWithRest` becomes false.
Table withRows(const Table& table, const std::vector<std::size_t>& rows);
/// True if the total tells more than the only row does.
bool showsTotal(const Table& table);
/// Returns "and 120 more rows" if `noun` is "rows".
std::string leftOutText(std::size_t rows, std::string_view noun);
/// Keeps the first `most` rows and notes how many `noun` ("rows") were left out.
void cutRows(Table& table, std::size_t most, std::string_view noun);

} // namespace highwater
