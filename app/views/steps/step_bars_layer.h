#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <qcustomplot.h>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/look/theme_colors.h"
#include "core/figure/layout/step_bars.h"
#include "core/figure/sheet/note_flag.h"

namespace highwater::gui {

/// What a chart of steps shows.
struct ShownSteps
{
    std::shared_ptr<const DeviceAnalysis> analysis; ///< null: none
    std::vector<StepBar> bars; ///< those in view
    std::vector<NoteFlag> notes; ///< by step
    std::optional<std::size_t> selected;
    std::optional<DeviceCapacity> capacity;
    ThemeColors colors = ThemeColors::light();

    /// The notes on the steps of a bar.
    std::vector<const NoteFlag*> notesOn(const StepBar& bar) const;
};

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
