#pragma once

#include <QVariant>
#include <Qt>

#include "core/table/table.h"

namespace highwater::gui {

/// Role for the exact values that exports need. For a cell: the unrounded figure (qlonglong or double),
/// invalid if there is none. For a column title: the unit of these figures (`unitOf`), such as "bytes" or
/// kNoUnit, invalid if there is none.
inline constexpr int kExactRole = Qt::UserRole + 100;
inline constexpr const char* kNoUnit = "1";

/// Roles of rows and cells in addition to Qt's own.
enum FigureRole
{
    ShareRole = Qt::UserRole + 1, ///< a share from 0 to 1
    MatchRole, ///< true if the row itself matches the search
};

/// Return the data of a cell or a column title for a role, the same in every view; invalid if there is none
/// for this role. The first click on the title of a column of figures sorts the largest first; numbers of
/// steps, events and the like are sorted in order.
QVariant cellData(const TableColumn& column, const Cell& cell, int role);
QVariant titleData(const TableColumn& column, int role);

} // namespace highwater::gui
