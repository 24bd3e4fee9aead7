#include "app/window/main/status_text.h"

#include <algorithm>

#include <QEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 8; // left and right
constexpr int kLeastRoom = 60;
} // namespace

StatusText::StatusText(Qt::AlignmentFlag side, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
{
    setAutoFillBackground(true); // so that the status bar below need not be painted
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    makeRoom();
}

void StatusText::setText(const QString& text)
{
    if (m_text == text)
        return;
    m_text = text;
    setAccessibleName(text);
    makeRoom();
    update();
}

void StatusText::makeRoom()
{
    m_textCache.setFont(font());
    const QSize wanted(m_textCache.width(m_text) + 2 * kMargin, m_textCache.lineHeight());
    if (wanted.width() <= m_room.width() && wanted.height() == m_room.height())
        return;
    m_room = wanted.expandedTo({m_room.width(), 0});
    updateGeometry();
}

QSize StatusText::minimumSizeHint() const
{
    return {kLeastRoom, m_room.height()};
}

QString StatusText::shownText() const
{
    return shortenedTo(std::max(0, width() - 2 * kMargin), m_text, fontMetrics());
}

bool StatusText::event(QEvent* event)
{
    const auto wholeText = [this](const QPoint&) { return shownText() == m_text ? QString() : m_text; };
    return showTip(*event, *this, wholeText) || QWidget::event(event);
}

void StatusText::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        makeRoom();
}

void StatusText::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QString text = shownText();
    const int left = m_side == Qt::AlignRight ? width() - kMargin - m_textCache.width(text) : kMargin;
    m_textCache.draw(painter, QPointF(left, 0), text);
}

} // namespace highwater::gui
