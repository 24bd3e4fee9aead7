#pragma once

#include <QColor>

namespace highwater::gui {

/// The window's colours: two greys and one accent, and a warning colour for what must be seen.
struct ThemeColors
{
    bool dark = false;
    QColor window; ///< bars and margins
    QColor surface; ///< panels and the plot
    QColor button;
    QColor border;
    QColor text;
    QColor quietText;
    QColor accent;
    QColor accentSoft; ///< background of what is selected
    QColor danger; ///< the peak, out of memory
    QColor better; ///< less than before
    QColor warning;
    QColor warningSoft;
    QColor dangerSoft;
    QColor grid;

    static ThemeColors light();
    static ThemeColors darkColors();
};

} // namespace highwater::gui
