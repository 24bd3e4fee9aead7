#pragma once

#include <vector>

#include <QColor>
#include <QFont>
#include <QSizeF>
#include <QString>

namespace highwater::gui {

/// What stands inside a band: its call site and its size, at a place of the axes.
struct BandLabel
{
    QString name;
    QString size; ///< in bold, may be empty
    QString whole; ///< the longest form
    QSizeF box; ///< in pixels, with its margins
    double key = 0; ///< left edge of the room that it was found for
    double keys = 0; ///< width of the room
    double bottomBytes = 0;
    double topBytes = 0;
    QColor ink;
    QColor background; ///< the band's, without oblique lines
    std::vector<BandLabel> spares; ///< the same elsewhere, for where something lies over this place
};

constexpr double kLabelMargin = 8; ///< on both sides of the text

inline QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}

} // namespace highwater::gui
