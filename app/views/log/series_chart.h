#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QStringList>

#include "app/timeline/plot_widget.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"
#include "core/trace/trace.h"

class QCPItemStraightLine;
class QCPItemText;

namespace highwater::gui {

class SeriesOverlay;

/// A chart of series of a log over steps, time or lines, with the name of each at its end and a mark where
/// memory ran out. The wheel zooms at the cursor, dragging pans, a double click shows everything, a click
/// near a point reports it. At most four points per pixel and series are drawn, but a change of the view
/// costs O(points of the shown series).
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

    /// Sets the log, and shows none of its series yet. `order` is the order of all series in the
    /// list beside the chart (`SeriesList`); the first one of each measure has the measure's colour
    /// (`seriesColors`).
    void setTrace(std::shared_ptr<const Trace> trace, const std::vector<std::size_t>& order);
    void setColors(const ThemeColors& colors);
    /// Draws the series with these indices in `Trace::counters`; all must have the same unit.
    void setShown(const std::vector<std::size_t>& series);
    const std::vector<std::size_t>& shown() const { return m_shown; }
    /// True if a shown series has points at two places, so that there is a line to draw.
    bool hasLine() const;
    QColor colorOf(std::size_t series) const;
    /// Returns the axis in use: steps if more than half of the shown points have a step, else time if more
    /// than half have a time, else lines. On the axis of lines, a point without a known line is at its index.
    Axis axis() const { return m_axis; }
    /// Draws a line at this capacity if the series are in bytes; nullopt removes it. Call after `setShown`.
    void setCapacity(std::optional<Bytes> capacity);
    /// Draws notes on lines of the log at the nearest points; `NoteFlag::first` is the line of the log.
    void setNotes(std::vector<NoteFlag> notes);
    /// Returns the names at the ends of the lines.
    QStringList seriesNames() const;
    /// Returns the texts at the places where memory ran out.
    QStringList failureTexts() const;
    /// Marks the shown point that is nearest to a line of the log, if points have lines; 0 clears the mark.
    void markLogLine(std::uint64_t line);

    QSize sizeHint() const override { return {700, 220}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    /// The user clicked near this point.
    void pointClicked(quint64 series, quint64 point);

private:
    double xOf(const CounterSeries& series, std::size_t point) const;
    std::optional<double> xOf(const LogEvent& event) const;
    bool isPlaced(const CounterSeries& series, std::size_t point) const;
    void refresh();
    void chooseAxis();
    void fillGraphs();
    void fitAll();
    void clickAt(QMouseEvent* event);
    void placeNotes();
    void placeFailures();
    void nameLines();

    std::shared_ptr<const Trace> m_trace;
    std::vector<NoteFlag> m_notes;
    SeriesOverlay* m_overlay; ///< owned by the plot
    std::vector<std::size_t> m_shown;
    std::vector<ThemedColor> m_seriesColors; ///< by series
    ThemeColors m_colors;
    Axis m_axis = Axis::Step;
    Nanoseconds m_firstTime = 0;
    QCPItemStraightLine* m_mark;
    QCPItemStraightLine* m_capacity;
    bool m_isFilling = false; ///< true while graphs are filled; range changes are then ignored
};

} // namespace highwater::gui
