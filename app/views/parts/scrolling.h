#pragma once

#include <QScrollArea>

class QColor;

namespace highwater::gui {

/// Makes a scroll area that shows the content at the available width and scrolls it vertically. With an
/// accessible name, the scroll area takes the keyboard focus; without one, only the content does. The scroll
/// area owns the content.
QScrollArea* makeScrollArea(QWidget* content, QWidget* parent, const QString& accessibleName = {});

/// Fills `page` with a scroll area that shows `content` at the width of the page. The page passes its
/// keyboard focus to the content.
QScrollArea* fillWithScrollArea(QWidget* content, QWidget* page);

/// Sets the background colour behind and below the content.
void setScrollBackground(QScrollArea& scroll, const QColor& color);

} // namespace highwater::gui
