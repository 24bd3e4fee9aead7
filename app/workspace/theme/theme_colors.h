#pragma once

#include <QColor>
#include <QPen>

#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui {

/// The window's colours, the same as in figures (figure_palette.h).
struct ThemeColors
{
    bool dark = false;
    bool contrast = false; ///< the high-contrast theme: stronger colours of data, outlines as strong as text
    QColor window; ///< bars and margins
    QColor surface; ///< panels and the plot
    QColor button;
    QColor hover;
    QColor border;
    QColor text;
    QColor quietText;
    QColor disabledText;
    QColor accent;
    QColor accentSoft; ///< background of the selection
    QColor danger; ///< out of memory, or does not fit
    QColor dangerSoft;
    QColor warning;
    QColor warningSoft;
    QColor grid;
    QColor reserved;
    QColor reservedEdge; ///< also the area below a curve
    QColor less; ///< decrease in a difference
    QColor more;

    static ThemeColors light() { return of(false); }
    static ThemeColors darkColors() { return of(true); }
    static ThemeColors of(bool dark) { return of(Ground{.dark = dark}); }
    /// Returns colours with texts and borders in black on white, or in white on black.
    static ThemeColors highContrast(bool dark) { return of(Ground{.dark = dark, .contrast = true}); }
    static ThemeColors of(Ground ground);

    /// The fill of data without a colour of their own. In high contrast, borders are as strong as text.
    const QColor& plainFill() const { return contrast ? hover : border; }
    /// Returns the theme's colour of text if it is readable on the fill, else an ink that is.
    QColor textOn(const QColor& fill) const;

    Ground ground() const { return {dark, contrast}; }
};

inline QColor themed(ThemedColor color, bool dark)
{
    return QColor::fromRgb(dark ? color.dark : color.light);
}

/// Returns the background of a phase's name.
QColor phaseColor(Phase phase, const ThemeColors& colors);

/// Returns a colour of a thin line on the surface: darker or lighter if it has too little contrast. `least`
/// is the contrast ratio to reach; in high contrast, that of readable text is.
QColor readableLine(const QColor& color, const ThemeColors& colors, double least = kVisibleContrast);

/// Returns the pen of a line as used in figures; in high contrast, at least two pixels wide.
QPen linePen(LineKind kind, Ground ground);

} // namespace highwater::gui
