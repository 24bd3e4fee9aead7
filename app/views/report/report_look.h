#pragma once

#include <QFont>
#include <QMarginsF>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// How a report is formatted: in the theme on screen, light on paper. Lengths are in units of the document's
/// layout: pixels on screen, dots on paper.
struct ReportLook
{
    ThemeColors colors = ThemeColors::light();
    QFont font; ///< of running text; all other sizes follow from it
    double spacing = 1; ///< length that is 1 pixel at 96 dpi; Qt scales it for paper
    double figurePixel = 1; ///< length of a figure's pixel at its natural size
    double room = 640; ///< maximum width of a figure
    double width = -1; ///< of the whole text; set later if negative
    QMarginsF margins; ///< inside the width
    bool isPaper = false; ///< printed: links cannot be clicked
    double height = 100000; ///< maximum height of a figure

    /// `room` in the pixels of font measurements: pixels on screen, or at 96 dpi.
    double roomInPixels() const { return room / figurePixel * spacing; }
};

} // namespace highwater::gui
