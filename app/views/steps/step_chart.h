#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/timeline/plot_widget.h"
#include "app/views/steps/shown_steps.h"

class QCPRange;

namespace highwater::gui {

class StepBars;

/// One bar a step, its height the step's peak, stacked by category; lines for the bytes at
/// the start and at the end of each, and for the capacity.
/// The wheel zooms, dragging moves along, a click selects a step, a double click asks for its events.
class StepChart : public PlotWidget
{
    Q_OBJECT

public:
    explicit StepChart(QWidget* parent = nullptr);

    /// Null: none. Shows all steps.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);
    /// A line at it, and room up to it unless that would press the bars down.
    void setCapacity(const std::optional<DeviceCapacity>& capacity);
    /// Marks a step and brings it into view; none: no step is marked.
    void setSelected(std::optional<std::size_t> step);
    /// Their numbers are shown above the bars: `first` is the step.
    void setNotes(std::vector<NoteFlag> notes);
    /// The step whose bar is under a place of the widget.
    std::optional<std::size_t> stepAt(const QPoint& position) const;
    /// Rectangle of a step's bar, in the widget's pixels; of the shared bar if steps share one.
    QRectF barRect(std::size_t step) const;

    QSize minimumSizeHint() const override { return {240, 110}; }
    QSize sizeHint() const override { return {520, 190}; }

signals:
    void stepClicked(quint64 step);
    void stepDoubleClicked(quint64 step);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void setByteRange();
    void keepInLimits(const QCPRange& range);
    void updateBars();
    QString tipOf(const StepBar& bar) const;
    const StepBar* barAt(const QPoint& position) const;
    double stepCount() const;

    ShownSteps m_shown;
    StepBars* m_bars;
    QPoint m_pressedAt;
};

} // namespace highwater::gui
