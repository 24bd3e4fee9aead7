#include "app/window/benchmark/rank_frames.h"

#include <QCoreApplication>
#include <QTableView>

#include "app/views/ranks/rank_heat_view.h"
#include "app/views/ranks/ranks_view.h"

namespace highwater::gui {

namespace {

constexpr int kRankZooms = 8;
constexpr double kPaintPatienceMs = 500; ///< a view scrolled to its end paints nothing

} // namespace

RankFrames::RankFrames(RanksView& view)
    : m_view(view)
{
    m_painted.watch(m_view.heat());
    m_painted.watch(*m_view.table().viewport());
}

RankSamples RankFrames::measure(int inputCount, const std::function<void()>& between)
{
    RankHeatView& heat = m_view.heat();
    QWidget& table = *m_view.table().viewport();
    for (int i = 0; i < kRankZooms; ++i)
        wheel(heat, 1, {}, m_samples.scroll);
    for (int i = 0; i < inputCount; ++i) {
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
    const QPointF at(randomBetween(m_random, plot.left(), plot.right()),
        randomBetween(m_random, plot.top(), plot.bottom()));
    measureInput(m_view.heat(), m_samples.hover, [&] { sendMouse(m_view.heat(), QEvent::MouseMove, at); });
}

void RankFrames::wheel(QWidget& widget, int notches, Qt::KeyboardModifiers modifiers, Samples& samples)
{
    const QPointF at = QRectF(widget.rect()).center();
    measureInput(widget, samples, [&] { sendWheel(widget, at, notches, modifiers); });
}

void RankFrames::measureInput(QWidget& widget, Samples& samples, const std::function<void()>& input)
{
    QCoreApplication::processEvents();
    m_painted.clear();
    QElapsedTimer clock;
    clock.start();
    input();
    while (!m_painted.contains(widget) && elapsedMs(clock) < kPaintPatienceMs)
        QCoreApplication::processEvents();
    paintPendingWidgets(*m_view.window());
    if (m_painted.contains(widget))
        samples.add(elapsedMs(clock));
}

} // namespace highwater::gui
