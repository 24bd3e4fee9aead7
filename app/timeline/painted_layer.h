#pragma once

#include <functional>

#include <qcustomplot.h>

#include "app/timeline/parts/plot_area.h"

namespace highwater::gui {

/// An item of a plot's layer that is painted by a function, without antialiasing. The plot owns it.
class PaintedLayer : public QCPLayerable
{
public:
    using Paint = std::function<void(QCPPainter*)>;

    /// Nothing is painted outside `clip`, which must outlive the layer; null for no limit.
    PaintedLayer(QCustomPlot* plot, const QString& layer, const PlotArea* clip, Paint paint)
        : QCPLayerable(plot, layer)
        , m_clip(clip)
        , m_paint(std::move(paint))
    {
    }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override
    {
        return m_clip ? m_clip->rect.toAlignedRect() : QCPLayerable::clipRect();
    }
    void draw(QCPPainter* painter) override { m_paint(painter); }

private:
    const PlotArea* m_clip;
    Paint m_paint;
};

} // namespace highwater::gui
