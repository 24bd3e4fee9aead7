#include "app/views/pages/sample_card.h"

#include <utility>

#include <QPainter>

namespace highwater::gui {

namespace {
constexpr int kMargin = 8;
constexpr int kCardWidth = 238;
constexpr int kTextFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

QFont boldFont(QFont font)
{
    font.setBold(true);
    return font;
}
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
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
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
    return {kCardWidth, heightForWidth(kCardWidth)};
}

/// A narrow card has room for two lines of the caption, because the caption is not known yet.
int SampleCard::heightForWidth(int width) const
{
    const int captionLines = width < kCardWidth ? 2 : 1;
    return kPictureHeight + titleHeight(width - 2 * kMargin) + captionLines * fontMetrics().height()
        + 4 * kMargin;
}

int SampleCard::titleHeight(int width) const
{
    return QFontMetrics(boldFont(font()))
        .boundingRect(QRect(0, 0, width, kPictureHeight), kTextFlags, text())
        .height();
}

void SampleCard::resizeEvent(QResizeEvent* event)
{
    QAbstractButton::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
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
    QRect text(kMargin, picture.bottom() + 1 + kMargin, picture.width(), titleHeight(picture.width()));
    painter.setFont(boldFont(font()));
    painter.setPen(underMouse() ? m_colors.accent : m_colors.text);
    painter.drawText(text, kTextFlags, m_sample.title);
    text = QRect(text.left(), text.bottom() + 3, text.width(), height() - text.bottom() - 3);
    painter.setFont(font());
    painter.setPen(m_colors.quietText);
    painter.drawText(text, kTextFlags, m_picture.caption);
    if (hasFocus()) {
        painter.setPen(QPen(m_colors.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace highwater::gui
