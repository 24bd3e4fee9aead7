#include "app/views/parts/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include "app/views/parts/shortened_text.h"

namespace highwater::gui {

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shown() const
{
    const int room = contentsRect().width();
    if (!m_cutByClauses)
        return fontMetrics().elidedText(text(), Qt::ElideRight, room);
    return shortenedToFit(
        text(), [this, room](const QString& part) { return fontMetrics().horizontalAdvance(part) <= room; });
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
        palette(), isEnabled(), shown(), foregroundRole());
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || shown() == text())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

} // namespace highwater::gui
