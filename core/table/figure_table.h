#pragma once

#include <memory>

#include "core/analysis/steps/grade.h"
#include "core/table/table_source.h"

namespace highwater {

struct CallTree;

/// One row of a table of figures.
struct FigureRow
{
    std::string name; ///< of several lines one is shown, and all on demand
    Bytes bytes = 0;
    std::int64_t count = 0;
    Bytes selfBytes = 0; ///< where the table has such a column
    std::string place; ///< whole path, where the table has such a column
    std::uint32_t id = 0; ///< what it means to whom the table belongs
    std::optional<Grade> grade = {}; ///< of a category's name, where the table has such a column
};

/// Bytes, share and blocks in hundreds of thousands of rows.
struct FigureTable
{
    std::vector<FigureRow> rows; ///< largest first
    Bytes whole = 0; ///< what shares are of
    /// Names a row by its id where rows have no names of their own: making hundreds of thousands of texts
    /// takes longer than anyone wants to wait.
    std::function<std::string(std::uint32_t id)> nameOf;
    bool hasGrades = false;
};

/// `title` heads the first column. `hasSelf`: with self and place.
TableSource figureSource(std::shared_ptr<const FigureTable> figures, std::string title, bool hasSelf);

/// The same of a call tree, a row for each node; that of the root is never shown. Null: no rows.
TableSource callTreeSource(std::shared_ptr<const CallTree> tree);

} // namespace highwater
