#pragma once

#include <QFont>
#include <QMarginsF>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// How a report is set: in the window in its theme, on paper light. Lengths are units of the document's
/// layout: pixels of the screen, or dots of the paper.
struct ReportLook
{
    ThemeColors colors = ThemeColors::light();
    QFont font; ///< of running text; all sizes follow from it
    double spacing = 1; ///< of a space that is 1 pixel wide at 96 dots an inch; Qt scales it for paper
    double figurePixel = 1; ///< of a pixel of a figure at its own size
    double room = 640; ///< width that a figure may have
    double width = -1; ///< of the whole text; below 0: it is set later
    QMarginsF margins; ///< left free within it
    bool isPaper = false; ///< nobody can click on it
    double height = 100000; ///< the most that a figure may be high

    /// `room` in the pixels that fonts are measured in: of the screen, or at 96 dots an inch.
    double roomInPixels() const { return room / figurePixel * spacing; }
};

} // namespace highwater::gui
