#pragma once

#include <memory>

#include "app/timeline/timeline_plot.h"
#include "app/views/pages/page.h"
#include "app/workspace/document/auxiliary_sources.h"
#include "app/workspace/document/document.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/view/allocation_search.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/fix_preview.h"
#include "app/workspace/view/go_to_target.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/shown_allocations.h"
#include "app/workspace/view/view_history.h"
#include "app/workspace/view/visible_range.h"

class QSplitter;

namespace highwater::gui {

class CapacityChoices;
class AuxiliaryPanel;
class DetailsPanel;
class FindingsView;
class LaneStrip;
class LegendBar;
class LogView;
class OverviewStrip;
class PanelTabs;
class RangePanel;
class RanksView;
class RunSession;
class SearchBar;
class VerdictBar;

/// One open file: its diagnosis, the timeline with overview and legend, and below it the views that answer
/// one question each, also about other files of the run. The search bar and the details of what is pinned or
/// marked are placed outside the page, by the window; the page makes them.
class DocumentPage : public Page
{
    Q_OBJECT

public:
    /// The session must outlive the page.
    explicit DocumentPage(RunSession& session, QWidget* parent = nullptr);

    /// Shows the main device of a document; the page is empty if it has none. Must not be null.
    void show(std::shared_ptr<const Document> document);
    /// Opens the view that a new file begins with: the wanted one, the ranks of summaries, the treemap over
    /// the timeline for a file that shows only one moment, else the findings.
    void openFirstView(const std::optional<QString>& wanted);
    /// Shows another file of the same run and keeps the view.
    void showInPlace(std::shared_ptr<const Document> document);
    const std::shared_ptr<const Document>& document() const { return m_document; }
    const std::shared_ptr<const DeviceAnalysis>& analysis() const { return m_analysis; }
    /// Shows another device of the document; ignored if there is none with this index.
    void setDevice(DeviceIndex device);
    AxisKind axis() const { return m_axis; }
    /// Keeps the events in view.
    void setAxis(AxisKind axis);
    std::vector<NoteSubject> subjects() const override;
    PageOffers offers() const override;
    void setColors(const ThemeColors& colors) override;
    const ThemeColors& colors() const { return m_colors; }
    void takeFocus() override { m_timeline->setFocus(); }

    /// Centres the event, moves the cursor to it and pins the allocation that it begins or ends.
    void goTo(std::int64_t event);
    /// Centres the event and moves the cursor to it; pins nothing. A view of more than half of the trace is
    /// narrowed to a tenth.
    void goToMoment(std::int64_t event);
    void goTo(const GoToTarget& target);
    void goToPeak() override;
    /// Goes to the peak of a step and selects the step; does nothing after the last one.
    void goToStep(std::size_t step);
    /// Zooms to a step and selects it; the cursor goes to its peak.
    void zoomToStep(std::size_t step);
    /// Zooms to the step `by` steps after the one at the cursor, else after the first one in view; to the
    /// first or last step at most.
    void goToNeighbourStep(int by) override;
    /// Selects the step: moves the cursor to its peak and marks its events; nothing stays pinned. The view
    /// moves only if the step is outside of it.
    void selectStep(std::size_t step);
    /// Moves the view to the event if that is not in view. The mouse is ignored until it is moved.
    void bringIntoView(std::int64_t event);
    void runOnStep(std::size_t step, StepCommand command);
    void goToLargest();
    /// Sets the moment to the peak and pins the largest allocation in use there.
    void goToLargestAtPeak();
    /// Zooms to the events [first, last).
    void zoomTo(std::int64_t first, std::int64_t last);
    /// Pins the allocation; the view moves only if its birth is not in view, and the cursor stays.
    void showAllocation(AllocationIndex allocation);
    /// Pins the allocation; cursor and view stay.
    void pinHere(AllocationIndex allocation);
    void fit() override;
    /// Zooms to the pinned allocation's life, else to the marked range, else to the step at the cursor.
    void fitSelection();
    /// Shows the timeline again if a view is expanded over it.
    void showTimeline();
    ViewHistory& history() { return m_history; }
    bool canGoBack() const override { return m_analysis && m_history.canGoBack(); }
    void goBack() override { m_history.back(); }
    /// Ends one thing: the fix on screen, else the innermost selection, else what `endHighlight` ends.
    void release() override;
    /// Clears the highlighted selection, else the legend's choice, else the search.
    void endHighlight();
    /// Goes to the first out-of-memory event after the cursor, or to the first of all; does nothing if there
    /// is none.
    void goToNextOutOfMemory();
    /// Scales the y axis to the peak of the events in view.
    void fitHeight() override;
    /// Shows the whole trace, with y up to the capacity of the device.
    void fitWithCapacity();
    /// Zooms at the mouse if it is over the timeline, else in the middle of the view.
    void zoom(double factor) override;
    void pan(double shareOfView) override;

    TimelinePlot& timeline() { return *m_timeline; }
    /// Returns the widget with the marked range and the details. The window takes ownership.
    QWidget& side() { return *m_side; }
    /// True if a device is shown, and its details are wanted and not folded.
    bool isSideWanted() const { return m_analysis && areDetailsShown(); }
    /// Hides the details, and clears pin and range.
    void closeSide();
    void setDetailsWanted(bool wanted);
    bool areDetailsShown() const { return m_wantsDetails && !m_foldsDetails; }
    DetailsPanel& details() { return *m_details; }
    VerdictBar& verdict() { return *m_verdict; }
    LegendBar& legend() { return *m_legend; }
    SearchBar& search() { return *m_searchBar; }
    LaneStrip& lanes() { return *m_lanes; }
    RangePanel& rangePanel() { return *m_rangePanel; }
    OverviewStrip& overview() { return *m_overview; }
    PanelTabs& panelTabs() { return *m_panelTabs; }
    LogView& log() { return *m_log; }
    FindingsView& findings() { return *m_findings; }
    /// Configuration, other files and findings of the device on screen.
    RunState& run() { return m_run; }
    /// Save and restore the open view, its height, and the splitters inside the views.
    void saveLayout(QSettings& settings) const override;
    void restoreLayout(const QSettings& settings) override;
    bool isSettled() const override;
    /// The part of the axes in view. The marked range is `Selection::range`.
    VisibleRange& range() { return m_visibleRange; }
    Selection& selection() { return m_selection; }
    BandView& bandView() { return m_bandView; }
    AuxiliarySources& auxiliarySources() { return m_auxiliarySources; }
    AuxiliaryPanel& auxiliaryPanel() { return *m_auxiliaryPanel; }
    /// Requested or allocated bytes, steps and category rules.
    AnalysisSettings& analysisSettings() { return m_analysisSettings; }
    /// Capacities chosen by the user override those in files. `choices` must outlive the page.
    void setCapacityChoices(const CapacityChoices& choices);
    /// Capacity of the device on screen, or a bound of it; nullopt if neither the user nor a file of the run
    /// names one.
    const std::optional<DeviceCapacity>& capacity() const { return m_capacity; }
    void setPeakSoFarShown(bool shown);

    /// Returns the file and device that notes on this page are about.
    NoteSubject noteSubject() const;
    void showNotes(const Notes& notes, int chosenNumber) override;
    Note noteHere() const override;
    /// Goes to the note's place, on its device or in the open log. Returns false if the place is not in this
    /// run.
    bool goTo(const Note& note) override;

    /// Returns "80,817 events · 28,252 allocations, all drawn · requested bytes", and the part in view if not
    /// all is.
    QString statusText() const override;
    /// Returns the selected thing, and the figures under the mouse, else at the cursor: "step 3, peak 3.1 GiB
    /// · event 25,812 · +1.25 s · 14.5 GiB".
    QString cursorText() const override;

signals:
    /// `isSideWanted` may have changed.
    void sideChanged();
    /// The user wants to compare two different steps of this run, given by their indices. The first one was
    /// selected, the second one was chosen to compare it with.
    void stepsCompared(quint64 first, quint64 second);
    /// Asks for a page of the manual by its file name.
    void manualRequested(const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void makeSide();
    void shareHeight();
    void connectParts();
    void connectSearchAndRange();
    void connectPanelTabs();
    void connectSteps();
    void showLeftBehind(std::size_t step);
    void goToLargestAt(std::int64_t event);
    void highlightSite(AllocationIndex allocation);
    void showMoment(MomentChoice choice);
    void releaseSelected();
    void connectFindings();
    void connectFiles();
    void showFiles();
    void goToStepOf(std::size_t file, std::int64_t number, bool zooms);
    void goToWantedStep();
    void showLog();
    void goToLogLine(quint64 line);
    void showRemarks();
    bool goTo(const NotePlace& place);
    void applyExtent();
    void foldDetails(bool folded);
    void showOneMoment(bool isShown);
    void followView();
    void restore(const View& view);
    void showDevice();
    const EventScale& scale() const { return m_analysis->scale(m_axis); }
    void setLimits();
    void connectAnalysisSettings();
    void showNewAnalysis();
    void connectAuxiliarySources();
    void connectNotes();
    void showVerdict();
    void showFindings();
    void takeDevice();
    std::optional<DeviceCapacity> chosenCapacity() const;
    void showStudiedCapacity();
    void applyCapacity();
    Bytes highestShown();
    void setLimitsKeepingView();
    void forgetFitWithCapacity();
    QString viewText() const;

    /// A step, by its number, of a file of the run that may not be on screen yet.
    struct WantedStep
    {
        std::size_t file = 0;
        std::int64_t number = 0;
        bool zooms = false;
    };

    RunSession& m_session;
    VisibleRange m_visibleRange;
    Selection m_selection;
    BandView m_bandView;
    AnalysisSettings m_analysisSettings;
    AuxiliarySources m_auxiliarySources;
    RunState m_run;
    FixPreview m_fix{m_run}; ///< the finding whose saving the user points at or keeps on screen
    const CapacityChoices* m_capacityChoices = nullptr;
    std::optional<DeviceCapacity> m_capacity;
    bool m_withCapacity = false; ///< the view of the whole trace includes the capacity
    AllocationSearch m_search;
    ViewHistory m_history;
    std::shared_ptr<const Document> m_document;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    AxisKind m_axis = AxisKind::Event;
    ThemeColors m_colors = ThemeColors::light();
    VerdictBar* m_verdict;
    SearchBar* m_searchBar;
    LaneStrip* m_lanes;
    TimelinePlot* m_timeline;
    OverviewStrip* m_overview;
    LegendBar* m_legend;
    QWidget* m_timelineArea; ///< the timeline and the widgets aligned with it
    QSplitter* m_splitter;
    FindingsView* m_findings = nullptr;
    PanelTabs* m_panelTabs;
    std::optional<WantedStep> m_wantedStep;
    RanksView* m_ranks = nullptr; ///< one of `m_panelTabs`, like every view below the timeline
    LogView* m_log = nullptr;
    bool m_ownHeights = false; ///< the user has moved the border between timeline and views
    bool m_hasExpandedMoment = false; ///< the page, not the user, expanded a view over the timeline
    bool m_wantsDetails = true;
    bool m_foldsDetails = false;
    QWidget* m_side;
    RangePanel* m_rangePanel;
    AuxiliaryPanel* m_auxiliaryPanel;
    DetailsPanel* m_details;
};

} // namespace highwater::gui
