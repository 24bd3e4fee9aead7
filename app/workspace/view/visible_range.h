#pragma once

#include <QObject>

namespace highwater::gui {

/// The part of one axis that is in view, always within its limits and never narrower than a minimum.
struct AxisWindow
{
    double begin = 0;
    double end = 1;
    double lowest = 0;
    double highest = 1;
    double narrowest = 0;

    double width() const { return end - begin; }
    bool isWhole() const { return begin == lowest && end == highest; }
    /// Both as asked for where the limits allow; the width is kept before the place.
    void set(double newBegin, double newEnd);
    /// `at` stays where it is on screen as long as the limits allow.
    void zoom(double at, double factor);
    void reset();
};

/// What the timeline shows: x in units of its EventScale, y in bytes.
class VisibleRange : public QObject
{
    Q_OBJECT

public:
    explicit VisibleRange(QObject* parent = nullptr);

    const AxisWindow& x() const { return m_x; }
    const AxisWindow& y() const { return m_y; }
    bool isFit() const { return m_x.isWhole() && m_y.isWhole(); }

    /// New limits; shows everything.
    void setLimits(double xBegin, double xEnd, double narrowestX, double yTop);
    void setX(double begin, double end);
    /// Both axes at once.
    void show(double xBegin, double xEnd, double yBottom, double yTop);
    /// Below 1 zooms in.
    void zoomX(double at, double factor);
    void zoomY(double at, double factor);
    void pan(double dx, double dy);
    void fit();

signals:
    void changed();

private:
    void apply(const AxisWindow& x, const AxisWindow& y);

    AxisWindow m_x;
    AxisWindow m_y;
};

} // namespace highwater::gui
