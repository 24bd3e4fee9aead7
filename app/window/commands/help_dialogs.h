#pragma once

class QWidget;

namespace highwater::gui {

/// Shows a dialog with the keyboard and mouse shortcuts, until the user closes it.
void showKeys(QWidget* parent);
/// Shows a dialog with version and licence, until the user closes it.
void showAbout(QWidget* parent);

} // namespace highwater::gui
