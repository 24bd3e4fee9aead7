#pragma once

class QColor;
class QScrollArea;
class QWidget;

namespace highwater::gui {

/// Fills `page` with `content`, which is as wide as the page and scrolls where it is higher. The page's focus
/// is the content's.
QScrollArea* scrolling(QWidget* content, QWidget* page);

/// What shows where the content ends.
void paintBehind(QScrollArea& scroll, const QColor& color);

} // namespace highwater::gui
