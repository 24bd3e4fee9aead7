#include "app/views/segments/segment_legend.h"

#include <vector>

#include <QPainter>

#include "app/views/segments/address_map_painting.h"

namespace highwater::gui {

namespace {
constexpr int kSwatchWidth = 18;
constexpr int kGap = 6;
constexpr int kBetween = 16;
} // namespace

struct SegmentLegend::Entry
{
    BlockState state;
    QString text;
};

SegmentLegend::SegmentLegend(QWidget* parent)
    : QWidget(parent)
    , m_colors(ThemeColors::light())
{
    setAccessibleName(tr("Legend of the address map"));
    setToolTip(tr("What is thinner than a pixel is drawn "
                  "together with its neighbours; a segment is at least two pixels wide."));
}

std::vector<SegmentLegend::Entry> SegmentLegend::entries() const
{
    std::vector<Entry> all{{BlockState::Active, tr("in use, coloured as in the timeline")}};
    if (m_hasPending)
        all.push_back({BlockState::PendingFree, tr("freed, still awaited")});
    all.push_back({BlockState::Inactive, tr("free")});
    return all;
}

void SegmentLegend::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

void SegmentLegend::setSubject(bool hasPending)
{
    if (m_hasPending == hasPending)
        return;
    m_hasPending = hasPending;
    updateGeometry();
    update();
}

QSize SegmentLegend::sizeHint() const
{
    int width = 0;
    for (const Entry& entry : entries())
        width += kSwatchWidth + kGap + fontMetrics().horizontalAdvance(entry.text) + kBetween;
    return {width, fontMetrics().height() + 4};
}

void SegmentLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int height = fontMetrics().ascent();
    int x = 0;
    for (const Entry& entry : entries()) {
        AddressMapPainting::paintSwatch(painter,
            QRect(x, (this->height() - height) / 2, kSwatchWidth, height), entry.state, m_colors.accent,
            m_colors);
        x += kSwatchWidth + kGap;
        const int width = fontMetrics().horizontalAdvance(entry.text);
        painter.setPen(m_colors.quietText);
        painter.drawText(QRect(x, 0, width + 2, this->height()), Qt::AlignVCenter, entry.text);
        x += width + kBetween;
    }
}

} // namespace highwater::gui
