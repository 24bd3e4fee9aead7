#include "app/window/benchmark/bench_script.h"

#include <algorithm>

#include <QCoreApplication>
#include <QThread>

#include "app/timeline/overview_strip.h"
#include "app/timeline/painted_layer.h"
#include "app/views/parts/message_bar.h"
#include "app/views/ranks/rank_heat_view.h"
#include "app/views/ranks/ranks_view.h"
#include "app/views/segments/segments_view.h"
#include "app/window/benchmark/process_figures.h"
#include "app/window/benchmark/rank_frames.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "core/base/memory_limit.h"

namespace highwater::gui {

namespace {

constexpr int kTimelineZooms = 20;
constexpr int kPans = 40;
constexpr int kJumps = 20;
constexpr int kHovers = 200;
constexpr int kMoments = 200;
constexpr int kMomentMoves = 40;
constexpr double kZoomPlace = 0.62;
constexpr int kQuietRounds = 4;
/// A picture that takes longer than this is broken, not slow.
constexpr double kBrokenAfterMs = 60000;
constexpr unsigned long kPauseUs = 50;

/// Returns null if a single run is open.
ComparePage* comparePageOf(MainWindow& window)
{
    return window.pages().stack.isCurrent(window.pages().compare) ? &window.pages().compare : nullptr;
}

/// Returns the timelines on screen; of two runs, the earlier one first.
std::vector<TimelinePlot*> plotsOf(MainWindow& window)
{
    ComparePage* const compare = comparePageOf(window);
    if (!compare)
        return {&window.page().timeline()};
    LinkedTimelines& timelines = compare->timelines();
    return {&timelines.plot(LinkedTimelines::Before), &timelines.plot(LinkedTimelines::After)};
}

} // namespace

/// Makes plots show only their finished picture, which gives the minimum cost of a frame.
class PlainPictures
{
public:
    explicit PlainPictures(const std::vector<TimelinePlot*>& plots)
    {
        for (TimelinePlot* plot : plots) {
            auto* canvas = static_cast<QCustomPlot*>(&plot->canvasWidget());
            canvas->addLayer(QStringLiteral("plain"));
            new PaintedLayer(canvas, QStringLiteral("plain"), nullptr, [plot](QCPPainter* painter) {
                if (const std::shared_ptr<const BandImage> shown = plot->image())
                    painter->drawImage(plot->area().rect, shown->image);
            });
            m_canvases.push_back(canvas);
        }
        show(false);
    }

    void show(bool plain)
    {
        for (QCustomPlot* canvas : m_canvases)
            for (int i = 0; i < canvas->layerCount(); ++i)
                canvas->layer(i)->setVisible((canvas->layer(i)->name() == QStringLiteral("plain")) == plain);
    }

    void replot()
    {
        for (QCustomPlot* canvas : m_canvases)
            canvas->replot(QCustomPlot::rpQueuedReplot);
    }

private:
    std::vector<QCustomPlot*> m_canvases;
};

BenchScript::BenchScript(MainWindow& window, int frameCount)
    : m_window(window)
    , m_plots(plotsOf(window))
    , m_visibleRange(
          comparePageOf(window) ? comparePageOf(window)->timelines().range() : window.page().range())
    , m_overview(comparePageOf(window) ? nullptr : &window.page().overview())
    , m_analysis(comparePageOf(window) ? comparePageOf(window)->state().comparison()->before.analysis
                                       : window.page().analysis())
    , m_scale(m_plots.front()->scale())
    , m_frameCount(frameCount)
{
    for (TimelinePlot* plot : m_plots)
        m_painted.watch(plot->canvasWidget());
    m_plainPictures = std::make_unique<PlainPictures>(m_plots);
    m_clock.start();
}

BenchScript::~BenchScript() = default;

bool BenchScript::isSettled() const
{
    return std::all_of(
        m_plots.begin(), m_plots.end(), [](const TimelinePlot* plot) { return plot->isSettled(); });
}

BenchFigures BenchScript::run()
{
    m_figures.firstTimelineMs = millisecondsSinceProcessStart();
    m_figures.devicePixelRatio = m_plots.front()->devicePixelRatioF();
    m_figures.events = m_analysis->allocations.eventCount();
    m_figures.allocations = static_cast<std::int64_t>(m_analysis->allocations.size());
    // Every round moves the view, unless there is nothing to show.
    do
        playRound();
    while (!hasAllFrames() && m_figures.frameMs.count() > 0);
    m_visibleRange.fit();
    waitUntilSettled();
    m_figures.allocationsDrawn = allocationsInView();
    measureHover();
    measureStateAt();
    measureRanks();
    measureSegments();
    m_figures.peakRssBytes = peakResidentBytes();
    return m_figures;
}

void BenchScript::playRound()
{
    for (int i = 0; i < kTimelineZooms; ++i)
        zoom(1);
    for (int i = 0; i < kPans; ++i)
        pan(1);
    for (int i = 0; i < kPans; ++i)
        pan(-1);
    for (int i = 0; i < kJumps; ++i)
        jump();
    for (int i = 0; i < kTimelineZooms; ++i)
        zoom(-1);
    m_visibleRange.fit(); // at the edge of the trace, zooming out does not undo zooming in
    waitUntilSettled();
}

void BenchScript::zoom(int notches)
{
    const QRectF rect = m_plots.front()->area().rect;
    const QPointF at(rect.left() + kZoomPlace * rect.width(), rect.center().y());
    measureFrame([&] { sendWheel(*m_plots.front(), at, notches, {}); });
}

void BenchScript::pan(int notches)
{
    const QPointF at = m_plots.front()->area().rect.center();
    measureFrame([&] { sendWheel(*m_plots.front(), at, notches, Qt::ShiftModifier); });
}

void BenchScript::jump()
{
    if (!m_overview) {
        const double newBegin = random(m_visibleRange.x().lowest, m_visibleRange.x().highest);
        measureFrame([&] { m_visibleRange.setX(newBegin, newBegin + m_visibleRange.x().width()); });
        return;
    }
    OverviewStrip& overview = *m_overview;
    const QRectF rect = m_plots.front()->area().rect;
    const QRectF window = overview.windowRect();
    double x = random(rect.left(), rect.right());
    while (x > window.left() - 1 && x < window.right() + 1 && window.width() < rect.width() / 2)
        x = random(rect.left(), rect.right()); // a press there would grab the window
    const QPointF at(x, window.center().y());
    measureFrame([&] { sendMouse(overview, QEvent::MouseButtonPress, at); });
    sendMouse(overview, QEvent::MouseButtonRelease, at);
}

void BenchScript::measureFrame(const std::function<void()>& input)
{
    if (hasAllFrames())
        return;
    const AxisWindow previousView = m_visibleRange.x();
    m_painted.clear();
    const double processorBefore = processorMs();
    m_clock.start();
    input();
    const AxisWindow& currentView = m_visibleRange.x();
    if (currentView.begin == previousView.begin && currentView.end == previousView.end)
        return;
    paintWindow();
    const double frame = elapsedMs();
    m_figures.frameMs.add(frame);
    m_figures.frameProcessorMs.add(processorMs() - processorBefore);
    if (isSettled()) // the exact picture came together with the frame
        m_figures.exactFrameMs.add(frame);
    waitUntilSettled();
    m_figures.settleMs.add(elapsedMs());
    measurePlainFrame();
}

/// Measures a plain frame between the other frames, so that both see the same load on the machine.
void BenchScript::measurePlainFrame()
{
    m_plainPictures->show(true);
    m_painted.clear();
    m_clock.start();
    m_plainPictures->replot();
    paintWindow();
    m_figures.plainFrameMs.add(elapsedMs());
    m_plainPictures->show(false);
    m_plainPictures->replot();
    QCoreApplication::processEvents();
}

void BenchScript::paintWindow()
{
    while (!isPainted() && elapsedMs() < kBrokenAfterMs)
        QCoreApplication::processEvents();
    paintPendingWidgets(m_window);
}

void BenchScript::waitUntilSettled()
{
    const double limit = elapsedMs() + kBrokenAfterMs;
    while (!isSettled() && elapsedMs() < limit) {
        const double begin = elapsedMs();
        QCoreApplication::processEvents();
        if (isSettled()) {
            paintPendingWidgets(m_window);
            m_figures.exactFrameMs.add(elapsedMs() - begin);
        } else {
            QThread::usleep(kPauseUs); // leaves the processor to the thread that paints
        }
    }
}

void BenchScript::measureHover()
{
    const QRectF rect = m_plots.front()->area().rect;
    for (int i = 0; i < kHovers; ++i) {
        const QPointF at(random(rect.left(), rect.right()), random(rect.top(), rect.bottom()));
        QCoreApplication::processEvents();
        waitUntilSettled();
        m_painted.clear();
        const double processorBefore = processorMs();
        m_clock.start();
        sendMouse(*m_plots.front(), QEvent::MouseMove, at);
        QCoreApplication::sendPostedEvents();
        paintWindow();
        m_figures.hoverUs.add(elapsedMs() * 1e3);
        m_figures.hoverProcessorUs.add((processorMs() - processorBefore) * 1e3);
    }
}

void BenchScript::measureStateAt()
{
    const LiveIndex& live = m_analysis->live;
    std::vector<AllocationIndex> state;
    for (int i = 0; i < kMoments && m_figures.events > 0; ++i) {
        const auto event = static_cast<std::int64_t>(random(0, static_cast<double>(m_figures.events)));
        m_clock.start();
        live.liveAt(event, state);
        m_figures.stateAtMs.add(elapsedMs());
    }
}

/// Opens the view, then moves the moment to pseudo-random events. Each sample ends when the map shows the
/// moment; the replays of settings, which an out-of-memory event starts, go on beside it.
void BenchScript::measureSegments()
{
    auto* const view = m_window.findChild<SegmentsView*>();
    if (comparePageOf(m_window) || !view || m_analysis->trace->segments.segments.empty())
        return;
    const auto measure = [&](Samples& samples, const std::function<void()>& input) {
        const auto before = view->moment();
        const auto showsMoment
            = [&] { return view->moment() && (view->moment() != before || view->isSettled()); };
        m_clock.start();
        input();
        do
            QCoreApplication::processEvents();
        while (!showsMoment() && elapsedMs() < kBrokenAfterMs);
        view->repaint();
        samples.add(elapsedMs());
    };
    Selection& selection = m_window.page().selection();
    const std::int64_t last = std::max<std::int64_t>(m_figures.events - 1, 0);
    measure(m_figures.segmentsOpenMs, [&] { m_window.openView(view->objectName()); });
    for (int i = 0; i < kMomentMoves && m_figures.events > 0; ++i) {
        const auto event = static_cast<std::int64_t>(random(0, static_cast<double>(last)));
        measure(m_figures.segmentsFollowMs, [&] { selection.setCursor(event); });
    }
}

/// Measures the ranks view with plain frames in between, like the other frames.
void BenchScript::measureRanks()
{
    auto* const ranks = m_window.findChild<RanksView*>();
    if (comparePageOf(m_window) || !ranks || !m_window.sessions().run.hasRanks())
        return;
    for (MessageBar* message : m_window.findChildren<MessageBar*>())
        message->dismiss(); // a widget over a table makes it paint all of its rows
    m_window.openView(ranks->objectName());
    QCoreApplication::processEvents();
    if (ranks->heat().isEmpty())
        return;
    RankFrames frames(*ranks);
    m_figures.ranks = frames.measure(m_frameCount, [this] {
        measurePlainFrame();
        // Drawing that is still pending must not count for the next frame.
        for (int i = 0; i < kQuietRounds; ++i) {
            waitUntilSettled();
            QCoreApplication::processEvents();
        }
    });
}

/// Counts the allocations that live at some time in the view: the layout stacks them all, however thin.
std::int64_t BenchScript::allocationsInView() const
{
    const DeviceAnalysis& analysis = *m_analysis;
    const std::int64_t first = m_scale->eventAt(m_visibleRange.x().begin);
    const std::int64_t last = m_scale->eventAt(m_visibleRange.x().end);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < analysis.allocations.size(); ++i) {
        const auto allocation = static_cast<AllocationIndex>(i);
        count += analysis.allocations.birth(allocation) <= last
            && analysis.allocations.death(allocation) > first;
    }
    return count;
}

} // namespace highwater::gui
