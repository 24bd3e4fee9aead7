#include "app/views/parts/scrolling.h"

#include <QScrollArea>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

QScrollArea* makeScrollArea(QWidget* content, QWidget* parent, const QString& accessibleName)
{
    auto* scroll = new QScrollArea(parent);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    if (accessibleName.isEmpty())
        scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setAccessibleName(accessibleName);
    return scroll;
}

QScrollArea* fillWithScrollArea(QWidget* content, QWidget* page)
{
    QScrollArea* scroll = makeScrollArea(content, page);
    page->setFocusProxy(content);
    layColumn(page, {scroll});
    return scroll;
}

void setScrollBackground(QScrollArea& scroll, const QColor& color)
{
    QPalette palette = scroll.palette();
    palette.setColor(QPalette::Window, color);
    scroll.viewport()->setPalette(palette);
    scroll.viewport()->setAutoFillBackground(true);
}

} // namespace highwater::gui
