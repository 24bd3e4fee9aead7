#pragma once

#include <QString>

#include "app/workspace/theme/theme_colors.h"

class QApplication;

namespace highwater::gui {

/// The theme that the user chose; System follows the desktop.
enum class ThemeChoice
{
    System,
    Light,
    Dark,
    Contrast ///< high contrast, light or dark like the desktop
};

/// Accepts "system", "light", "dark" and "contrast"; any other name gives System.
ThemeChoice themeFromName(const QString& name);
QString themeName(ThemeChoice choice);

/// Remembers the theme of the desktop. Must be called once, before the first `applyTheme`.
void noteSystemTheme(const QApplication& application);

/// Text sizes in percent of the desktop's.
inline constexpr int kUsualTextPercent = 100;
inline constexpr int kLeastTextPercent = 80;
inline constexpr int kMaxTextPercent = 200;
/// Scales the text of windows created from now on, relative to its present size; `percent` is clamped to the
/// bounds above.
void scaleText(int percent);

/// Sets the theme's palette and style for the whole application, and returns its colours.
ThemeColors applyTheme(QApplication& application, ThemeChoice choice);

} // namespace highwater::gui
