#include "app/window/benchmark/bench_input.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>

namespace highwater::gui {

namespace {

constexpr int kNotch = 120; ///< angle of one notch of a mouse wheel, as Qt counts it

} // namespace

void PaintedWidgets::watch(QWidget& widget)
{
    widget.installEventFilter(this);
}

bool PaintedWidgets::contains(const QWidget& widget) const
{
    return m_painted.contains(&widget);
}

bool PaintedWidgets::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Paint)
        m_painted.insert(watched);
    return QObject::eventFilter(watched, event);
}

void sendWheel(QWidget& widget, const QPointF& position, int notches, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(position, widget.mapToGlobal(position), {}, {0, notches * kNotch}, Qt::NoButton,
        modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& position)
{
    const bool isMove = type == QEvent::MouseMove;
    QMouseEvent event(type, position, widget.mapToGlobal(position), isMove ? Qt::NoButton : Qt::LeftButton,
        type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, {});
    QCoreApplication::sendEvent(&widget, &event);
}

void paintPendingWidgets(QWidget& window)
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QCoreApplication::sendPostedEvents(&window, QEvent::UpdateRequest);
}

double randomBetween(std::mt19937& random, double least, double most)
{
    return least + (most - least) * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
}

double elapsedMs(const QElapsedTimer& clock)
{
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

} // namespace highwater::gui
