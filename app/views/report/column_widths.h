#pragma once

#include <QFont>
#include <QList>
#include <QTextLength>

#include "core/report/model/report.h"

namespace highwater::gui {

/// Column widths of a table in `room` pixels at 96 dpi; empty if all cells fit side by side without wrapping.
/// Otherwise each column gets at least the width of its longest word (a path counts as one word, at most a
/// third of the room). Amounts are never broken. The rest goes to the columns with longer texts.
QList<QTextLength> columnWidths(const Table& table, const QFont& font, double room);

} // namespace highwater::gui
