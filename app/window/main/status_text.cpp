#include "app/window/main/status_text.h"

#include <QEvent>
#include <QPainter>

namespace highwater::gui {

namespace {
constexpr int kMargin = 8; // left and right
} // namespace

StatusText::StatusText(Qt::AlignmentFlag side, QWidget* parent)
    : QWidget(parent)
    , m_side(side)
{
    setAutoFillBackground(true); // so that the status bar below need not be painted
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
    if (wanted.width() > minimumWidth() || wanted.height() != minimumHeight())
        setFixedSize(wanted.expandedTo({minimumWidth(), 0}));
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
    const int left = m_side == Qt::AlignRight ? width() - kMargin - m_textCache.width(m_text) : kMargin;
    m_textCache.draw(painter, QPointF(left, 0), m_text);
}

} // namespace highwater::gui
