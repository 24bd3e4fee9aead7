#pragma once

#include <functional>

#include "core/analysis/composition/composition.h"
#include "core/table/table.h"

/// Tables of the live allocations at a moment. Rows add up to their total exactly: if some groups are left
/// out, the last row is their sum.
namespace highwater {

/// Returns "Call site", "Stack", …: the heading of rows with this key.
std::string_view groupTitle(GroupKey key);

/// Function that returns the text for a group in its row.
using GroupName = std::function<std::string(const CompositionGroup&)>;

/// Returns the grade of a category; nullopt for the unknown category and for groups that are not
/// categories.
std::optional<Grade> shownGrade(const CompositionGroup& group);

/// Returns bytes, share and blocks of the largest groups, then "N others" and the total. `maxRows` (≥ 1)
/// limits the rows above the total.
Table compositionTable(
    GroupKey key, const Composition& composition, std::size_t maxRows, const GroupName& name);
/// Adds a column of the shapes that the blocks of each row may have, possibly in several lines. The row of
/// the others has none. `table` must be a `compositionTable` of `composition`.
Table withShapes(Table table, const Composition& composition, const GroupName& shapes);

/// Returns how many of `rows` are shown individually: all, or one less than `maxRows`, whose last row is
/// the sum of the others.
std::size_t shownRowCount(std::size_t rows, std::size_t maxRows);
/// Returns "12 others".
std::string othersText(std::size_t others);

} // namespace highwater
