#pragma once

#include <QObject>

namespace highwater::gui {

/// The part of one axis in view, always within its limits, and never narrower than a minimum unless the
/// limits are.
struct AxisWindow
{
    double begin = 0;
    double end = 1;
    double lowest = 0; ///< limits of `begin` and `end`
    double highest = 1;
    double narrowest = 0; ///< least width

    double width() const { return end - begin; }
    bool isWhole() const { return begin == lowest && end == highest; }
    /// Sets both ends as far as the limits allow; the width takes precedence over the position.
    void set(double newBegin, double newEnd);
    /// Zooms around `anchor`, which stays in place on screen as far as the limits allow.
    void zoom(double anchor, double factor);
    void reset();
};

/// The range shown by the timeline: x in units of its EventScale, y in bytes.
class VisibleRange : public QObject
{
    Q_OBJECT

public:
    explicit VisibleRange(QObject* parent = nullptr);

    const AxisWindow& x() const { return m_x; }
    const AxisWindow& y() const { return m_y; }
    bool isFit() const { return m_x.isWhole() && m_y.isWhole(); }

    /// Sets new limits and shows everything. y begins at 0 bytes.
    void setLimits(double xBegin, double xEnd, double narrowestX, double yTop);
    void setX(double begin, double end);
    /// Sets both axes at once.
    void show(double xBegin, double xEnd, double yBottom, double yTop);
    /// A factor below 1 zooms in.
    void zoomX(double anchor, double factor);
    void zoomY(double anchor, double factor);
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
