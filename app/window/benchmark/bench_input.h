#pragma once

#include <random>
#include <set>

#include <QElapsedTimer>
#include <QEvent>
#include <QObject>
#include <QPointF>

class QWidget;

/// Input for measurements, sent as events, and the paint events that follow it. For the GUI thread only.
namespace highwater::gui {

/// The widgets that were painted since `clear`. A QObject whose lifetime is the measurement's.
class PaintedWidgets : public QObject
{
public:
    /// Includes the widget from now on. It may outlive this object.
    void watch(QWidget& widget);
    void clear() { m_painted.clear(); }
    bool contains(const QWidget& widget) const;
    std::size_t count() const { return m_painted.size(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::set<const QObject*> m_painted;
};

/// Turns the mouse wheel by a number of notches; positive ones are away from the user. `position` is
/// in the widget's coordinates.
void sendWheel(QWidget& widget, const QPointF& position, int notches, Qt::KeyboardModifiers modifiers);
/// Sends a move without buttons, or a press or release of the left button, at a point in the widget's
/// coordinates.
void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& position);

/// Lays out and paints all parts of a window that wait for it.
void paintPendingWidgets(QWidget& window);

/// Returns a pseudo-random number between two bounds, the same in each run of the program.
double randomBetween(std::mt19937& random, double least, double most);

/// Returns the time in milliseconds since the clock was started.
double elapsedMs(const QElapsedTimer& clock);

} // namespace highwater::gui
