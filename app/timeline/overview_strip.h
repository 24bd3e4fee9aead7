#pragma once

#include <memory>
#include <optional>

#include <QPixmap>
#include <QWidget>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/visible_range.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

/// The whole trace as one curve, with a window over the part in view. The window can be dragged, or resized
/// at its edges. A click outside moves the window there, and a drag outside zooms to the part dragged over,
/// also if the whole trace is in view. A double click shows the whole trace; the wheel zooms. The curve is
/// kept as a picture while the view moves.
class OverviewStrip : public QWidget
{
    Q_OBJECT

public:
    explicit OverviewStrip(VisibleRange& range, QWidget* parent = nullptr);

    /// Shows a device; null for none.
    void show(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis);
    void setColors(const ThemeColors& colors);
    /// Draws a line at this capacity, which the height then includes; nullopt removes the line.
    void setCapacity(std::optional<Bytes> capacity);
    /// Sets the notes to be marked. Showing another device removes them.
    void setNotes(std::vector<TimelineNote> notes);
    /// Sets left and right edge of the curve, so that it is aligned with the timeline.
    void setEdges(int left, int right);
    /// Returns the window's rectangle in the widget's pixels.
    QRectF windowRect() const;

    QSize sizeHint() const override { return {600, 26}; }
    QSize minimumSizeHint() const override { return {100, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    enum class Part
    {
        None,
        Window,
        LeftEdge,
        RightEdge
    };

    /// The part of the strip that is being dragged over, in pixels.
    struct Brush
    {
        double start = 0;
        double current = 0;
        bool isDragging = false; ///< false as long as it may be a click
    };

    QRectF curveRect() const;
    Part partAt(double x) const;
    double keyAt(double x) const;
    double xOf(double key) const;
    void drawCurve();
    double topBytes() const;
    void drawNotes(QPainter& painter) const;
    void drawBrush(QPainter& painter) const;

    VisibleRange& m_visibleRange;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    AxisKind m_axis = AxisKind::Event;
    ThemeColors m_colors;
    std::optional<Bytes> m_capacity;
    std::vector<TimelineNote> m_notes;
    QPixmap m_curve; ///< when the view moves, only the window over it moves
    int m_left = 8;
    int m_right = 8;
    Part m_dragged = Part::None;
    std::optional<Brush> m_brush;
    double m_grabOffset = 0; ///< from the window's start to the grabbed position, in axis units
};

} // namespace highwater::gui
