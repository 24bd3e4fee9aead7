#pragma once

#include <QScrollArea>

class QColor;

namespace highwater::gui {

/// Shows the content as wide as there is room; it scrolls where it is higher. The keyboard scrolls it if it
/// has a name; without one the keyboard goes to the content alone.
QScrollArea* scrollingDown(QWidget* content, QWidget* parent, const QString& accessibleName = {});

/// Fills `page` with `content`, which is as wide as the page and scrolls where it is higher. The page's focus
/// is the content's.
QScrollArea* scrolling(QWidget* content, QWidget* page);

/// What shows where the content ends.
void paintBehind(QScrollArea& scroll, const QColor& color);

} // namespace highwater::gui
