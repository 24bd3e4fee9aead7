#pragma once

#include <QFont>
#include <QMarginsF>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// How a report is formatted: in the colours of the theme on screen, in light colours on paper. Lengths are
/// in units of the document's layout: pixels on screen, dots on paper.
struct ReportLook
{
    ThemeColors colors = ThemeColors::light();
    QFont font; ///< font of running text; all other sizes are factors of its size
    double spacing = 1; ///< length that is 1 pixel at 96 dpi; Qt scales it for paper
    double figurePixel = 1; ///< length of a figure's pixel at its natural size
    double room = 640; ///< maximum width of a figure
    double width = -1; ///< width of the whole text; set later if negative
    QMarginsF margins; ///< margins of the text, inside the width
    bool isPaper = false; ///< printed: links cannot be clicked
    double height = 100000; ///< maximum height of a figure

    /// Returns `room` in the unit in which fonts are measured: pixels on screen, pixels at 96 dpi for paper.
    double roomInPixels() const { return room / figurePixel * spacing; }
};

} // namespace highwater::gui
