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
    Dark
};

/// "system", "light", "dark"; other names give System.
ThemeChoice themeFromName(const QString& name);
QString themeName(ThemeChoice choice);

/// Remembers what the desktop asks for; to be called once, before the first `applyTheme`.
void noteSystemTheme(const QApplication& application);

/// Gives the whole application the theme's palette and style, and returns its colours.
ThemeColors applyTheme(QApplication& application, ThemeChoice choice);

} // namespace highwater::gui
