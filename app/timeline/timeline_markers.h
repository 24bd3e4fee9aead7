#pragma once

#include <memory>
#include <optional>

#include <qcustomplot.h>

#include "app/timeline/label_placer.h"
#include "app/timeline/plot_area.h"
#include "app/workspace/device_analysis.h"
#include "app/workspace/theme_colors.h"
#include "core/analysis/event_scale.h"

namespace highwater::gui {

/// What is said over the bands: the peak, the reserved bytes, out-of-memory events.
class TimelineMarkers : public QCPLayerable
{
    Q_OBJECT

public:
    explicit TimelineMarkers(QCustomPlot* plot);

    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis);
    void setArea(const PlotArea& area) { m_area = area; }
    void setColors(const ThemeColors& colors) { m_colors = colors; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return m_area.rect.toAlignedRect(); }
    void draw(QCPPainter* painter) override;

private:
    double middleOf(std::int64_t event) const;
    bool isInView(double x) const;
    /// Where the peak's line stands; none where there is no peak in view.
    std::optional<double> peakX() const;
    void drawEventLines(QCPPainter* painter) const;
    void drawReservedLine(QCPPainter* painter, const EventScale& scale) const;
    void labelPeak(QCPPainter* painter, LabelPlacer& labels) const;
    void labelOutOfMemory(QCPPainter* painter, LabelPlacer& labels) const;
    void labelReserved(QCPPainter* painter, const EventScale& scale, LabelPlacer& labels) const;
    struct StepLine
    {
        QVector<QLineF> levels;
        QVector<QLineF> jumps;
    };
    StepLine reservedLine(const EventScale& scale) const;
    void drawLabel(QCPPainter* painter, const QRectF& rect, const QString& text, const QColor& color) const;

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    AxisKind m_axis = AxisKind::Event;
    PlotArea m_area;
    ThemeColors m_colors;
};

} // namespace highwater::gui
