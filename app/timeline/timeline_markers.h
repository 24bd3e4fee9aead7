#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "app/timeline/bands/band_image.h"
#include "app/timeline/label_placer.h"
#include "app/timeline/parts/plot_area.h"
#include "app/timeline/pixel_steps.h"
#include "app/workspace/document/device_analysis.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

class BandPlottable;

/// Markers over the bands: the peak, the peak so far, the capacity of the device, out-of-memory events. Their
/// labels stand in clear air above the data.
class TimelineMarkers : public QCPLayerable
{
    Q_OBJECT

public:
    explicit TimelineMarkers(QCustomPlot* plot);

    /// `scale` is of the analysis.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const EventScale> scale);
    void setArea(const PlotArea& area) { m_area = area; }
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setFont(const QFont& font) { m_font = font; }
    /// Where the data is; null: nowhere.
    void setImage(std::shared_ptr<const BandImage> image) { m_image = std::move(image); }
    /// None: no line. The caller replots.
    void setCapacity(std::optional<DeviceCapacity> capacity) { m_capacity = std::move(capacity); }
    const std::optional<DeviceCapacity>& capacity() const { return m_capacity; }
    void setPeakSoFarShown(bool shown) { m_showsPeakSoFar = shown; }
    bool isPeakSoFarShown() const { return m_showsPeakSoFar; }
    /// Places of the axis at which steps begin, ascending; drawn where they are not too many.
    void setStepLines(std::vector<double> places) { m_stepLines = std::move(places); }
    /// The moment that is compared with one of another run; none: there is none, or it is the peak, which has
    /// its own line.
    void setComparedEvent(std::optional<std::int64_t> event) { m_comparedEvent = event; }

    /// Labels keep clear of these places.
    void setTaken(std::vector<QRectF> places) { m_taken = std::move(places); }

    /// The largest total up to each pixel of the area. Cost: pixels × log events.
    StepLine peakSoFarLine() const;
    /// From the top of the labels' area to that of the data between two x.
    std::pair<double, double> clearRows(double left, double right) const;
    /// The highest pixel that data fills between two places of the x axis.
    double dataTop(double left, double right) const;
    bool isUnlabelled(const QRectF& place) const;
    /// Position of the capacity's line; none if no capacity is in view.
    std::optional<double> capacityY() const;

    const PlotArea& area() const { return m_area; }
    /// The area between what is live and what is reserved: below the bands, and not where they cover it.
    void drawReserved(QCPPainter* painter, const BandPlottable& bands) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override;
    void draw(QCPPainter* painter) override;

private:
    QRectF labelArea() const;
    double middleOf(std::int64_t event) const;
    std::vector<std::pair<std::int64_t, QColor>> markedEvents() const;
    QRectF markerRect(std::int64_t event) const;
    bool isInView(double x) const;
    /// Position of the peak's line; none if no peak is in view.
    std::optional<double> peakX() const;
    void fillReserved(QCPPainter& painter, const QLineF& level, const BandPlottable& bands) const;
    void drawStepLines(QCPPainter* painter) const;
    void drawEventLines(QCPPainter* painter) const;
    /// Position of the compared moment's line; none if it is not in view.
    std::optional<double> comparedX() const;
    void labelCompared(QCPPainter* painter, LabelPlacer& labels) const;
    void labelPeak(QCPPainter* painter, LabelPlacer& labels) const;
    void labelOutOfMemory(QCPPainter* painter, LabelPlacer& labels) const;
    void drawPeakSoFar(QCPPainter* painter) const;
    void drawCapacity(QCPPainter* painter) const;
    void labelPeakSoFar(QCPPainter* painter, const EventScale& scale, LabelPlacer& labels) const;
    void labelCapacity(QCPPainter* painter, LabelPlacer& labels) const;
    StepLine reservedLine(const EventScale& scale) const;
    void drawLabel(QCPPainter* painter, const QRectF& rect, const QString& text, const QColor& color) const;

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const EventScale> m_scale;
    std::vector<double> m_stepLines;
    std::optional<std::int64_t> m_comparedEvent;
    std::vector<QRectF> m_taken;
    PlotArea m_area;
    ThemeColors m_colors;
    std::optional<DeviceCapacity> m_capacity;
    std::shared_ptr<const BandImage> m_image;
    mutable std::vector<QRectF> m_labels; ///< as painted last
    QFont m_font;
    bool m_showsPeakSoFar = false;
};

} // namespace highwater::gui
