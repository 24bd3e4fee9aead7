#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace highwater::gui::test {

/// How a control is named in what a test says.
QString described(const QWidget& control);

/// Controls in sight without a name for screen readers, and buttons without a text that have no tool tip.
QStringList unnamedControls(QWidget& window);
/// Controls in sight that the keyboard cannot come to by Tab, and those that keep it. Moves the focus.
QStringList controlsThatTabMisses(QWidget& window);
/// Controls in sight that have less room than their text takes.
QStringList cutTexts(QWidget& window);
/// Texts in sight with less contrast to their background than 7:1.
QStringList paleTexts(QWidget& window);

/// Presses Tab until the control has the keyboard; false: Tab does not come to it.
bool tabTo(QWidget& control);

} // namespace highwater::gui::test
