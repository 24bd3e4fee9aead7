#pragma once

#include <QColor>
#include <QPen>

#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui {

/// The window's colours, which are those of figures (figure_palette.h).
struct ThemeColors
{
    bool dark = false;
    QColor window; ///< bars and margins
    QColor surface; ///< panels and the plot
    QColor button;
    QColor hover;
    QColor border;
    QColor text;
    QColor quietText;
    QColor disabledText;
    QColor accent;
    QColor accentSoft; ///< background of what is selected
    QColor danger; ///< out of memory, and what does not fit
    QColor dangerSoft;
    QColor warning;
    QColor warningSoft;
    QColor grid;
    QColor reserved;
    QColor reservedEdge; ///< also a curve's area
    QColor less; ///< of a difference
    QColor more;

    static ThemeColors light() { return of(false); }
    static ThemeColors darkColors() { return of(true); }
    static ThemeColors of(bool dark);
    /// Texts and borders in black on white, or in white on black; what data are drawn in stays.
    static ThemeColors highContrast(bool dark);
};

inline QColor themed(ThemedColor color, bool dark)
{
    return QColor::fromRgb(dark ? color.dark : color.light);
}
inline QColor categoryColor(Category category, bool dark)
{
    return themed(themedCategoryColor(category), dark);
}

/// A colour of data made for light background, on dark background if `dark`.
QColor onSurface(const QColor& color, bool dark);

/// The pen of a line that means the same in figures.
QPen linePen(LineKind kind, bool dark);

} // namespace highwater::gui
