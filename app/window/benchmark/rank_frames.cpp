#include "app/window/benchmark/rank_frames.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTableView>
#include <QWheelEvent>

#include "app/views/ranks/rank_heat_view.h"
#include "app/views/ranks/ranks_view.h"

namespace highwater::gui {

namespace {

constexpr int kNotch = 120; ///< angle of one notch of a mouse wheel, as Qt counts it
constexpr int kRankZooms = 8;
constexpr double kPaintPatienceMs = 500; ///< a view scrolled to its end paints nothing

double milliseconds(const QElapsedTimer& clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

} // namespace

RankFrames::RankFrames(RanksView& view)
    : m_view(view)
{
    m_view.heat().installEventFilter(this);
    m_view.table().viewport()->installEventFilter(this);
}

bool RankFrames::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Paint)
        m_painted.insert(watched);
    return QObject::eventFilter(watched, event);
}

RankSamples RankFrames::measure(int frames, const std::function<void()>& between)
{
    RankHeatView& heat = m_view.heat();
    QWidget& table = *m_view.table().viewport();
    for (int i = 0; i < kRankZooms; ++i)
        wheel(heat, 1, {}, m_samples.scroll);
    for (int i = 0; i < frames; ++i) {
        const int notches = i % 20 < 10 ? -1 : 1;
        switch (i % 3) {
        case 0: hover(); break;
        case 1: wheel(heat, notches, Qt::ShiftModifier, m_samples.scroll); break;
        default: wheel(table, notches, {}, m_samples.table);
        }
        between();
    }
    return m_samples;
}

void RankFrames::hover()
{
    const QRectF plot = m_view.heat().plotRect();
    const QPointF at(random(plot.left(), plot.right()), random(plot.top(), plot.bottom()));
    measureInput(m_view.heat(), m_samples.hover, [&] {
        QMouseEvent event(
            QEvent::MouseMove, at, m_view.heat().mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(&m_view.heat(), &event);
    });
}

void RankFrames::wheel(QWidget& widget, int notches, Qt::KeyboardModifiers modifiers, Samples& samples)
{
    const QPointF at = QRectF(widget.rect()).center();
    measureInput(widget, samples, [&] {
        QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, notches * kNotch}, Qt::NoButton, modifiers,
            Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&widget, &event);
    });
}

void RankFrames::measureInput(QWidget& widget, Samples& samples, const std::function<void()>& input)
{
    QCoreApplication::processEvents();
    m_painted.clear();
    QElapsedTimer clock;
    clock.start();
    input();
    while (!m_painted.contains(&widget) && milliseconds(clock) < kPaintPatienceMs)
        QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::sendPostedEvents(m_view.window(), QEvent::UpdateRequest);
    if (m_painted.contains(&widget))
        samples.add(milliseconds(clock));
}

double RankFrames::random(double from, double to)
{
    return from + (to - from) * static_cast<double>(m_random()) / static_cast<double>(std::mt19937::max());
}

} // namespace highwater::gui
