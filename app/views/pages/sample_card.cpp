#include "app/views/pages/sample_card.h"

#include <utility>

#include <QPainter>

namespace highwater::gui {

namespace {
constexpr int kMargin = 8;
constexpr int kCardWidth = 238;
} // namespace

SampleCard::SampleCard(SampleFile sample, QWidget* parent)
    : QAbstractButton(parent)
    , m_sample(std::move(sample))
{
    setText(m_sample.title);
    setAccessibleName(tr("Open the sample %1").arg(m_sample.title));
    setToolTip(m_sample.paths.join(QLatin1Char('\n')));
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SampleCard::setPicture(const SamplePicture& picture)
{
    m_picture = picture;
    setAccessibleDescription(picture.caption);
    update();
}

void SampleCard::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

QSize SampleCard::sizeHint() const
{
    return {kCardWidth, kPictureHeight + 2 * fontMetrics().height() + 4 * kMargin};
}

void SampleCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (underMouse())
        painter.fillRect(rect(), m_colors.hover);
    const QRect picture(kMargin, kMargin, width() - 2 * kMargin, kPictureHeight);
    painter.fillRect(picture, underMouse() ? m_colors.surface : m_colors.window);
    if (!m_picture.picture.isNull())
        painter.drawImage(picture, m_picture.picture);
    const int line = fontMetrics().height();
    QRect text(kMargin, picture.bottom() + 1 + kMargin, picture.width(), line);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(underMouse() ? m_colors.accent : m_colors.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_sample.title, Qt::ElideRight, text.width()));
    text.translate(0, line + 2);
    painter.setFont(font());
    painter.setPen(m_colors.quietText);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_picture.caption, Qt::ElideRight, text.width()));
    if (hasFocus()) {
        painter.setPen(QPen(m_colors.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace highwater::gui
