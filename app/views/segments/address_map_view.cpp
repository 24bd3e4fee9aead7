#include "app/views/segments/address_map_view.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "app/views/parts/arrange.h"
#include "app/views/parts/figure_painter.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"
#include "core/figure/address_map_shapes.h"

namespace highwater::gui {

namespace {
constexpr int kMargin = 8;
constexpr double kZoomStep = 1.25;
constexpr double kLargestZoom = 4096;

QString exactText(Bytes bytes)
{
    return bytesText(bytes) + QStringLiteral(" (") + QString::fromStdString(formatExactBytes(bytes))
        + QLatin1Char(')');
}

QString addressText(Address address)
{
    return QString::fromStdString(formatAddress(address));
}

} // namespace

AddressMapView::AddressMapView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_colors(ThemeColors::light())
{
    named(this, "addressMap", tr("Address map of the allocator's segments"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // else the map's width depends on its height
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

AddressMapOptions AddressMapView::options() const
{
    const double ratio = devicePixelRatioF();
    const auto pixels
        = [ratio](double length) { return std::max(1, static_cast<int>(length * ratio + 0.5)); };
    AddressMapOptions options;
    options.width = std::max(1, pixels(viewport()->width() - 2 * kMargin));
    options.rowHeight = pixels(fontMetrics().height() * 0.85);
    options.rowGap = pixels(4);
    options.segmentGap = pixels(3);
    options.headingHeight = pixels(fontMetrics().height() + 8);
    options.narrowest = pixels(2);
    options.order = m_order;
    return options;
}

/// The viewport's height in device pixels; where that is too little for legible segments, some rows more.
int AddressMapView::roomToFill(const AddressMapOptions& of) const
{
    constexpr int fewestRows = 10;
    const int row = of.rowHeight + of.rowGap;
    const auto lists = static_cast<int>(m_moment->figures.lists.size());
    const int headings = of.order == SegmentOrder::ByFreeList ? lists * (of.headingHeight + row) : 0;
    const double visible = (viewport()->height() - 2 * kMargin) * devicePixelRatioF();
    return std::max(static_cast<int>(visible), headings + fewestRows * row);
}

void AddressMapView::layOut()
{
    m_map = {};
    if (m_moment && !m_moment->state.segments.empty()) {
        AddressMapOptions of = options();
        const double ratio = devicePixelRatioF();
        of.bytesPerPixel = scaleToFit(m_moment->state, of, roomToFill(of)) / m_zoom;
        m_map = addressMap(m_moment->state, of);
        const int height = static_cast<int>(std::ceil(m_map.height / ratio)) + 2 * kMargin;
        verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    } else {
        verticalScrollBar()->setRange(0, 0);
    }
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(fontMetrics().height());
    viewport()->update();
}

void AddressMapView::show(
    std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const AllocatorMoment> moment)
{
    if (analysis != m_analysis)
        m_palette.reset();
    m_analysis = std::move(analysis);
    m_moment = std::move(moment);
    m_markedSegment.reset();
    layOut();
}

void AddressMapView::setPalette(std::shared_ptr<const BandPalette> palette)
{
    if (palette == m_palette)
        return;
    m_palette = std::move(palette);
    viewport()->update();
}

void AddressMapView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    viewport()->update();
}

void AddressMapView::setOrder(SegmentOrder order)
{
    m_order = order;
    layOut();
}

void AddressMapView::setZoom(double zoom)
{
    zoom = std::clamp(zoom, 1.0, kLargestZoom);
    if (zoom == m_zoom)
        return;
    const QScrollBar* bar = verticalScrollBar();
    const double middle
        = (bar->value() + viewport()->height() / 2.0) / std::max(1, bar->maximum() + viewport()->height());
    m_zoom = zoom;
    layOut();
    verticalScrollBar()->setValue(
        static_cast<int>(middle * (bar->maximum() + viewport()->height()) - viewport()->height() / 2.0));
    emit zoomChanged();
}

void AddressMapView::setMarked(AllocationIndex allocation)
{
    if (m_marked == allocation)
        return;
    m_marked = allocation;
    viewport()->update();
}

void AddressMapView::showSegment(std::uint32_t segment)
{
    m_markedSegment = segment;
    const auto strip = std::find_if(m_map.strips.begin(), m_map.strips.end(),
        [segment](const MapStrip& each) { return each.segment == segment; });
    if (strip != m_map.strips.end()) {
        const int y = static_cast<int>(strip->y / devicePixelRatioF());
        const int top = verticalScrollBar()->value();
        if (y < top || y + 3 * kMargin > top + viewport()->height())
            verticalScrollBar()->setValue(y - viewport()->height() / 3);
    }
    viewport()->update();
}

QPoint AddressMapView::toMap(const QPoint& position) const
{
    const double ratio = devicePixelRatioF();
    return {static_cast<int>((position.x() - kMargin) * ratio),
        static_cast<int>((position.y() - kMargin + verticalScrollBar()->value()) * ratio)};
}

std::optional<std::uint32_t> AddressMapView::blockAt(const QPoint& position) const
{
    const QPoint at = toMap(position);
    const int box = m_map.boxAt(at.x(), at.y(), options().rowHeight);
    if (box < 0)
        return std::nullopt;
    return m_map.cells[m_map.boxes[static_cast<std::size_t>(box)].cell].main;
}

QRect AddressMapView::rectOfBlock(std::uint32_t block) const
{
    const double ratio = devicePixelRatioF();
    const int height = static_cast<int>(options().rowHeight / ratio);
    for (const MapBox& box : m_map.boxes) {
        const RowRange blocks = m_map.cells[box.cell].blocks;
        if (block < blocks.first || block >= blocks.last)
            continue;
        const QRect rect(static_cast<int>(box.x / ratio) + kMargin,
            static_cast<int>(box.y / ratio) + kMargin - verticalScrollBar()->value(),
            std::max(1, static_cast<int>(box.width / ratio)), height);
        return rect.intersects(viewport()->rect()) ? rect : QRect();
    }
    return {};
}

AllocationIndex AddressMapView::allocationAt(const QPoint& position) const
{
    const auto block = blockAt(position);
    return block ? m_moment->state.blocks[*block].allocation : AllocationTable::kNoAllocation;
}

QString AddressMapView::tipAt(const QPoint& position) const
{
    const QPoint at = toMap(position);
    const int index = m_moment ? m_map.boxAt(at.x(), at.y(), options().rowHeight) : -1;
    if (index < 0)
        return {};
    const MapCell& cell = m_map.cells[m_map.boxes[static_cast<std::size_t>(index)].cell];
    const SegmentState& state = m_moment->state;
    const BlockAt& block = state.blocks[cell.main];
    const SegmentAt& segment = state.segments[cell.segment];
    QStringList lines;
    if (block.isHole()) {
        lines << tr("Free hole of %1").arg(exactText(block.size));
    } else {
        const AllocationTable& allocations = m_analysis->allocations;
        const std::int32_t birth = allocations.birth(block.allocation);
        lines << (block.state == BlockState::PendingFree
                ? tr("Freed, but another stream still uses it: block of %1").arg(exactText(block.size))
                : tr("Block of %1").arg(exactText(block.size)));
        lines << tr("requested %1").arg(exactText(block.requested));
        lines << toQString(m_analysis->sites.site(m_analysis->sites.of(block.allocation)).label);
        lines << (birth < 0 ? tr("older than the trace") : tr("born at event %1").arg(countText(birth)));
    }
    if (cell.blocks.size() > 1)
        lines << tr("and %1 thinner than a pixel beside it: in sum %2 active, %3 awaited, %4 free")
                     .arg(countText(cell.blocks.size() - 1), bytesText(cell.activeBytes),
                         bytesText(cell.pendingBytes), bytesText(cell.freeBytes));
    lines << tr("at %1 in the segment %2 of %3, %4 of it free")
                 .arg(addressText(block.address), addressText(segment.range.begin),
                     bytesText(segment.range.size), bytesText(segment.freeBytes));
    lines << toQString(toText(
        *m_analysis->trace, FreeListKey{segment.range.pool, segment.range.stream, segment.range.type}));
    return lines.join(QLatin1Char('\n'));
}

void AddressMapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_colors.surface);
    if (!m_moment || m_map.boxes.empty())
        return;
    // Device pixels: edges stay sharp at any scale of the screen.
    const double ratio = devicePixelRatioF();
    painter.translate(kMargin, kMargin - verticalScrollBar()->value());
    painter.scale(1 / ratio, 1 / ratio);
    QFont font = this->font();
    if (font.pixelSize() > 0)
        font.setPixelSize(static_cast<int>(font.pixelSize() * ratio));
    else
        font.setPointSizeF(font.pointSizeF() * ratio);
    const QRect dirty = event->rect();
    const QRect part(toMap(dirty.topLeft()), toMap(dirty.bottomRight() + QPoint(1, 1)));
    paintHeadings(painter, part, font);
    paintMap(painter, part, std::max(1, static_cast<int>(ratio + 0.5)));
}

QString AddressMapView::textOf(const FreeListKey& key) const
{
    QString text = toQString(toText(*m_analysis->trace, key));
    for (const FreeListFigures& list : m_moment->figures.lists)
        if (list.key == key)
            text += QStringLiteral("   %1 in %2, %3 free, largest run %4")
                        .arg(bytesText(list.reservedBytes), countedText(list.segments, "segment", "segments"),
                            bytesText(list.freeBytes), bytesText(list.largestFree));
    return text;
}

void AddressMapView::paintHeadings(QPainter& painter, const QRect& part, const QFont& font) const
{
    painter.setFont(font);
    painter.setPen(m_colors.quietText);
    const int height = options().headingHeight;
    for (const MapHeading& heading : m_map.headings)
        if (heading.y <= part.bottom() && heading.y + 2 * height >= part.top())
            painter.drawText(QRect(0, heading.y, m_map.width, height), Qt::AlignLeft | Qt::AlignVCenter,
                textOf(heading.key));
}

/// Of the map's pixels; `pixel` of them are one of the screen's.
void AddressMapView::paintMap(QPainter& painter, const QRect& part, int pixel) const
{
    const BandPalette& palette = m_palette ? *m_palette : *m_analysis->sitePalette;
    const AddressMapLook look{.palette = FigurePalette::of(m_colors.dark),
        .colorOf = [&](AllocationIndex i) { return palette.shade(i, m_colors.dark) & 0xffffff; },
        .rowHeight = options().rowHeight,
        .pixel = pixel,
        .marked = m_markedSegment};
    paintShapes(painter, addressMapShapes(m_moment->state, m_map, look, part.top(), part.bottom() + 1));
    painter.setBrush(Qt::NoBrush);
    for (const MapBox& box : m_map.boxes) {
        const AllocationIndex allocation = m_moment->state.blocks[m_map.cells[box.cell].main].allocation;
        if (allocation == AllocationTable::kNoAllocation
            || (allocation != m_marked && allocation != m_hovered))
            continue;
        painter.setPen(QPen(m_colors.text, (allocation == m_marked ? 2 : 1) * pixel));
        painter.drawRect(QRect(box.x, box.y, box.width - 1, look.rowHeight - 1));
    }
}

void AddressMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void AddressMapView::scrollContentsBy(int, int)
{
    viewport()->update();
}

void AddressMapView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() & Qt::ControlModifier)
        setZoom(m_zoom * std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    else
        QAbstractScrollArea::wheelEvent(event);
}

void AddressMapView::setHovered(AllocationIndex allocation)
{
    if (m_hovered == allocation)
        return;
    m_hovered = allocation;
    viewport()->update();
    emit hovered(allocation);
}

void AddressMapView::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(m_moment ? allocationAt(event->pos()) : AllocationTable::kNoAllocation);
}

void AddressMapView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_moment)
        emit clicked(allocationAt(event->pos()));
}

void AddressMapView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_moment)
        emit doubleClicked(allocationAt(event->pos()));
}

bool AddressMapView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        setHovered(AllocationTable::kNoAllocation);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace highwater::gui
