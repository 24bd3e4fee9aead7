#pragma once

#include <memory>
#include <optional>

#include "core/analysis/steps/grade.h"
#include "core/table/table_source.h"

namespace highwater {

struct CallTree;

/// One row of a table of figures.
struct FigureRow
{
    std::string name; ///< May have several lines, which the table joins into one
    Bytes bytes = 0;
    std::int64_t count = 0; ///< Number of allocations
    Bytes selfBytes = 0; ///< Shown if the table has self bytes
    std::string place; ///< Whole path of the source file; may be empty
    std::uint32_t id = 0; ///< Number by which the owner of the table knows the row
    std::optional<Grade> grade = {}; ///< Grade of the category in `name`, if it is one
    Bytes keptBytes = 0; ///< Kept from earlier steps
    std::optional<std::int64_t> order
        = {}; ///< Sorts the name, if not its text does: "512 KiB" before "4 MiB"
};

/// Rows of bytes, share and blocks. May have hundreds of thousands of rows.
struct FigureTable
{
    std::vector<FigureRow> rows; ///< Largest first
    Bytes whole = 0; ///< The total for shares
    /// Returns the name of a row by its id, if `FigureRow::name` is not used: making hundreds of thousands
    /// of names in advance takes too long.
    std::function<std::string(std::uint32_t id)> nameOf;
    /// Returns the category of a row by its id; empty for a table without this column.
    std::function<std::string(std::uint32_t id)> categoryOf;
    bool hasGrades = false;
};

/// Returns a source for `figures`; no rows if it is null. `title` is the heading of the first column;
/// `hasSelf` adds columns for self bytes and file.
TableSource figureSource(std::shared_ptr<const FigureTable> figures, std::string title, bool hasSelf);

/// Returns a call tree as a table of figures. Row i is node i of the tree, and row 0 is the root. No rows
/// if `tree` is null.
TableSource callTreeSource(std::shared_ptr<const CallTree> tree);

} // namespace highwater
