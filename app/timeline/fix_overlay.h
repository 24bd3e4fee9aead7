#pragma once

#include <memory>

#include <qcustomplot.h>

#include "app/timeline/parts/pixel_steps.h"
#include "app/timeline/parts/plot_area.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/event_scale.h"
#include "core/study/fixed_run.h"

namespace highwater::gui {

class BandPlottable;
class TimelineMarkers;

/// Draws the memory of the run with a fix as a line over the bands but behind all labels, with its new peak
/// and the GPU that it would fit. QCustomPlot owns this object; the caller replots after changes. Cost per
/// frame: O(pixels × log events).
class FixOverlay : public QCPLayerable
{
    Q_OBJECT

public:
    /// The line is not drawn over the labels of the bands and `markers`, which belong to the same plot; its
    /// own label avoids them if it can. The caller keeps the labels of the bands off `line`.
    FixOverlay(QCustomPlot* plot, const BandPlottable& bands, const TimelineMarkers& markers);

    /// Shows a run with a fix; null shows none. A run with another number of events than the x axis is not
    /// drawn.
    void show(std::shared_ptr<const FixedRun> fixed) { m_fixed = std::move(fixed); }
    const std::shared_ptr<const FixedRun>& shown() const { return m_fixed; }
    /// Sets the x axis; null for none.
    void setScale(std::shared_ptr<const EventScale> scale) { m_scale = std::move(scale); }
    void setArea(const PlotArea& area) { m_area = area; }
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setFont(const QFont& font) { m_font = font; }

    /// Returns "14.2 GiB with this fix · fits a GPU of 16 GB (T4)", without the GPU if none is known to fit;
    /// empty if nothing is drawn.
    QString label() const;
    /// Returns the line in pixels, as it is drawn; empty if nothing is drawn.
    StepLine line() const;
    /// Returns the rectangle of the label as painted last.
    const QRectF& labelPlace() const { return m_labelPlace; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return m_area.rect.toAlignedRect(); }
    void draw(QCPPainter* painter) override;

private:
    bool isShown() const;
    QRectF labelRect(const QSizeF& size, const StepLine& strokes) const;
    void drawLabel(QCPPainter& painter, const StepLine& strokes) const;

    const BandPlottable& m_bands;
    const TimelineMarkers& m_markers;
    std::shared_ptr<const FixedRun> m_fixed;
    std::shared_ptr<const EventScale> m_scale;
    PlotArea m_area;
    ThemeColors m_colors;
    QFont m_font;
    mutable QRectF m_labelPlace;
};

} // namespace highwater::gui
