#pragma once

#include <QScrollArea>

class QColor;

namespace highwater::gui {

/// Shows the content at the available width and scrolls it if it is higher. With an accessible name, the
/// scroll area takes the keyboard focus; without one, only the content does.
QScrollArea* scrollingDown(QWidget* content, QWidget* parent, const QString& accessibleName = {});

/// Fills `page` with `content`, at the width of the page, scrolling if it is higher. The page passes its
/// focus to the content.
QScrollArea* scrolling(QWidget* content, QWidget* page);

/// Sets the background colour behind and below the content.
void paintBehind(QScrollArea& scroll, const QColor& color);

} // namespace highwater::gui
