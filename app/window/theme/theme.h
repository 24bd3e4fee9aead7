#pragma once

#include <QString>

#include "app/workspace/theme/theme_colors.h"

class QApplication;

namespace highwater::gui {

/// What the user asked for; System follows the desktop.
enum class ThemeChoice
{
    System,
    Light,
    Dark,
    Contrast ///< high contrast, light or dark as the desktop is
};

/// "system", "light", "dark", "contrast"; other names give System.
ThemeChoice themeFromName(const QString& name);
QString themeName(ThemeChoice choice);

/// Remembers what the desktop asks for; to be called once, before the first `applyTheme`.
void noteSystemTheme(const QApplication& application);

/// Of the size that the desktop has for texts.
inline constexpr int kUsualTextPercent = 100;
inline constexpr int kLeastTextPercent = 80;
inline constexpr int kMostTextPercent = 200;
/// Of all texts of windows that are made afterwards; kept within the bounds.
void scaleText(int percent);

/// Gives the whole application the theme's palette and style, and returns its colours.
ThemeColors applyTheme(QApplication& application, ThemeChoice choice);

} // namespace highwater::gui
