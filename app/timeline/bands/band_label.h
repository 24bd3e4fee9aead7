#pragma once

#include <QColor>
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
};

} // namespace highwater::gui
