#include "app/timeline/cursor_overlay.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "app/timeline/parts/label_recorder.h"

namespace highwater::gui {

namespace {

// In pixels.
constexpr int kPinLineWidth = 3;
constexpr int kPinRimWidth = 2;
constexpr int kBirthMarkSize = 4;
constexpr int kTagGap = 4; ///< between the axis and the cursor's label

} // namespace

CursorOverlay::CursorOverlay(QWidget* plot, const Selection& selection)
    : QWidget(plot)
    , m_selection(selection)
    , m_colors(ThemeColors::light())
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void CursorOverlay::setArea(const PlotArea& area)
{
    m_area = area;
    setGeometry(parentWidget()->rect());
}

bool CursorOverlay::isHoveredShown() const
{
    return m_image && m_selection.hovered() != Selection::kNone
        && m_selection.hovered() != m_selection.pinned();
}

const CursorOverlay::Outline& CursorOverlay::outlineOf(AllocationIndex allocation, Outline& cached) const
{
    if (cached.image != m_image || cached.allocation != allocation)
        cached = {m_image, allocation, piecesOf(*m_image, allocation)};
    return cached;
}

QRectF CursorOverlay::pieceRect(const BandPiece& piece) const
{
    const BandRequest& request = m_image->request;
    const double keyStep = (request.xEnd - request.xBegin) / request.width;
    const double byteStep = (request.yTop - request.yBottom) / request.height;
    return m_area.toScreen(request.xBegin + piece.firstColumn * keyStep,
        request.xBegin + piece.endColumn * keyStep, request.yBottom + piece.firstRow * byteStep,
        request.yBottom + piece.endRow * byteStep);
}

const std::vector<BandByteRange>& CursorOverlay::pinnedRanges() const
{
    const AllocationIndex pinned = m_selection.pinned();
    if (m_pinnedRanges.image != m_image || m_pinnedRanges.allocation != pinned) {
        m_pinnedRanges = {m_image, pinned, byteRangesOf(*m_image, pinned)};
    }
    return m_pinnedRanges.ranges;
}

QRectF CursorOverlay::byteRangeRect(const BandByteRange& range) const
{
    const BandRequest& request = m_image->request;
    const double keyStep = (request.xEnd - request.xBegin) / request.width;
    QRectF rect
        = m_area.toScreen(request.xBegin + range.first * keyStep, request.xBegin + range.last * keyStep,
            static_cast<double>(range.bottom), static_cast<double>(range.top));
    if (rect.height() < kPinLineWidth)
        rect = QRectF(rect.left(), rect.center().y() - kPinLineWidth / 2.0, rect.width(), kPinLineWidth);
    return rect;
}

QRect CursorOverlay::bounds(const Outline& outline) const
{
    QRectF united;
    for (const BandPiece& piece : outline.pieces)
        united |= pieceRect(piece);
    constexpr int margin = kPinLineWidth + kPinRimWidth;
    return united.isNull()
        ? QRect()
        : united.intersected(m_area.rect).toAlignedRect().adjusted(-margin, -margin, margin, margin);
}

/// Returns the rectangle around the line from the start of the pinned allocation down to the axis and the
/// mark below it; empty if the start is not in view.
QRectF CursorOverlay::birthLine() const
{
    if (!isPinnedShown() || pinnedRanges().empty())
        return {};
    const QRectF rect = byteRangeRect(m_pinnedRanges.ranges.front());
    const std::int64_t birth = m_image->request.analysis->allocations.birth(m_selection.pinned());
    const bool begins = birth >= 0 && m_image->request.scale->positionOf(birth) >= m_area.xBegin;
    const double x = std::round(rect.left());
    return begins && m_area.rect.contains(QPointF(x, rect.bottom() - 1))
        ? QRectF(QPointF(x - kBirthMarkSize, rect.bottom()),
            QPointF(x + kBirthMarkSize, m_area.rect.bottom() + kBirthMarkSize))
        : QRectF();
}

QRectF CursorOverlay::tagRect() const
{
    if (!tagKey() || tagText().isEmpty())
        return {};
    const double x = m_area.toX(*tagKey());
    if (x < m_area.rect.left() - 1 || x > m_area.rect.right() + 1)
        return {};
    m_texts.setFont(font());
    const double width = m_texts.width(tagText()) + 12;
    const double leftmost = m_area.rect.left();
    const double left = std::clamp(x - width / 2, leftmost, std::max(leftmost, m_area.rect.right() - width));
    QRectF tag(std::round(left), m_area.rect.bottom() + kTagGap, width, m_texts.lineHeight() + 4.0);
    if (tag.bottom() <= height())
        return tag;
    tag.moveTop(m_area.rect.top());
    if (std::ranges::any_of(labels().marks, [&](const QRectF& label) { return label.intersects(tag); }))
        tag.moveBottom(m_area.rect.bottom());
    return tag;
}

const CursorOverlay::Labels& CursorOverlay::labels() const
{
    if (!m_labels)
        m_labels = m_findLabels ? m_findLabels() : Labels();
    return *m_labels;
}

/// Returns the tick labels that the cursor's label touches.
std::vector<QRectF> CursorOverlay::cutTickLabels() const
{
    const QRectF tag = tagRect();
    std::vector<QRectF> cut;
    if (tag.isEmpty())
        return cut;
    for (const QRectF& label : labels().ticks)
        if (label.intersects(tag))
            cut.push_back(label);
    return cut;
}

QRegion CursorOverlay::drawnRegion() const
{
    QRegion pixels;
    if (isHoveredShown())
        pixels += bounds(outlineOf(m_selection.hovered(), m_hoveredOutline));
    if (isPinnedShown()) {
        QRectF united;
        for (const BandByteRange& range : pinnedRanges())
            united |= byteRangeRect(range);
        if (!united.isNull())
            pixels
                += united.adjusted(-kPinRimWidth, -kPinRimWidth, kPinRimWidth, kPinRimWidth).toAlignedRect();
    }
    const QRect room = m_area.rect.toAlignedRect();
    if (m_rangeKeys) {
        const double left = m_area.toX(m_rangeKeys->first) - 1;
        const double right = m_area.toX(m_rangeKeys->second) + 2;
        pixels += QRectF(left, room.top(), right - left, room.height()).intersected(room).toAlignedRect();
    }
    for (const std::optional<double>& key : {m_cursorKey, m_mouseKey})
        if (key)
            pixels += QRectF(m_area.toX(*key) - 1, room.top(), 3, room.height()).toAlignedRect();
    pixels &= room;
    for (const QRectF& label : cutTickLabels())
        pixels += label.toAlignedRect();
    return pixels + birthLine().toAlignedRect() + tagRect().toAlignedRect();
}

void CursorOverlay::refresh()
{
    const QRegion newRegion = drawnRegion();
    update(m_drawnRegion + newRegion);
    m_drawnRegion = newRegion;
    m_isDrawnRegionCurrent = true;
}

void CursorOverlay::drawRange(QPainter& painter) const
{
    const double left = m_area.toX(m_rangeKeys->first);
    const double right = m_area.toX(m_rangeKeys->second);
    QColor fill = m_colors.accent;
    fill.setAlpha(40);
    const QRectF band
        = QRectF(left, m_area.rect.top(), right - left, m_area.rect.height()).intersected(m_area.rect);
    // A range that (almost) fills the view would only colour everything.
    if (band.width() < m_area.rect.width() - 2 * kPinLineWidth)
        painter.fillRect(band, fill);
    painter.setPen(QPen(m_colors.accent, 1));
    for (const double x : {left, right})
        painter.drawLine(QPointF(x, m_area.rect.top()), QPointF(x, m_area.rect.bottom()));
}

void CursorOverlay::paintEvent(QPaintEvent*)
{
    if (!std::exchange(m_isDrawnRegionCurrent, false))
        m_drawnRegion = drawnRegion();
    QPainter painter(this);
    painter.save();
    painter.setClipRect(m_area.rect.toAlignedRect(), Qt::IntersectClip);
    if (m_rangeKeys)
        drawRange(painter);
    if (isPinnedShown()) {
        painter.save();
        drawPinned(painter);
        painter.restore();
    }
    if (isHoveredShown()) {
        painter.save();
        drawHovered(painter, outlineOf(m_selection.hovered(), m_hoveredOutline));
        painter.restore();
    }
    if (m_mouseKey)
        drawVertical(painter, *m_mouseKey, m_colors.quietText);
    if (m_cursorKey)
        drawVertical(painter, *m_cursorKey, m_colors.text);
    painter.restore();
    drawBirth(painter);
    drawTag(painter);
}

void CursorOverlay::drawVertical(QPainter& painter, double key, const QColor& color) const
{
    painter.fillRect(
        QRectF(std::floor(m_area.toX(key)), m_area.rect.top(), 1, m_area.rect.height() + 1), color);
}

void CursorOverlay::drawTag(QPainter& painter) const
{
    for (const QRectF& label : cutTickLabels())
        painter.fillRect(label, m_colors.surface);
    const QRectF tag = tagRect();
    if (tag.isEmpty())
        return;
    const QColor fill = m_cursorKey ? m_colors.text : m_colors.quietText;
    painter.fillRect(tag, fill);
    painter.setPen(m_colors.surface);
    m_texts.draw(painter, tag.topLeft() + QPointF(6, 2), tagText());
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({tagText(), tag, QRectF(rect()), m_colors.surface, fill, tagText()});
}

/// Outlines the allocation with one closed line for each range of adjacent columns, without changing its
/// inside: along the upper edges from left to right, and back along the lower edges.
void CursorOverlay::drawHovered(QPainter& painter, const Outline& outline) const
{
    std::vector<QRectF> rects;
    for (const BandPiece& piece : outline.pieces)
        rects.push_back(pieceRect(piece).adjusted(-1, -1, 1, 1)); // the line is outside of the pixels
    painter.setClipRegion(QRegion(m_area.rect.toAlignedRect()) - labelsCrossedBy(rects), Qt::IntersectClip);
    painter.setPen(m_colors.text);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t first = 0; first < outline.pieces.size();) {
        QPolygon upper;
        QPolygon lower;
        std::size_t next = first;
        for (; next < outline.pieces.size()
             && (next == first || outline.pieces[next].firstColumn == outline.pieces[next - 1].endColumn);
             ++next) {
            const QRectF rect = pieceRect(outline.pieces[next]);
            const int left = qRound(rect.left()) - (next == first ? 1 : 0);
            const int right = qRound(rect.right());
            upper << QPoint(left, qRound(rect.top()) - 1) << QPoint(right, qRound(rect.top()) - 1);
            lower << QPoint(left, qRound(rect.bottom())) << QPoint(right, qRound(rect.bottom()));
        }
        std::reverse(lower.begin(), lower.end());
        painter.drawPolygon(upper + lower);
        first = next;
    }
}

/// Returns the region of the band labels that an outline crosses but does not contain, to within a pixel.
/// `rects` are those of the allocation.
QRegion CursorOverlay::labelsCrossedBy(const std::vector<QRectF>& rects) const
{
    constexpr double rounding = 1;
    QRegion crossed;
    for (const QRectF& label : labels().bands)
        if (std::ranges::any_of(rects, [&](const QRectF& rect) {
                return rect.intersects(label)
                    && (label.top() < rect.top() - rounding || label.bottom() > rect.bottom() + rounding);
            }))
            crossed += label.toAlignedRect();
    return crossed;
}

/// Draws the pinned allocation in the accent colour: filled if the band is thin, else as a frame, with a rim
/// above and below.
void CursorOverlay::drawPinned(QPainter& painter) const
{
    std::vector<QRectF> rects;
    for (const BandByteRange& range : pinnedRanges())
        if (const QRectF rect = byteRangeRect(range); rect.intersects(m_area.rect))
            rects.push_back(rect);
    painter.setClipRegion(QRegion(m_area.rect.toAlignedRect()) - labelsCrossedBy(rects), Qt::IntersectClip);
    for (const QRectF& rect : rects)
        painter.fillRect(
            QRectF(rect.left(), rect.top() - kPinRimWidth, rect.width(), kPinRimWidth), m_colors.surface);
    for (const QRectF& rect : rects)
        painter.fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), kPinRimWidth), m_colors.surface);
    for (std::size_t i = 0; i < rects.size(); ++i) {
        const QRectF& rect = rects[i];
        if (rect.height() < 3 * kPinLineWidth) {
            painter.fillRect(rect, m_colors.accent);
            continue;
        }
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), kPinLineWidth), m_colors.accent);
        painter.fillRect(
            QRectF(rect.left(), rect.bottom() - kPinLineWidth, rect.width(), kPinLineWidth), m_colors.accent);
        const bool isFirst = i == 0 || rects[i - 1].right() < rect.left() - 1;
        const bool isLast = i + 1 == rects.size() || rects[i + 1].left() > rect.right() + 1;
        if (isFirst)
            painter.fillRect(QRectF(rect.left(), rect.top(), kPinLineWidth, rect.height()), m_colors.accent);
        if (isLast)
            painter.fillRect(QRectF(rect.right() - kPinLineWidth, rect.top(), kPinLineWidth, rect.height()),
                m_colors.accent);
    }
}

void CursorOverlay::drawBirth(QPainter& painter) const
{
    const QRectF where = birthLine();
    if (where.isEmpty())
        return;
    const double x = where.center().x();
    QPen pen(m_colors.accent, 1);
    pen.setDashPattern({1, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(x, where.top() + kPinRimWidth), QPointF(x, m_area.rect.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_colors.accent);
    const double foot = m_area.rect.bottom();
    painter.drawPolygon(QPolygonF({QPointF(x - kBirthMarkSize, foot + kBirthMarkSize),
        QPointF(x + kBirthMarkSize, foot + kBirthMarkSize), QPointF(x, foot)}));
}

} // namespace highwater::gui
