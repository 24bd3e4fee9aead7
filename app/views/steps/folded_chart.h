#pragma once

#include <memory>
#include <optional>

#include "app/views/parts/figure_view.h"
#include "app/workspace/document/device_analysis.h"
#include "core/analysis/steps/folded_steps.h"

namespace highwater::gui {

/// The chart of all steps folded on one: median, envelope and outliers. The id of an outlier is the index of
/// its step. Hidden while it has no steps.
class FoldedChart : public FigureView
{
    Q_OBJECT

public:
    explicit FoldedChart(QWidget* parent = nullptr);

    /// Shows the folded steps of the analysis; hides the chart if there are none.
    void setSteps(std::shared_ptr<const DeviceAnalysis> analysis, std::optional<FoldedSteps> folded);
    const std::optional<FoldedSteps>& steps() const { return m_folded; }
    /// Returns a point on an outlier's line, in its highest column; null if it is not an outlier.
    QPointF pointOn(std::size_t step) const;

    QSize minimumSizeHint() const override { return {200, 110}; }
    QSize sizeHint() const override { return {300, 190}; }

protected:
    /// Draws the outlier's line again.
    void outline(QPainter& painter, int id, const QPen& pen) const override;

private:
    QPolygonF lineOf(int step) const;

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::optional<FoldedSteps> m_folded;
};

} // namespace highwater::gui
