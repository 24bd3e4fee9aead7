#pragma once

#include <memory>

#include "app/timeline/timeline_plot.h"
#include "app/views/pages/page.h"
#include "app/workspace/document/companion_sources.h"
#include "app/workspace/document/document.h"
#include "app/workspace/document/run_state.h"
#include "app/workspace/view/allocation_search.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/go_to_target.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/view_history.h"
#include "app/workspace/view/visible_range.h"

class QSplitter;

namespace highwater::gui {

class CapacityChoices;
class CompanionPanel;
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

/// One open file: what is wrong with it, the timeline with its overview and legend, and below it the views
/// that answer one question each, also about the other files of its run. Details lie over the right edge of
/// the timeline while something is pinned or marked. The search is placed outside the page, but the page owns
/// it.
class DocumentPage : public Page
{
    Q_OBJECT

public:
    /// The session must outlive the page.
    explicit DocumentPage(RunSession& session, QWidget* parent = nullptr);

    void show(std::shared_ptr<const Document> document);
    /// Another file of the same run, where the one before was looked at.
    void showInPlace(std::shared_ptr<const Document> document);
    const std::shared_ptr<const Document>& document() const { return m_document; }
    const std::shared_ptr<const DeviceAnalysis>& analysis() const { return m_analysis; }
    void setDevice(DeviceIndex device);
    AxisKind axis() const { return m_axis; }
    /// Keeps the events in view.
    void setAxis(AxisKind axis);
    std::vector<NoteSubject> subjects() const override;
    PageOffers offers() const override;
    void setColors(const ThemeColors& colors) override;
    void takeFocus() override { m_timeline->setFocus(); }

    /// Centres the event, puts the cursor on it and pins the allocation that it begins or ends.
    void goTo(std::int64_t event);
    void goTo(const GoToTarget& target);
    void goToPeak() override;
    /// To the peak of a step; beyond the last one nothing happens.
    void goToStep(std::size_t step);
    /// `by` steps on from the one at the cursor: its events fill the view.
    void goToNeighbourStep(int by) override;
    /// Fills the view with the events [first, last).
    void zoomTo(std::int64_t first, std::int64_t last);
    /// Shows and pins it; the view moves only where its birth is not in it.
    void showAllocation(AllocationIndex allocation);
    void fit() override;
    ViewHistory& history() { return m_history; }
    /// Lets go of the pinned allocation, then of what is highlighted, then of the range.
    void release() override;
    /// Of the selection, else the legend's choice, else the search.
    void endHighlight();
    /// The first one after the cursor, else the first of all.
    void goToNextOutOfMemory();
    /// The bytes of what is in view, scaled to it.
    void fitHeight();
    /// Everything in view, up to the capacity of the device.
    void fitWithCapacity();
    void zoom(double factor) override;
    void pan(double shareOfView) override;

    TimelinePlot& timeline() { return *m_timeline; }
    /// What lies over the timeline: the marked range, and the details.
    QWidget& side() { return *m_side; }
    /// Also while nothing is pinned or marked.
    void setDetailsWanted(bool wanted);
    DetailsPanel& details() { return *m_details; }
    VerdictBar& verdict() { return *m_verdict; }
    LegendBar& legend() { return *m_legend; }
    SearchBar& search() { return *m_searchBar; }
    LaneStrip& lanes() { return *m_lanes; }
    RangePanel& rangePanel() { return *m_rangePanel; }
    OverviewStrip& overview() { return *m_overview; }
    PanelTabs& questions() { return *m_questions; }
    /// The log of the run.
    LogView& log() { return *m_log; }
    FindingsView& findings() { return *m_findings; }
    /// Configuration, other files and findings of what is shown.
    RunState& run() { return m_run; }
    /// Which view is open, how much room it has, and the splitters inside of the views.
    void saveLayout(QSettings& settings) const override;
    void restoreLayout(const QSettings& settings) override;
    bool isSettled() const override;
    VisibleRange& range() { return m_range; }
    Selection& selection() { return m_selection; }
    BandView& bandView() { return m_bandView; }
    /// Auxiliary files of the run.
    CompanionSources& companions() { return m_companions; }
    CompanionPanel& companionPanel() { return *m_companionPanel; }
    /// Requested or allocated bytes.
    AnalysisSettings& reading() { return m_reading; }
    /// Capacities that the user has chosen go before what files say. They must outlive the page.
    void setCapacityChoices(const CapacityChoices& choices);
    /// Of the device shown, as far as it is known or chosen.
    const std::optional<DeviceCapacity>& capacity() const { return m_capacity; }
    void setPeakSoFarShown(bool shown);

    /// What notes on the page are about.
    NoteSubject noteSubject() const;
    void showNotes(const Notes& notes, int chosenNumber) override;
    Note noteHere() const override;
    /// Shows its device first; a line of the log opens the log.
    bool goTo(const Note& note) override;

    /// "80,817 events · 28,252 allocations, all drawn · requested bytes · view 0 – 80,817".
    QString statusText() const override;
    /// "event 25,812 · +1.25 s · 14.50 GiB"; empty without a cursor.
    QString cursorText() const override;

signals:
    /// The user has closed the details; what was pinned or marked is let go.
    void detailsClosed();
    /// A page of the manual, by its file.
    void manualRequested(const QString& file);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void makeSide();
    void placeSide();
    void shareHeight();
    void connectParts();
    void connectSearchAndRange();
    void connectQuestions();
    void connectFindings();
    void connectFiles();
    void showFiles();
    void showLog();
    void goToLogLine(quint64 line);
    void showRemarks();
    bool goTo(const NotePlace& place);
    void applyExtent();
    void followView();
    void restore(const View& view);
    void showDevice();
    const EventScale& scale() const { return m_analysis->scale(m_axis); }
    void setLimits();
    void connectBytes();
    void showReading();
    void connectCompanions();
    void connectNotes();
    void showVerdict();
    void showFindings();
    void takeDevice();
    std::optional<DeviceCapacity> chosenCapacity() const;
    void applyCapacity();
    Bytes highestShown();
    void setLimitsKeepingView();
    void forgetFitWithCapacity();
    QString viewText() const;

    RunSession& m_session;
    VisibleRange m_range;
    Selection m_selection;
    BandView m_bandView;
    AnalysisSettings m_reading;
    CompanionSources m_companions;
    RunState m_run;
    const CapacityChoices* m_capacityChoices = nullptr;
    std::optional<DeviceCapacity> m_capacity;
    bool m_withCapacity = false; ///< the view of everything goes up to it
    AllocationSearch m_search;
    ViewHistory m_history;
    std::shared_ptr<const Document> m_document;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    AxisKind m_axis = AxisKind::Event;
    VerdictBar* m_verdict;
    SearchBar* m_searchBar;
    LaneStrip* m_lanes;
    TimelinePlot* m_timeline;
    OverviewStrip* m_overview;
    LegendBar* m_legend;
    QWidget* m_picture; ///< the timeline and the widgets aligned with it
    QSplitter* m_splitter;
    FindingsView* m_findings = nullptr;
    PanelTabs* m_questions;
    RanksView* m_ranks = nullptr; ///< one of the questions, as are all views below the timeline
    LogView* m_log = nullptr;
    bool m_ownHeights = false; ///< the user has moved the border between timeline and views
    bool m_wantsDetails = false;
    QWidget* m_side;
    RangePanel* m_rangePanel;
    CompanionPanel* m_companionPanel;
    DetailsPanel* m_details;
};

} // namespace highwater::gui
