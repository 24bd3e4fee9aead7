#include "app/window/theme/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>

namespace highwater::gui {

namespace {

bool systemIsDark = false;

QPalette paletteOf(const ThemeColors& colors)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::Base, colors.surface);
    palette.setColor(QPalette::AlternateBase, colors.window);
    palette.setColor(QPalette::Button, colors.button);
    palette.setColor(QPalette::ToolTipBase, colors.surface);
    palette.setColor(QPalette::Highlight, colors.accentSoft);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Midlight, colors.border);
    palette.setColor(QPalette::Light, colors.surface);
    palette.setColor(QPalette::Dark, colors.border);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
             QPalette::ToolTipText, QPalette::HighlightedText})
        palette.setColor(role, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.quietText);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role,
            colors.dark ? colors.quietText.darker(140) : colors.quietText.lighter(150));
    return palette;
}

/// What a palette cannot say. %N are colours, see below.
const char* const kStyle = R"(
QLabel[quiet="true"] { color: %quiet; }
QLabel[heading="true"] { color: %quiet; font-weight: bold; padding-top: 8px; }
QLabel[danger="true"] { color: %danger; }
QMenuBar { background: %surface; border-bottom: 1px solid %border; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected { background: %accentSoft; }
QToolBar { background: %surface; border: none; border-bottom: 1px solid %border; spacing: 6px; padding: 5px 10px; }
QToolBar::separator { background: transparent; width: 10px; }
QToolBar QLabel { color: %quiet; }
QToolBar QToolButton, QPushButton { background: %button; border: 1px solid %border; border-radius: 4px; padding: 4px 12px; color: %text; }
QToolBar QToolButton:hover, QPushButton:hover { border-color: %accent; }
QToolBar QToolButton:pressed, QPushButton:pressed { background: %accentSoft; }
QToolBar QToolButton:checked, QPushButton:checked { background: %accentSoft; border-color: %accent; color: %accent; }
QPushButton:disabled { color: %quiet; }
QPushButton[primary="true"] { border-color: %accent; color: %accent; }
QFrame#verdict { background: %surface; border: none; border-bottom: 1px solid %border; }
QFrame#errorBar { background: %dangerSoft; border: none; border-bottom: 1px solid %border; }
QFrame#warningBar { background: %warningSoft; border: none; border-bottom: 1px solid %border; }
QFrame#doneBar { background: %accentSoft; border: none; border-bottom: 1px solid %border; }
QTextBrowser#reportPreview { border: none; border-left: 1px solid %border; }
QFrame#questionBar { background: %accentSoft; border: none; border-bottom: 1px solid %border; }
QFrame#dropArea { background: %surface; border: 2px dashed %border; border-radius: 8px; }
QLabel#snippet { background: %surface; border: 1px solid %border; border-radius: 4px; padding: 10px; }
QDockWidget#detailsDock { border: none; }
QWidget#rangePanel, QWidget#notesPanel { background: %surface; }
QWidget#details, QWidget#details QTreeWidget { background: %surface; border: none; }
QMainWindow::separator { background: %border; width: 1px; }
QStatusBar { background: %surface; border-top: 1px solid %border; color: %quiet; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: %quiet; padding: 0 6px; }
QToolTip { background: %surface; color: %text; border: 1px solid %border; padding: 3px; }
)";

QString styleOf(const ThemeColors& colors)
{
    QString style = QString::fromLatin1(kStyle);
    // Longer names first: one is the beginning of another.
    const std::pair<const char*, QColor> names[]
        = {{"%accentSoft", colors.accentSoft}, {"%dangerSoft", colors.dangerSoft},
            {"%warningSoft", colors.warningSoft}, {"%surface", colors.surface}, {"%border", colors.border},
            {"%button", colors.button}, {"%accent", colors.accent}, {"%danger", colors.danger},
            {"%quiet", colors.quietText}, {"%text", colors.text}};
    for (const auto& [name, color] : names)
        style.replace(QLatin1String(name), color.name());
    return style;
}

} // namespace

ThemeChoice themeFromName(const QString& name)
{
    return name == QLatin1String("light") ? ThemeChoice::Light
        : name == QLatin1String("dark")   ? ThemeChoice::Dark
                                          : ThemeChoice::System;
}

QString themeName(ThemeChoice choice)
{
    return choice == ThemeChoice::Light ? QStringLiteral("light")
        : choice == ThemeChoice::Dark   ? QStringLiteral("dark")
                                        : QStringLiteral("system");
}

void noteSystemTheme(const QApplication& application)
{
    systemIsDark = application.palette().color(QPalette::Window).lightness() < 128;
}

ThemeColors applyTheme(QApplication& application, ThemeChoice choice)
{
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    const ThemeColors colors = dark ? ThemeColors::darkColors() : ThemeColors::light();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(paletteOf(colors));
    application.setStyleSheet(styleOf(colors));
    return colors;
}

} // namespace highwater::gui
