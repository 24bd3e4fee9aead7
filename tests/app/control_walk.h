#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace highwater::gui::test {

/// Returns the name of a control for test messages.
QString described(const QWidget& control);

/// Returns visible controls without a name for screen readers, and buttons that have neither text nor tool
/// tip.
QStringList unnamedControls(QWidget& window);
/// Returns visible controls that Tab does not reach, and those that keep the focus. Moves the focus.
QStringList controlsThatTabMisses(QWidget& window);
/// Returns visible controls that are too small for their text.
QStringList cutTexts(QWidget& window);
/// Returns visible texts whose contrast to their background is below 7:1.
QStringList paleTexts(QWidget& window);

/// Presses Tab until the control has the focus. Returns false if Tab does not reach it.
bool tabTo(QWidget& control);

} // namespace highwater::gui::test
