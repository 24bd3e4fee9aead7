#include "app/window/theme/theme.h"

#include <algorithm>
#include <cstdlib>

#include <QApplication>
#include <QFont>
#include <QPalette>

#include "app/window/theme/plain_style.h"

namespace highwater::gui {

namespace {

bool systemIsDark = false;
bool systemIsContrast = false;

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
        palette.setColor(QPalette::Disabled, role, colors.disabledText);
    return palette;
}

/// The style that a palette cannot express. `%name` stands for a colour, see `styleOf`. Separators of docks
/// are two pixels wide: at one pixel Qt 6.4 creates a widget each time a dock appears and never deletes it.
/// The chosen tab or link is not bold, because its neighbours would move.
const char* const kStyle = R"(
QLabel[quiet="true"] { color: %quiet; }
QLabel[heading="true"] { color: %quiet; font-weight: bold; padding-top: 8px; }
QLabel[danger="true"] { color: %danger; }
QMenuBar { background: %window; }
QMenuBar::item { padding: 4px 10px; background: transparent; }
QMenuBar::item:selected { background: %hover; }
QToolBar { background: %window; border: none; border-bottom: 1px solid %border; spacing: 4px;
    padding: 2px; }
QToolBar::separator { background: %border; width: 1px; margin: 6px 4px; }
QToolBar QLabel { color: %quiet; }
QToolButton { background: transparent; border: 2px solid transparent; border-radius: 4px;
    padding: 3px 5px; color: %text; }
QToolButton:hover { background: %hover; }
QToolButton:pressed, QToolButton:checked { background: %accentSoft; }
QToolButton:disabled { color: %disabled; background: transparent; }
QToolButton:focus { border-color: %accent; }
QToolButton::menu-indicator { image: none; width: 0px; }
QToolButton[menu="true"] { padding-right: 18px; }
QToolButton[segment="true"] { background: %button; border-radius: 0px; padding: 3px 6px; color: %quiet; }
QToolButton[segment="true"]:hover { background: %hover; color: %text; }
QToolButton[segment="true"]:checked { background: %chosen; border-color: %button; color: %text; }
QToolButton[segment="true"]:focus { border-color: %accent; }
QToolButton[chip="true"] { background: %accentSoft; border-radius: 12px; padding: 2px 10px;
    color: %accent; }
QToolButton[chip="true"]:hover { background: %hover; }
QToolButton[chip="true"]:focus { border-color: %accent; }
QToolButton[link="true"] { padding: 0px; color: %accent; }
QToolButton[link="true"]:checked { background: transparent; text-decoration: underline; }
QPushButton { background: %button; border: 2px solid %button; border-radius: 4px; padding: 3px 10px;
    color: %text; }
QPushButton:hover { background: %hover; border-color: %hover; }
QPushButton:pressed, QPushButton:checked { background: %accentSoft; }
QPushButton:focus { border-color: %accent; }
QPushButton:disabled { color: %disabled; background: transparent; border-color: transparent; }
QPushButton[primary="true"] { background: %accent; border-color: %accent; color: %surface; }
QPushButton[primary="true"]:focus { border-color: %text; }
QScrollBar { background: %surface; border: none; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: %disabled; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: %quiet; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QLineEdit { background: %surface; border: 1px solid %border; border-radius: 4px; padding: 3px 6px;
    selection-background-color: %accentSoft; selection-color: %text; }
QLineEdit:focus { border: 2px solid %accent; padding: 2px 5px; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent;
    padding: 4px 12px; color: %quiet; }
QTabBar::tab:hover { color: %text; }
QTabBar::tab:selected { border-bottom-color: %accent; color: %text; }
QTabBar::tab:disabled { color: %disabled; }
QTabBar::tab:focus { border: 2px solid %accent; padding: 2px 10px 4px 10px; }
QTabWidget#questionTabs::pane { border: none; border-top: 1px solid %border; }
QTreeWidget#findings { background: %surface; outline: none; }
QFrame#verdict { background: %surface; border: none; border-bottom: 1px solid %border; }
QLabel#advice { background: %surface; border: none; border-bottom: 1px solid %border;
    padding: 5px 16px 7px 16px; }
QFrame#side { background: %surface; border: none; border-left: 1px solid %border; border-right: 1px solid %border; }
QFrame#errorBar { background: %dangerSoft; border: none; border-bottom: 1px solid %border; }
QFrame#warningBar { background: %warningSoft; border: none; border-bottom: 1px solid %border; }
QFrame#doneBar, QFrame#questionBar, QFrame#unsavedBar { background: %accentSoft; border: none;
    border-bottom: 1px solid %border; }
QTextBrowser#reportPreview { border: none; border-left: 1px solid %border; }
QWidget#startPage, QWidget#startContent, QWidget#recordingContent { background: %surface; }
QFrame#dropArea { background: %window; border: 1px dashed %disabled; border-radius: 8px; }
QLabel#snippet { background: %window; border: none; border-radius: 4px; padding: 12px; }
QWidget#rangePanel, QWidget#notesPanel { background: %surface; }
QWidget#details, QWidget#details QTreeWidget { background: %surface; border: none; }
QMainWindow::separator { background: %border; width: 2px; height: 2px; }
QSplitter::handle { background: %border; }
QStatusBar { background: %window; border-top: 1px solid %border; color: %quiet; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: %quiet; padding: 0 6px; }
QStatusBar highwater--gui--StatusText { color: %quiet; }
QStatusBar QPushButton { padding: 0px 8px; }
QToolTip { background: %surface; color: %text; border: 1px solid %border; padding: 3px; }
)";

/// In high contrast a button is as white or black as its surroundings, so each has an edge, and the checked
/// one of a group is inverted. A button keeps its size: the edge takes a pixel of its border.
constexpr const char* kContrastStyle = R"(
QPushButton, QToolButton { border: 1px solid %border; margin: 1px; }
QPushButton:hover { border-color: %border; }
QPushButton:disabled, QToolButton:disabled { border-color: %disabled; }
QPushButton:focus, QToolButton:focus { border: 2px solid %accent; margin: 0px; }
QToolButton[chip="true"] { border-radius: 10px; }
QToolButton[link="true"] { border: 2px solid transparent; margin: 0px; }
QToolButton[link="true"]:focus { border-color: %accent; }
QToolButton[segment="true"]:checked { background: %text; border-color: %text; color: %surface; }
QToolButton[segment="true"]:checked:focus { border-color: %accent; }
)";

/// Returns the style sheet in these colours.
QString styleOf(const ThemeColors& colors, bool isContrast)
{
    QString style = QString::fromLatin1(kStyle) + QLatin1String(isContrast ? kContrastStyle : "");
    // On dark, what is chosen is lighter than its neighbours, as on light.
    const QColor chosen = colors.dark ? colors.hover.lighter(130) : colors.surface;
    // A name that begins with another name comes before it.
    const std::pair<const char*, QColor> names[]
        = {{"%accentSoft", colors.accentSoft}, {"%dangerSoft", colors.dangerSoft},
            {"%warningSoft", colors.warningSoft}, {"%surface", colors.surface}, {"%border", colors.border},
            {"%button", colors.button}, {"%accent", colors.accent}, {"%danger", colors.danger},
            {"%quiet", colors.quietText}, {"%text", colors.text}, {"%window", colors.window},
            {"%hover", colors.hover}, {"%chosen", chosen}, {"%disabled", colors.disabledText}};
    for (const auto& [name, color] : names)
        style.replace(QLatin1String(name), color.name());
    return style;
}

} // namespace

ThemeChoice themeFromName(const QString& name)
{
    return name == QLatin1String("light")   ? ThemeChoice::Light
        : name == QLatin1String("dark")     ? ThemeChoice::Dark
        : name == QLatin1String("contrast") ? ThemeChoice::Contrast
                                            : ThemeChoice::System;
}

QString themeName(ThemeChoice choice)
{
    return choice == ThemeChoice::Light   ? QStringLiteral("light")
        : choice == ThemeChoice::Dark     ? QStringLiteral("dark")
        : choice == ThemeChoice::Contrast ? QStringLiteral("contrast")
                                          : QStringLiteral("system");
}

void noteSystemTheme(const QApplication& application)
{
    const int ground = application.palette().color(QPalette::Window).lightness();
    const int ink = application.palette().color(QPalette::WindowText).lightness();
    systemIsDark = ground < 128;
    systemIsContrast = std::abs(ground - ink) == 255;
}

void scaleText(int percent)
{
    QFont font = QApplication::font();
    const int clamped = std::clamp(percent, kLeastTextPercent, kMaxTextPercent);
    font.setPointSizeF(font.pointSizeF() * clamped / kUsualTextPercent);
    QApplication::setFont(font);
}

ThemeColors applyTheme(QApplication& application, ThemeChoice choice)
{
    const bool isAsSystem = choice == ThemeChoice::System;
    const bool isContrast = choice == ThemeChoice::Contrast || (isAsSystem && systemIsContrast);
    const bool dark = choice == ThemeChoice::Dark || (choice != ThemeChoice::Light && systemIsDark);
    const ThemeColors colors = isContrast ? ThemeColors::highContrast(dark) : ThemeColors::of(dark);
    application.setStyle(new PlainStyle(colors));
    application.setPalette(paletteOf(colors));
    application.setStyleSheet(styleOf(colors, isContrast));
    return colors;
}

} // namespace highwater::gui
