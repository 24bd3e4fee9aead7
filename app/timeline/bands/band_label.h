#pragma once

#include <vector>

#include <QColor>
#include <QFont>
#include <QSizeF>
#include <QString>

#include "core/figure/layout/band_label_places.h"

namespace highwater::gui {

/// A label inside a band: its texts, its size in pixels, and the space found for it, in units of the axes.
struct BandLabel
{
    QString name;
    QString size; ///< the bytes, in bold; may be empty
    QString whole; ///< the longest form of the label
    QSizeF box; ///< size in pixels, with margins
    double left = 0; ///< left edge of the space found for the label, in units of the x axis
    double width = 0; ///< width of the space, in units of the x axis
    double bottomBytes = 0;
    double topBytes = 0;
    QColor ink;
    QColor background; ///< behind the text; the band's colour or one near to it, see `LabelColors::plate`
    std::vector<BandLabel> spares; ///< the same label elsewhere, used if something covers this place
};

inline QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}

} // namespace highwater::gui
