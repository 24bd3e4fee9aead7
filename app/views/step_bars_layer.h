#pragma once

#include <utility>

#include <qcustomplot.h>

#include "app/views/step_chart.h"

namespace highwater::gui {

/// Draws the bars in view of a StepChart, what they start and end with, the capacity and the notes.
class StepBars : public QCPLayerable
{
public:
    explicit StepBars(StepChart* chart);

    /// Left and right edge of a bar in pixels.
    std::pair<double, double> edges(const StepBar& bar) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return m_chart.axisRect()->rect(); }
    void draw(QCPPainter* painter) override;

private:
    const Step& stepOf(const StepBar& bar) const { return m_chart.m_analysis->steps.steps[bar.shown]; }
    double y(Bytes bytes) const { return m_chart.yAxis->coordToPixel(static_cast<double>(bytes)); }
    void drawBar(QCPPainter* painter, const StepBar& bar) const;
    /// The total at the start (dotted) and at the end (dashed) of each step: what rises here is growth.
    void drawEdges(QCPPainter* painter) const;
    void drawCapacity(QCPPainter* painter) const;
    /// The peak above each bar, where there is room for it.
    void drawLabels(QCPPainter* painter) const;
    void drawNotes(QCPPainter* painter) const;

    StepChart& m_chart;
};

} // namespace highwater::gui
