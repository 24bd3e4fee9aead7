#include "app/views/parts/scrolling.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace highwater::gui {

QScrollArea* scrolling(QWidget* content, QWidget* page)
{
    auto* scroll = new QScrollArea(page);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    page->setFocusProxy(content);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    return scroll;
}

void paintBehind(QScrollArea& scroll, const QColor& color)
{
    QPalette palette = scroll.palette();
    palette.setColor(QPalette::Window, color);
    scroll.viewport()->setPalette(palette);
    scroll.viewport()->setAutoFillBackground(true);
}

} // namespace highwater::gui
