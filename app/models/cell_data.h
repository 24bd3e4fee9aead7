#pragma once

#include <QVariant>
#include <Qt>

#include "core/table/table.h"

namespace highwater::gui {

/// What tables are exported with. Of a cell: its figure as it is (qlonglong or double) where the text is
/// rounded; invalid where there is none. Of a column's title: the unit of these figures ("bytes", "ns"; of
/// plain counts kNoUnit); invalid where the column is a text.
inline constexpr int kExactRole = Qt::UserRole + 100;
inline constexpr const char* kNoUnit = "1";

/// Roles of rows and cells beside those of Qt.
enum FigureRole
{
    ShareRole = Qt::UserRole + 1, ///< of a share: 0 to 1
    MatchRole, ///< whether the row itself matches the search
};

/// What a cell, and the title of its column, have in every view; invalid: nothing of this role.
QVariant cellData(const TableColumn& column, const Cell& cell, int role);
QVariant titleData(const TableColumn& column, int role);

} // namespace highwater::gui
