#pragma once

#include <QString>
#include <QVariant>

namespace highwater::gui {

/// What tables are exported with. Of a cell: its figure as it is (qlonglong or double) where the text is
/// rounded; invalid where there is none. Of a column's title: the unit of these figures ("bytes", "ns"; of
/// plain counts kNoUnit); invalid where the column is a text.
inline constexpr int kExactRole = Qt::UserRole + 100;
inline constexpr const char* kNoUnit = "1";
inline constexpr const char* kBytesUnit = "bytes";

inline QVariant exactFigure(qint64 value)
{
    return QVariant::fromValue<qlonglong>(value);
}

/// Null: a text.
inline QVariant exactUnit(const char* unit)
{
    return unit ? QVariant(QString::fromLatin1(unit)) : QVariant();
}

} // namespace highwater::gui
