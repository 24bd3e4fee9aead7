#pragma once

#include <qcustomplot.h>

#include "app/timeline/parts/pixel_steps.h"
#include "app/timeline/parts/plot_area.h"
#include "app/workspace/document/auxiliary_sources.h"

namespace highwater::gui {

/// Draws lines from other files of the run over the bands: GPU memory in use, series of a log. A line keeps
/// the value of a point until the next point. QCustomPlot owns this object. Cost per frame: O(points in
/// view); all points inside one pixel become one stroke.
class AuxiliaryMarkers : public QCPLayerable
{
    Q_OBJECT

public:
    /// The sources must outlive the markers.
    AuxiliaryMarkers(QCustomPlot* plot, const AuxiliarySources& sources);

    /// Sets the device whose axis the lines are drawn on; null draws nothing.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis, AxisKind axis);
    void setArea(const PlotArea& area) { m_area = area; }
    void setColors(const ThemeColors& colors) { m_colors = colors; }

    /// Returns the strokes of a line in pixels, as they are drawn; empty if it has no point up to the end of
    /// the view. Needs an analysis.
    StepLine strokes(const AuxiliaryLine& line) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return m_area.rect.toAlignedRect(); }
    void draw(QCPPainter* painter) override;

private:
    const AuxiliarySources& m_sources;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    AxisKind m_axis = AxisKind::Event;
    PlotArea m_area;
    ThemeColors m_colors;
};

} // namespace highwater::gui
