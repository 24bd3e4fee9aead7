#include "app/timeline/timeline_plot.h"

#include <algorithm>

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

#include <qcustomplot.h>

#include "app/timeline/auxiliary_markers.h"
#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/bands/band_render.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/fix_overlay.h"
#include "app/timeline/highlight_chip.h"
#include "app/timeline/hover_card.h"
#include "app/timeline/note_flags.h"
#include "app/timeline/painted_layer.h"
#include "app/timeline/parts/veil.h"
#include "app/timeline/timeline_markers.h"
#include "app/workspace/document/auxiliary_sources.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/selection_text.h"

namespace highwater::gui {

TimelinePlot::TimelinePlot(VisibleRange& range, Selection& selection, const BandView& bands, QWidget* parent)
    : PlotWidget(parent)
    , m_visibleRange(range)
    , m_selection(selection)
    , m_bandView(bands)
    , m_colors(ThemeColors::light())
    , m_axes(canvas())
{
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline of allocations"));
    setAccessibleDescription(tr("Every allocation as a band over events or time. Wheel zooms, dragging pans, "
                                "a click pins the allocation under the mouse, a click on the axis sets the "
                                "moment that all views show."));
    setFocusPolicy(Qt::StrongFocus);
    canvas().setInteractions(QCP::Interactions());
    canvas().setNoAntialiasingOnDrag(false);
    setUpLayers();
    setUpAxes();
    setColors(m_colors);
    connect(&m_visibleRange, &VisibleRange::changed, this, &TimelinePlot::followVisibleRange);
    connect(&m_bandView, &BandView::changed, this, &TimelinePlot::requestImage);
    connect(&m_selection, &Selection::cursorChanged, this, &TimelinePlot::redrawCursor);
    connect(&m_selection, &Selection::pointedChanged, this, &TimelinePlot::redrawCursor);
    connect(&m_selection, &Selection::shownChanged, this, &TimelinePlot::redrawCursor);
    connect(&m_selection, &Selection::rangeChanged, this, &TimelinePlot::redrawCursor);
}

void TimelinePlot::setUpLayers()
{
    m_bands = new BandPlottable(canvas().xAxis, canvas().yAxis);
    m_notes = new NoteFlags(&canvas()); // below the texts
    // The plot owns its layers.
    new PaintedLayer(&canvas(), QStringLiteral("grid"), &m_notes->area(),
        [&axes = m_axes, notes = m_notes](QCPPainter* painter) {
            axes.drawGrid(*painter);
            notes->drawTints(painter);
        });
    m_markers = new TimelineMarkers(&canvas(), *m_bands);
    new PaintedLayer(&canvas(), QStringLiteral("background"), &m_markers->area(),
        [markers = m_markers](QCPPainter* painter) { markers->drawReserved(painter); });
    new PaintedLayer(&canvas(), QStringLiteral("axes"), nullptr,
        [&axes = m_axes](QCPPainter* painter) { axes.draw(*painter); });
    new PaintedLayer(&canvas(), QStringLiteral("overlay"), nullptr,
        [notes = m_notes](QCPPainter* painter) { notes->drawFlags(painter); });
    m_fix = new FixOverlay(&canvas(), *m_bands, *m_markers);
    // Painted with the other layers: a buffer of its own would be blended over the whole plot in every frame.
    canvas().layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
    m_veil = new Veil(*this);
    m_overlay = new CursorOverlay(this, m_selection);
    m_overlay->setLabels([this] {
        std::vector<QRectF> marks = m_markers->labelPlaces();
        if (m_chip->isVisibleTo(this))
            marks.emplace_back(m_chip->geometry());
        return CursorOverlay::Labels{m_axes.labelPlaces(), m_bands->labelPlaces(), std::move(marks)};
    });
    connect(&canvas(), &QCustomPlot::afterReplot, m_overlay, &CursorOverlay::forgetLabels);
    m_chip = new HighlightChip(m_bandView, this);
    connect(m_chip, &HighlightChip::closed, this, &TimelinePlot::highlightClosed);
    connect(m_chip, &HighlightChip::resized, this, &TimelinePlot::placeChip);
    m_card = new HoverCard(this);
}

void TimelinePlot::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    canvas().setBackground(QBrush(colors.surface));
    m_axes.setColors(colors);
    m_markers->setColors(colors);
    m_notes->setColors(colors);
    m_fix->setColors(colors);
    if (m_auxiliaryMarkers)
        m_auxiliaryMarkers->setColors(colors);
    m_overlay->setColors(colors);
    m_chip->setColors(colors);
    m_card->setColors(colors);
    replotLater();
}

void TimelinePlot::show(const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis)
{
    std::vector<AxisMark> marks;
    if (axis == AxisKind::Aligned)
        for (std::size_t step = 0; step < analysis->steps.steps.size(); ++step)
            marks.push_back({static_cast<double>(step), analysis->steps.steps[step].name, step});
    show(analysis, ownScale(analysis, axis), marks);
}

void TimelinePlot::show(std::shared_ptr<const DeviceAnalysis> analysis,
    std::shared_ptr<const EventScale> scale, const std::vector<AxisMark>& marks)
{
    m_renderTask.drop();
    m_bands->clear();
    const bool isSameDevice = m_analysis && analysis && m_analysis->trace == analysis->trace
        && m_analysis->device == analysis->device;
    m_analysis = std::move(analysis);
    m_scale = std::move(scale);
    m_linkedKey.reset();
    m_requested = {};
    m_overlay->setImage(nullptr);
    m_markers->setImage(nullptr);
    m_markers->setAnalysis(m_analysis, m_scale);
    if (!isSameDevice)
        m_notes->setNotes({});
    m_notes->setScale(m_scale);
    m_fix->setScale(m_scale);
    if (m_auxiliaryMarkers)
        m_auxiliaryMarkers->setAnalysis(m_analysis, axisKind());
    applyAxisKind(marks);
    followVisibleRange();
}

void TimelinePlot::showAuxiliarySources(AuxiliarySources& sources)
{
    m_auxiliarySources = &sources;
    m_auxiliaryMarkers = new AuxiliaryMarkers(&canvas(), sources);
    m_auxiliaryMarkers->setColors(m_colors);
}

void TimelinePlot::ignoreMouseUntilMoved()
{
    m_mouse.reset();
    m_selection.hover(Selection::kNone);
    m_selection.setPointed(std::nullopt);
    showCard(); // hides it
    QToolTip::hideText();
}

PlotArea TimelinePlot::area() const
{
    const QRect rect = canvas().xAxis->axisRect()->rect();
    return {QRectF(rect), m_visibleRange.x().begin, m_visibleRange.x().end, m_visibleRange.y().begin,
        m_visibleRange.y().end};
}

void TimelinePlot::followVisibleRange()
{
    canvas().xAxis->setRange(m_visibleRange.x().begin, m_visibleRange.x().end);
    canvas().yAxis->setRange(m_visibleRange.y().begin, m_visibleRange.y().end);
    m_axes.fit();
    passOnArea();
    requestImage();
    if (m_mouse && !m_press)
        pointAt(*m_mouse);
    replotLater();
}

void TimelinePlot::passOnArea()
{
    const PlotArea plotArea = area();
    m_bands->setArea(plotArea);
    m_markers->setArea(plotArea);
    m_notes->setArea(plotArea);
    m_fix->setArea(plotArea);
    placeChip();
    if (m_auxiliaryMarkers)
        m_auxiliaryMarkers->setArea(plotArea);
    m_overlay->setArea(plotArea);
    showCursor();
}

BandRequest TimelinePlot::currentRequest() const
{
    const PlotArea plotArea = area();
    const double pixels = canvas().bufferDevicePixelRatio();
    return {m_analysis, m_bandView.palette(), m_bandView.stacking(), m_bandView.emphasis(), m_scale,
        plotArea.xBegin, plotArea.xEnd, plotArea.yBottom, plotArea.yTop,
        qRound(plotArea.rect.width() * pixels), qRound(plotArea.rect.height() * pixels), m_colors.dark,
        std::max(1, qRound(pixels)), labelFont(), m_colors.contrast};
}

void TimelinePlot::requestImage()
{
    const BandRequest request = currentRequest();
    const bool ready = m_analysis && m_analysis == m_bandView.analysis();
    if (!ready || request == m_requested || request.width <= 0 || request.height <= 0)
        return;
    m_requested = request;
    const std::shared_ptr<const BandImage> shown = image();
    m_veil->setStale(
        shown && (shown->request.palette != request.palette || shown->request.stacking != request.stacking));
    m_renderTask.run([this, request, last = image()]() -> LatestTask::Delivery {
        const std::shared_ptr<const BandImage> image = renderBands(request, last.get());
        return [this, image] { acceptImage(image); };
    });
}

void TimelinePlot::acceptImage(const std::shared_ptr<const BandImage>& image)
{
    m_veil->setStale(false);
    m_bands->setImage(image);
    m_markers->setImage(image);
    m_overlay->setImage(image);
    if (m_mouse && !m_press)
        pointAt(*m_mouse);
    replotNow();
    if (isSettled())
        emit settled();
}

std::shared_ptr<const BandImage> TimelinePlot::image() const
{
    return m_bands->image();
}

bool TimelinePlot::isSettled() const
{
    return m_bands->image() && m_bands->image()->request == currentRequest();
}

void TimelinePlot::renderNow(double pixelRatio)
{
    if (!m_analysis || m_analysis != m_bandView.analysis())
        return;
    canvas().setBufferDevicePixelRatio(pixelRatio);
    m_renderTask.drop();
    m_chip->countNow();
    m_requested = currentRequest();
    if (m_requested.width > 0 && m_requested.height > 0)
        acceptImage(renderBands(m_requested));
}

std::int64_t TimelinePlot::eventAt(double key) const
{
    const std::shared_ptr<const BandImage> shown = image();
    const int column = shown ? shown->columnAtKey(key) : -1;
    if (column >= 0)
        return shown->raster.columns[static_cast<std::size_t>(column)].event;
    return m_scale->eventAt(key);
}

void TimelinePlot::resizeEvent(QResizeEvent* event)
{
    PlotWidget::resizeEvent(event);
    layOutPlot();
}

/// Updates the plot's layout now. The plot itself would update it only at the next replot, but pictures are
/// requested before.
void TimelinePlot::layOutPlot()
{
    canvas().plotLayout()->update(QCPLayoutElement::upPreparation);
    canvas().plotLayout()->update(QCPLayoutElement::upMargins);
    canvas().plotLayout()->update(QCPLayoutElement::upLayout);
    const QRect rect = canvas().axisRect()->rect();
    emit plotEdgesChanged(rect.left(), rect.left() + rect.width());
    followVisibleRange();
}

bool TimelinePlot::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && showTip(static_cast<const QHelpEvent&>(*event)))
        return true;
    const bool handled = PlotWidget::event(event);
    if (event->type() == QEvent::FontChange) {
        applyMargins();
        followVisibleRange();
    } else if (event->type() == QEvent::ScreenChangeInternal || event->type() == QEvent::Show) {
        if (canvas().bufferDevicePixelRatio() != devicePixelRatioF())
            canvas().setBufferDevicePixelRatio(devicePixelRatioF());
        followVisibleRange();
    }
    return handled;
}

void TimelinePlot::showMarkedRange()
{
    const auto& range = m_selection.range();
    if (!m_analysis || !range) {
        m_overlay->setRangeKeys(std::nullopt);
        return;
    }
    const EventScale& scale = *m_scale;
    const double end = range->second < scale.eventCount() ? scale.positionOf(range->second) : scale.end();
    m_overlay->setRangeKeys(std::pair(scale.positionOf(range->first), end));
}

void TimelinePlot::showCursor()
{
    showMarkedRange();
    const std::optional<double> key = m_analysis ? cursorKey() : std::nullopt;
    m_overlay->setCursor(key, key ? labelOf(m_selection.cursor()) : QString());
    const std::optional<double> mouse = m_analysis ? mouseKey() : std::nullopt;
    m_overlay->setMouse(mouse, mouse ? labelOf(m_selection.pointed()) : QString());
}

std::optional<double> TimelinePlot::cursorKey() const
{
    if (!m_selection.cursor())
        return std::nullopt;
    return m_scale->positionOf(*m_selection.cursor()) + (axisKind() == AxisKind::Event ? 0.5 : 0);
}

/// Returns the position on the x axis that the mouse points at, here or in a linked plot.
std::optional<double> TimelinePlot::mouseKey() const
{
    return isPointedAt() ? std::optional(area().keyAt(m_mouse->x())) : m_linkedKey;
}

/// Returns a text such as "event 6,230, peak of step 6"; empty without an event.
QString TimelinePlot::labelOf(const std::optional<std::int64_t>& moment) const
{
    return moment ? momentText(*m_analysis, *moment) : QString();
}

/// Shows the card next to the mouse while it is on a band.
void TimelinePlot::showCard()
{
    const std::shared_ptr<const BandImage> shown = image();
    const PlotArea plotArea = area();
    if (!m_mouse || !shown || m_press || m_notePress || m_selection.hovered() == Selection::kNone
        || !plotArea.rect.contains(*m_mouse)) {
        m_card->hide();
        return;
    }
    const int column = shown->columnAtKey(plotArea.keyAt(m_mouse->x() + 0.5));
    if (column < 0) {
        m_card->hide();
        return;
    }
    QRectF room = rect();
    room.setBottom(plotArea.rect.bottom()); // the cursor's label is below
    m_card->show(shown, m_selection.hovered(), shown->raster.columns[static_cast<std::size_t>(column)].event);
    m_card->moveNear(
        *m_mouse, room, [this](double left, double right) { return m_markers->clearRows(left, right); },
        [this](const QRectF& place) {
            return m_markers->isFreeOfLabels(place) && !m_overlay->tagRect().intersects(place);
        });
}

/// Places the chip at the top left, below the line of the capacity if that is near the top.
void TimelinePlot::placeChip()
{
    const QRectF plot = area().rect;
    const std::optional<double> line = m_markers->capacityY();
    const double top = line && *line < plot.top() + 60 ? *line + 8 : plot.top() + 8;
    const int width = std::min(m_chip->sizeHint().width(), static_cast<int>(plot.width()) - 16);
    m_chip->setGeometry(
        QRect(QPoint(qRound(plot.left()) + 8, qRound(top)), QSize(width, m_chip->sizeHint().height())));
    passOnTakenPlaces();
    replotLater();
}

void TimelinePlot::setLinkedKey(std::optional<double> key)
{
    m_linkedKey = key;
    const bool isOnScale = key && m_scale && m_scale->covers(*key);
    const std::int64_t event = isOnScale ? eventAt(*key) : kNoState;
    m_selection.setPointed(event == kNoState ? std::nullopt : std::optional(event));
    redrawCursor();
}

void TimelinePlot::redrawCursor()
{
    if (m_isPointing)
        return;
    showCursor();
    m_overlay->refresh();
}

} // namespace highwater::gui
