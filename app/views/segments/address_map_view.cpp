#include "app/views/segments/address_map_view.h"

#include <algorithm>
#include <cmath>

#include <QFontInfo>
#include <QMouseEvent>
#include <QScrollBar>

#include "app/views/parts/arrange.h"
#include "app/views/parts/figure_view.h"
#include "app/views/segments/block_tip.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/segments/map_key.h"
#include "core/figure/segments/map_marks.h"
#include "core/figure/segments/segment_captions.h"

namespace highwater::gui {

namespace {
/// Number of bars in addition to the rows of free blocks: the request, and the free memory of the GPU.
constexpr int kOtherBars = 2;
/// Minimum height of the viewport in pixels for three rows of free blocks instead of one.
constexpr int kHeightForFreeBlockRows = 300;
/// Width of the caption right of a segment with its own row, in heights of its font.
constexpr double kCaptionRoom = 24;
/// Fewer segments than this are wrapped, which uses the width better than a row for each.
constexpr std::size_t kFewestRows = 4;
constexpr double kMapZoomStep = 1.25;
constexpr double kLargestZoom = 4096;

/// Returns 1 for the key that walks to the next event, −1 for the previous one, 0 for other keys.
int walkDirection(const QKeyEvent& event)
{
    if (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
        return 0;
    return event.key() == Qt::Key_Right ? 1 : event.key() == Qt::Key_Left ? -1 : 0;
}

} // namespace

AddressMapView::AddressMapView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_colors(ThemeColors::light())
{
    named(this, "addressMap", tr("Address map of the allocator's segments"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // otherwise the map's width would depend on its height
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

AddressMapOptions AddressMapView::options() const
{
    const double ratio = devicePixelRatioF();
    const auto pixels
        = [ratio](double length) { return std::max(1, static_cast<int>(length * ratio + 0.5)); };
    AddressMapOptions options;
    options.width = std::max(1, pixels(viewport()->width() - 2 * kMargin - m_gutter));
    options.rowHeight = pixels(fontMetrics().height() * (isShort() ? 0.6 : 0.97));
    options.rowGap = pixels(isShort() ? 2 : 4);
    options.segmentGap = pixels(3);
    options.headingHeight = pixels(fontMetrics().height() + (isShort() ? 2 : 8));
    options.narrowest = pixels(2);
    options.order = m_order;
    return options;
}

/// Returns the height to fill, in device pixels: what the bars and the key leave of the viewport, but at
/// least ten rows and the headings.
int AddressMapView::roomToFill(const AddressMapOptions& layoutOptions) const
{
    constexpr int fewestRows = 10;
    const int row = layoutOptions.rowHeight + layoutOptions.rowGap;
    const auto lists = static_cast<int>(m_moment->figures.lists.size());
    const int headings
        = layoutOptions.order == SegmentOrder::ByFreeList ? lists * (layoutOptions.headingHeight + row) : 0;
    const double bars = isShort() ? 0
                                  : mapKeyHeight(deviceFont())
            + (m_moment->verdict ? (kOtherBars + freeBlockRows() + (m_commonObstacle.empty() ? 0 : 1))
                        * (layoutOptions.rowHeight + layoutOptions.rowGap)
                                 : 0);
    const double visible = (viewport()->height() - 2 * kMargin) * devicePixelRatioF() - bars;
    return std::max(static_cast<int>(visible), headings + fewestRows * row);
}

/// Chooses the scale. Each segment gets its own row if there are at least kFewestRows, all of them fit, and
/// there is no zoom; otherwise segments are wrapped like text. Without zoom, the failed request fits into the
/// width. The scale only gets coarser from moment to moment, and only where it must: while the map follows
/// the cursor, equal blocks mostly stay equally long.
void AddressMapView::chooseScale(AddressMapOptions& layoutOptions)
{
    const SegmentState& state = m_moment->state;
    const Bytes request = m_moment->ghost ? m_moment->ghost->bytes
        : m_moment->verdict               ? std::max<Bytes>(0, m_moment->verdict->requestedBytes)
                                          : 0;
    layoutOptions.bytesPerPixel = rowPerSegmentScale(
        state, request, layoutOptions.width, static_cast<int>(kCaptionRoom * deviceFont()));
    layoutOptions.hasRowPerSegment = m_zoom == 1 && state.segments.size() >= kFewestRows
        && hasRowForEach(state, layoutOptions, roomToFill(layoutOptions));
    if (!layoutOptions.hasRowPerSegment)
        layoutOptions.bytesPerPixel = std::max(scaleToFit(state, layoutOptions, roomToFill(layoutOptions)),
            static_cast<double>(request) / std::max(1, layoutOptions.width));
    double& coarsest = m_coarsest[layoutOptions.hasRowPerSegment ? 1 : 0];
    coarsest = std::max(coarsest, layoutOptions.bytesPerPixel);
    layoutOptions.bytesPerPixel = coarsest / m_zoom;
}

void AddressMapView::layOutMarks()
{
    const MapMarksLook look{.palette = FigurePalette::of(m_colors.ground()),
        .rowHeight = options().rowHeight,
        .pixel = std::max(1, static_cast<int>(devicePixelRatioF() + 0.5))};
    m_marks = changeOutline(*m_moment, m_map, look);
    m_ghost = requestGhostShapes(*m_moment, m_map, look);
}

int AddressMapView::freeBlockRows() const
{
    return viewport()->height() < kHeightForFreeBlockRows ? 1 : 3;
}

/// Returns the font size of captions, in device pixels.
double AddressMapView::deviceFont() const
{
    return QFontInfo(smallFont(font())).pixelSize() * devicePixelRatioF();
}

/// Lays out the segments, right of the addresses of their rows if there is room.
void AddressMapView::layOutMap()
{
    constexpr int narrowestWithAddresses = 520;
    if (!isShort() && viewport()->width() >= narrowestWithAddresses)
        m_gutter
            = QFontMetrics(smallFont(font())).horizontalAdvance(QStringLiteral("0x888888888888")) + kMargin;
    AddressMapOptions layoutOptions = options();
    chooseScale(layoutOptions);
    m_map = addressMap(m_moment->state, layoutOptions);
    m_hasRowPerSegment = layoutOptions.hasRowPerSegment;
}

void AddressMapView::layOut()
{
    m_map = {};
    m_request = {};
    m_marks.clear();
    m_ghost.clear();
    m_gutter = 0;
    const bool hasBars = m_moment && m_moment->verdict && m_moment->verdict->requestedBytes > 0 && !isShort();
    m_commonObstacle = hasBars ? commonObstacle(m_analysis->sites, *m_moment) : std::string();
    if (m_moment && !m_moment->state.segments.empty()) {
        layOutMap();
        layOutRequest();
        layOutMarks();
        const double ratio = devicePixelRatioF();
        const int height
            = static_cast<int>(std::ceil((m_request.height + m_map.height) / ratio)) + 2 * kMargin;
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
    if (analysis != m_analysis) {
        m_palette.reset();
        m_coarsest = {};
    }
    const bool isOther = analysis != m_analysis;
    m_analysis = std::move(analysis);
    m_moment = std::move(moment);
    m_markedSegment.reset();
    layOut();
    if (isOther)
        verticalScrollBar()->setValue(0);
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
    layOut();
}

void AddressMapView::setOrder(SegmentOrder order)
{
    m_order = order;
    m_coarsest = {};
    layOut();
}

void AddressMapView::fit()
{
    m_coarsest = {};
    setZoom(1);
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
    if (strip != m_map.strips.end())
        scrollTo(strip->y);
    viewport()->update();
}

void AddressMapView::showChange()
{
    if (!m_moment)
        return;
    const MemoryChange& change = m_moment->change;
    const std::vector<MapStrip> parts = findStrips(m_moment->state, m_map, change.begin, change.length);
    if (!parts.empty())
        scrollTo(parts.front().y);
}

/// Scrolls to a row of the map unless it is visible.
void AddressMapView::scrollTo(int mapY)
{
    const int y = static_cast<int>((mapY + m_request.height) / devicePixelRatioF());
    const int top = verticalScrollBar()->value();
    if (y < top || y + 3 * kMargin > top + viewport()->height())
        verticalScrollBar()->setValue(y - viewport()->height() / 3);
}

QPoint AddressMapView::toMap(const QPoint& position) const
{
    const double ratio = devicePixelRatioF();
    return {static_cast<int>((position.x() - kMargin - m_gutter) * ratio),
        static_cast<int>((position.y() - kMargin + verticalScrollBar()->value()) * ratio - m_request.height)};
}

std::optional<std::uint32_t> AddressMapView::blockAt(const QPoint& position) const
{
    const QPoint mapPoint = toMap(position);
    const int box = m_map.boxAt(mapPoint.x(), mapPoint.y(), options().rowHeight);
    if (box < 0)
        return std::nullopt;
    return m_map.cells[m_map.boxes[static_cast<std::size_t>(box)].cell].main;
}

AllocationIndex AddressMapView::allocationAt(const QPoint& position) const
{
    const auto block = blockAt(position);
    return block ? m_moment->state.blocks[*block].allocation : AllocationTable::kNoAllocation;
}

/// Returns the full caption at a point of the map, for the tool tip, because the painted caption may be cut.
QString AddressMapView::captionAt(const QPoint& mapPoint) const
{
    if (!m_moment || !m_hasRowPerSegment)
        return {};
    const auto isBeside = [&](const MapStrip& strip) {
        return strip.ends && mapPoint.x() >= strip.x + strip.width && mapPoint.y() >= strip.y
            && mapPoint.y() < strip.y + options().rowHeight;
    };
    const auto strip = std::ranges::find_if(m_map.strips, isBeside);
    return strip == m_map.strips.end()
        ? QString()
        : toQString(segmentCaption(m_analysis->sites, *m_moment, strip->segment));
}

QString AddressMapView::tipAt(const QPoint& position) const
{
    const QPoint mapPoint = toMap(position);
    const int index = m_moment ? m_map.boxAt(mapPoint.x(), mapPoint.y(), options().rowHeight) : -1;
    if (mapPoint.y() < 0)
        return titleAt(
            m_request.shapes, {static_cast<double>(mapPoint.x()), mapPoint.y() + m_request.height});
    if (index < 0)
        return captionAt(mapPoint) + headingAt(mapPoint.y());
    return blockTip(
        *m_analysis, m_moment->state, m_map.cells[m_map.boxes[static_cast<std::size_t>(index)].cell]);
}

void AddressMapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    // Sentences above the map come and go with the moment: a few lines of height leave the scale as it is.
    const QSize change = event->size() - event->oldSize();
    if (change.width() != 0 || std::abs(change.height()) > 4 * fontMetrics().height())
        m_coarsest = {};
    layOut();
}

void AddressMapView::scrollContentsBy(int, int)
{
    viewport()->update();
}

void AddressMapView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() & Qt::ControlModifier)
        setZoom(m_zoom * std::pow(kMapZoomStep, event->angleDelta().y() / 120.0));
    else
        QAbstractScrollArea::wheelEvent(event);
}

void AddressMapView::keyPressEvent(QKeyEvent* event)
{
    if (const int direction = walkDirection(*event))
        emit walked(direction, event->modifiers().testFlag(Qt::ShiftModifier));
    else
        QAbstractScrollArea::keyPressEvent(event);
}

/// Keeps the keys of the map from the timeline, which uses them as shortcuts, while the map has the focus.
bool AddressMapView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && walkDirection(static_cast<QKeyEvent&>(*event)) != 0) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        viewport()->update(); // for the frame of the focus
    return QAbstractScrollArea::event(event);
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
    return showTip(*event, *viewport(), [this](const QPoint& position) { return tipAt(position); })
        || QAbstractScrollArea::viewportEvent(event);
}

} // namespace highwater::gui
