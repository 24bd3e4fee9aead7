#pragma once

class QWidget;

namespace highwater::gui {

void showKeys(QWidget* parent);
void showAbout(QWidget* parent);

} // namespace highwater::gui
