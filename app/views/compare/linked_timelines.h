#pragma once

#include <array>
#include <optional>
#include <utility>

#include <QColor>
#include <QWidget>

#include "app/timeline/timeline_plot.h"
#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/visible_range.h"

class QLabel;

namespace highwater::gui {

class ColorKey;
class StepLinks;

/// The timelines of both runs on one axis, one above the other. They share zoom, panning and the line under
/// the mouse, and by default the y scale. The selected rows of the ComparisonState are highlighted in both.
/// Positions ("place") are in units of the shared axis. Functions that show steps, moments or events need a
/// comparison. `state` must outlive this widget.
class LinkedTimelines : public QWidget
{
    Q_OBJECT

public:
    enum Side
    {
        Before,
        After
    };

    explicit LinkedTimelines(ComparisonState& state, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Gives both runs the same y scale, or each its own up to its own highest total. Shows the whole height.
    void setSameScale(bool isSame);

    /// Shows the whole axis, at full height.
    void fit();
    /// Shows this part of the axis and fits the height to it; shows everything if it is the whole axis.
    void returnTo(const AxisWindow& places);
    /// Fits the y axis to the highest total in view: of both runs, or of each run if the scales differ.
    void fitHeight();
    /// Zooms the x axis by a factor, at the mouse if it is over a timeline.
    void zoom(double factor);
    void pan(double shareOfView);
    /// Zooms to a pair of steps and fits the height to them.
    void showStep(std::size_t pair);
    /// Brings the compared moments into view, and fits the height, unless both are in view.
    void showMoments();
    /// An event of each run, by side; nullopt for none.
    using SideEvents = std::array<std::optional<std::int64_t>, 2>;
    /// Puts the cursors on these events and zooms to their steps, or to an event that is in no step. Nothing
    /// stays pinned, and a run without an event has no cursor.
    void goToEvents(const SideEvents& events);

    TimelinePlot& plot(Side side) { return *m_runs[side].plot; }
    Selection& selection(Side side) { return m_runs[side].selection; }
    /// Releases what is pinned in either run. Returns false if nothing was.
    bool releasePins();
    /// Ends the marked ranges of both runs. Returns false if there was none.
    bool releaseRanges();
    /// Ends the cursors of both runs.
    void releaseCursors();
    VisibleRange& range() { return m_runs[Before].range; }
    /// Returns the run whose timeline the mouse was over last, or that `goToEvents` went to since.
    Side lastSide() const { return m_lastSide; }
    /// Zooms to the events [first, last) of a run and fits the height to them.
    void showEvents(Side side, std::int64_t first, std::int64_t last);
    /// Moves an event to the middle of the view and fits the height, unless it is in view; then sets the
    /// cursor of the run to it.
    void centre(Side side, std::int64_t event);
    /// Returns the last place of the mouse, or the event that `goToEvents` went to since; nullopt if there
    /// was none.
    std::optional<double> lastPlace() const { return m_lastPlace; }
    /// Returns the height at which each plot has room for its bands and labels.
    int wantedHeight() const;
    bool isSettled() const;
    /// Returns "before 30.2 GiB, event 5,701 · after 29.9 GiB, event 6,300 · −317 MiB", without the two words
    /// for moments of one run; empty without a cursor.
    QString cursorText() const;

signals:
    /// The user clicked a timeline without Ctrl.
    void clickedAt(double place);
    /// The user chose the moment of this run alone, by Ctrl+click.
    void momentChosen(int side, double place);
    void cursorMoved();
    void settled();
    /// The user wants to add this note on a run.
    void noteRequested(int side, const highwater::Note& draft);
    void noteClicked(int number);
    void noteMoved(int number, qint64 event);
    /// The user has clicked an allocation of a run.
    void allocationPinned(int side, quint32 allocation);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Run
    {
        VisibleRange range;
        Selection selection;
        BandView bands;
        TimelinePlot* plot = nullptr;
        QLabel* caption = nullptr;
    };

    void buildPlot(Side side);
    void connectRun(Side side);
    void connectNotes(Side side);
    void followRuns();
    void followAxis();
    void showCaption(Side side);
    void showLegend();
    static Side oppositeOf(Side side);
    double topAbove(Bytes highest) const;
    Bytes highestBetween(Side side, double begin, double end) const;
    void applyLimits();
    void keepHeadroom();
    void showPlaces(double begin, double end);
    std::pair<double, double> placesOf(Side side, std::int64_t first, std::int64_t last) const;
    void followLeader(Side leader);
    void showLinks();
    void showSelectedRows();
    void markMoments();
    const ComparedRun& run(Side side) const;

    ComparisonState& m_state;
    std::array<Run, 2> m_runs;
    StepLinks* m_links;
    ColorKey* m_legend;
    Ground m_ground;
    QColor m_reservedColor; ///< of the line of reserved memory
    std::optional<double> m_lastPlace;
    Side m_lastSide = After;
    bool m_sameScale = true;
    bool m_isFollowing = false; ///< true while this class sets the ranges
};

} // namespace highwater::gui
