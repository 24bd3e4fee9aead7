#pragma once

#include <QFont>
#include <QList>
#include <QTextLength>

#include "core/report/model/report.h"

namespace highwater::gui {

/// How wide the columns of a table are to be in so many pixels at 96 dots an inch: empty where all cells fit
/// side by side as they are. Else each column gets the width of its longest word (a path is one; at most a
/// third of the room), amounts are never broken, and what is left goes to those with more to say.
QList<QTextLength> columnWidths(const Table& table, const QFont& font, double room);

} // namespace highwater::gui
