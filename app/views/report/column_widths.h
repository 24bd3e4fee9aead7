#pragma once

#include <QFont>
#include <QList>
#include <QTextLength>

#include "core/report/model/report.h"

namespace highwater::gui {

/// Returns the column widths of a table in `room` pixels at 96 dpi, in percent of the room; empty if all
/// cells fit side by side without wrapping. Otherwise each column gets at least the width of its longest word
/// or amount; a word longer than a third of the room, such as a path, counts
/// as a third. The rest is shared between the
/// columns with longer texts. If even the longest words do not fit, only the widest columns are cut.
/// O(cells).
QList<QTextLength> columnWidths(const Table& table, const QFont& font, double room);

} // namespace highwater::gui
