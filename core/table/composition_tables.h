#pragma once

#include <functional>

#include "core/analysis/composition/composition.h"
#include "core/table/table.h"

/// Tables of what was alive at a moment. Rows sum to their total exactly: the last one holds those that are
/// left out.
namespace highwater {

/// "Call site", "Stack", …: what rows of this key are.
std::string_view groupTitle(GroupKey key);

/// The name of a row.
using GroupName = std::function<std::string(const CompositionGroup&)>;

/// How far the name of a category can be trusted; none of what is unknown, and of other groups.
std::optional<Grade> shownGrade(const CompositionGroup& group);

/// Bytes, share and blocks of the largest groups, "N others", and the total: at most `mostRows` (≥ 1) rows.
Table compositionTable(
    GroupKey key, const Composition& composition, std::size_t mostRows, const GroupName& name);
/// With a column of what the blocks may be, by row and in several lines; of the others nothing.
Table withShapes(Table table, const Composition& composition, const GroupName& shapes);

/// How many rows are shown individually: all, or all but the last of `mostRows`, which sums up the others.
std::size_t shownOf(std::size_t rows, std::size_t mostRows);
/// "12 others".
std::string othersText(std::size_t others);

} // namespace highwater
