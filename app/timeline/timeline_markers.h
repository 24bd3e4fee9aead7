#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "app/timeline/bands/band_image.h"
#include "app/timeline/label_placer.h"
#include "app/timeline/parts/pixel_steps.h"
#include "app/timeline/parts/plot_area.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

class BandPlottable;

/// Markers over the bands: the peak, the peak so far, the capacity of the GPU, out-of-memory events, starts
/// of steps, the compared moment. Their labels are in the free space above the data. QCustomPlot owns this
/// object; the caller replots after changes.
class TimelineMarkers : public QCPLayerable
{
    Q_OBJECT

public:
    /// `bands` must belong to the same plot.
    TimelineMarkers(QCustomPlot* plot, const BandPlottable& bands);

    /// `scale` belongs to the analysis.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const EventScale> scale);
    void setArea(const PlotArea& area) { m_area = area; }
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setFont(const QFont& font) { m_font = font; }
    /// Sets the picture, so that labels do not cover its data; null if there is none.
    void setImage(std::shared_ptr<const BandImage> image) { m_image = std::move(image); }
    /// Draws a line at this capacity; nullopt removes it.
    void setCapacity(std::optional<DeviceCapacity> capacity) { m_capacity = std::move(capacity); }
    const std::optional<DeviceCapacity>& capacity() const { return m_capacity; }
    void setPeakSoFarShown(bool shown) { m_showsPeakSoFar = shown; }
    bool isPeakSoFarShown() const { return m_showsPeakSoFar; }
    /// Sets the positions on the axis at which steps begin, ascending. A line is drawn at each, but through
    /// no label, unless they are less than six pixels apart on average.
    void setStepLines(std::vector<double> places) { m_stepLines = std::move(places); }
    /// Sets the moment that is compared with one of another run; nullopt if there is none. No line is drawn
    /// if it is the peak, which has its own marker.
    void setComparedEvent(std::optional<std::int64_t> event) { m_comparedEvent = event; }

    /// Sets places that labels must not overlap.
    void setBlockedPlaces(std::vector<QRectF> places) { m_taken = std::move(places); }

    /// Returns the line of the largest total up to each pixel of the area. O(pixels × log events).
    StepLine peakSoFarLine() const;
    /// Returns the free rows between two x: from the top of the plot to the top of the data.
    std::pair<double, double> clearRows(double left, double right) const;
    /// Returns the topmost pixel of the data between two x; the lower edge of the area without a picture.
    double dataTop(double left, double right) const;
    /// True if the place overlaps neither a label painted last nor a blocked place.
    bool isFreeOfLabels(const QRectF& place) const;
    /// Returns the rectangles of the labels as painted last.
    const std::vector<QRectF>& labelPlaces() const { return m_labels; }
    /// Returns the y of the capacity's line, if it is in view.
    std::optional<double> capacityY() const;

    const PlotArea& area() const { return m_area; }
    /// Draws the line of reserved bytes, and fills the area below it that no band covers. Call before the
    /// bands are drawn.
    void drawReserved(QCPPainter* painter) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override;
    void draw(QCPPainter* painter) override;

private:
    QRectF labelArea() const;
    /// Returns the position of the middle of an event on the axis.
    double middleOf(std::int64_t event) const;
    /// A moment that is marked with a triangle.
    struct Mark
    {
        std::int64_t event = 0;
        QRectF box; ///< around the triangle
        QColor color;
        QStringList texts; ///< of its label; the first that fits is shown
        bool hasPeak = false; ///< its texts have the figure of the peak
        bool isNextToPeak = false; ///< a failure whose triangle meets that of the peak, with another total
    };
    std::vector<Mark> findMarks() const;
    QRectF markerRect(std::int64_t event) const;
    bool isInView(double x) const;
    /// Returns the x of the peak's marker, if it is in view.
    std::optional<double> peakX() const;
    void fillReserved(QCPPainter& painter, const QLineF& level) const;
    void drawStepBoundaries(QCPPainter* painter) const;
    void drawMarkers(QCPPainter* painter) const;
    /// Returns the x of the compared moment's line, if it has one and is in view.
    std::optional<double> comparedX() const;
    void labelMark(QCPPainter* painter, const Mark& mark, LabelPlacer& labels) const;
    void labelSteps(QCPPainter* painter, LabelPlacer& labels) const;
    StepLine drawPeakSoFar(QCPPainter* painter) const;
    void drawCapacity(QCPPainter* painter) const;
    void labelPeakSoFar(QCPPainter* painter, LabelPlacer& labels) const;
    void labelCapacity(QCPPainter* painter, LabelPlacer& labels) const;
    StepLine reservedLine() const;
    QColor groundOf(const QRectF& label) const;
    void drawLabel(QCPPainter* painter, const QRectF& rect, const QString& text, const QColor& color) const;

    const BandPlottable& m_bands;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const EventScale> m_scale;
    std::vector<double> m_stepLines;
    std::optional<std::int64_t> m_comparedEvent;
    std::vector<QRectF> m_taken;
    std::vector<Mark> m_marks; ///< as painted last
    StepLine m_reserved; ///< the line of reserved bytes, as painted last
    PlotArea m_area;
    ThemeColors m_colors;
    std::optional<DeviceCapacity> m_capacity;
    std::shared_ptr<const BandImage> m_image;
    mutable std::vector<QRectF> m_labels; ///< as painted last
    QFont m_font;
    bool m_showsPeakSoFar = false;
};

} // namespace highwater::gui
