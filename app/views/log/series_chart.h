#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/timeline/plot_widget.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"
#include "core/trace/trace.h"

class QCPItemStraightLine;
class QCPItemText;

namespace highwater::gui {

class SeriesNotes;

/// Series of a log over steps, time or lines. Wheel zooms at the cursor, dragging pans, a double click shows
/// all, a click tells the nearest point. What is drawn of a series is at most four points for each pixel.
class SeriesChart : public PlotWidget
{
    Q_OBJECT

public:
    enum class Axis
    {
        Step,
        Time,
        Line
    };

    explicit SeriesChart(QWidget* parent = nullptr);

    void setTrace(std::shared_ptr<const Trace> trace);
    void setColors(const ThemeColors& colors);
    /// Series that are drawn, by index in the trace; all of them must be of one unit.
    void setShown(const std::vector<std::size_t>& series);
    const std::vector<std::size_t>& shown() const { return m_shown; }
    QColor colorOf(std::size_t series) const;
    /// The best axis for what is shown: steps where most points have one, else time, else lines.
    Axis axis() const { return m_axis; }
    /// A line across the chart, where what is shown is in bytes; none: no line. After `setShown`.
    void setCapacity(std::optional<Bytes> capacity);
    /// Notes on lines, drawn at the points nearest to them: `first` is the line.
    void setNotes(std::vector<NoteFlag> notes);
    /// A line of the log to be marked; 0: none.
    void markLine(std::uint64_t line);

    QSize sizeHint() const override { return {700, 220}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    /// The user has clicked near this point.
    void pointClicked(quint64 series, quint64 point);

private:
    double xOf(const CounterSeries& series, std::size_t point) const;
    bool isPlaced(const CounterSeries& series, std::size_t point) const;
    void refresh();
    void chooseAxis();
    void fillGraphs();
    void fitAll();
    void clickAt(QMouseEvent* event);
    void placeNotes();

    std::shared_ptr<const Trace> m_trace;
    std::vector<NoteFlag> m_notes;
    SeriesNotes* m_noteFlags;
    std::vector<std::size_t> m_shown;
    ThemeColors m_colors;
    Axis m_axis = Axis::Step;
    Nanoseconds m_firstTime = 0;
    QCPItemStraightLine* m_mark;
    QCPItemStraightLine* m_capacity;
    QCPItemText* m_capacityText;
    bool m_fills = false; ///< graphs are being filled: their ranges do not matter
};

} // namespace highwater::gui
