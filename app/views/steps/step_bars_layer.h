#pragma once

#include <utility>

#include <qcustomplot.h>

#include "app/views/steps/shown_steps.h"

namespace highwater::gui {

/// Draws the bars in view of a chart of steps, what they start and end with, the capacity and the notes.
class StepBars : public QCPLayerable
{
public:
    /// `shown` must outlive every drawing.
    StepBars(QCustomPlot* chart, const ShownSteps& shown);

    /// Left and right edge of a bar in pixels.
    std::pair<double, double> edges(const StepBar& bar) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }
    void draw(QCPPainter* painter) override;

private:
    const Step& stepOf(const StepBar& bar) const { return m_shown.analysis->steps.steps[bar.shown]; }
    double y(Bytes bytes) const { return mParentPlot->yAxis->coordToPixel(static_cast<double>(bytes)); }
    void drawBar(QCPPainter* painter, const StepBar& bar) const;
    /// The total at the start (dotted) and at the end (dashed) of each step: what rises here is growth.
    void drawEdges(QCPPainter* painter) const;
    void drawCapacity(QCPPainter* painter) const;
    /// The peak above each bar, where there is room for it.
    void drawLabels(QCPPainter* painter) const;
    void drawNotes(QCPPainter* painter) const;

    const ShownSteps& m_shown;
};

} // namespace highwater::gui
