#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/views/parts/figure_view.h"
#include "app/workspace/document/device_analysis.h"
#include "core/figure/steps_figure.h"

namespace highwater::gui {

/// The chart of the peaks of the steps in view. The id of a bar is the index of its step; if bars would be
/// too thin, a bar stands for several steps and has the id of one of them. The wheel zooms, dragging pans, a
/// click chooses a step.
class StepChart : public FigureView
{
    Q_OBJECT

public:
    explicit StepChart(QWidget* parent = nullptr);

    /// Shows all steps; null shows none.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    void setCapacity(const std::optional<DeviceCapacity>& capacity);
    /// True if the capacity is known and near the peak; it is drawn then if the axis begins at 0.
    bool showsCapacity() const;
    /// True if the peaks of the complete steps differ, but so little that an axis from 0 hides it.
    bool hasSmallDifferences() const { return m_analysis && beginOfDifferences(m_analysis->steps.steps) > 0; }
    /// Begins the axis near the lowest peak if `shows` and the chart `hasSmallDifferences`, else at 0.
    void setShowsDifferences(bool shows);
    /// Returns what a bar stands for, where the axis begins if not at 0, and which lines are over the bars.
    QString keyText() const;
    /// Marks a step and scrolls it into view; nullopt removes the mark.
    void setSelected(std::optional<std::size_t> step);
    /// Shows the numbers of notes above the bars; `NoteFlag::first` is the step.
    void setNotes(std::vector<NoteFlag> notes);
    /// Returns the step whose bar is at a position of the widget; nullopt if there is none.
    std::optional<std::size_t> stepAt(const QPoint& position) const;
    /// Returns the steps [first, second) in view.
    std::pair<std::size_t, std::size_t> range() const { return {m_shown.first, m_shown.last}; }

    QSize minimumSizeHint() const override { return {240, 110}; }
    QSize sizeHint() const override { return {520, 190}; }

signals:
    /// `keyText()` may have changed: the bars are of other numbers of steps.
    void barsChanged();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    Figure figureOf(const FigureOptions& options);
    void setFirst(double step);
    void markSelected();
    /// Bounding rectangle of the bars, in pixels.
    QRectF plotRect() const;
    std::int64_t stepsPerBar() const;
    std::size_t stepCount() const { return m_analysis ? m_analysis->steps.steps.size() : 0; }

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    StepsInFigure m_shown;
    double m_stepsInView = 0; ///< number of steps in view, not rounded
    std::vector<StepBar> m_bars; ///< bars of the figure
    std::vector<NoteFlag> m_notes;
    std::optional<std::size_t> m_selectedStep;
    struct Press
    {
        QPointF position;
        std::size_t first = 0; ///< first step in view at the press
        bool isDrag = false;
    };
    std::optional<Press> m_press;
};

} // namespace highwater::gui
