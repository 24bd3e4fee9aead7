#pragma once

#include <functional>

#include "core/analysis/composition/composition.h"
#include "core/table/table.h"

/// Tables of the live allocations at a moment. Rows add up to their total exactly: the last row sums up those
/// that are left out.
namespace highwater {

/// Returns "Call site", "Stack", …: the heading of rows with this key.
std::string_view groupTitle(GroupKey key);

/// Returns the name of a row.
using GroupName = std::function<std::string(const CompositionGroup&)>;

/// Returns the grade of a category; nullopt for unknown and for groups that are not categories.
std::optional<Grade> shownGrade(const CompositionGroup& group);

/// Returns bytes, share and blocks of the largest groups, "N others", and the total: at most `mostRows` (≥ 1)
/// rows.
Table compositionTable(
    GroupKey key, const Composition& composition, std::size_t mostRows, const GroupName& name);
/// Adds a column of possible shapes of the blocks, possibly in several lines per row; empty for the row of
/// the others.
Table withShapes(Table table, const Composition& composition, const GroupName& shapes);

/// Returns the number of rows shown individually: all, or all but the last of `mostRows`, which sums up the
/// others.
std::size_t shownOf(std::size_t rows, std::size_t mostRows);
/// Returns "12 others".
std::string othersText(std::size_t others);

} // namespace highwater
