#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QWidget>

#include "app/views/side_panel/allocation_facts.h"
#include "app/views/side_panel/highlighted_sites.h"
#include "app/workspace/source/source_lookup.h"
#include "app/workspace/tasks/frame_throttle.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/selection.h"
#include "core/run/note.h"

class QMenu;
class QPushButton;

namespace highwater {
class RunStudy;
}

namespace highwater::gui {

class FactSheet;
class SourceView;
class StackView;

/// Shows details of what was selected last: a pinned allocation, a moment, a step, a range or highlighted
/// allocations. As long as no allocation is pinned, the one under the mouse comes first. If nothing is
/// selected, the panel shows the last request that failed, else the peak, and the categories in use then. Of
/// highlighted allocations it shows the call sites, and the stack of the chosen site, at first the largest.
/// Below the stack is the source of the frame that the user chooses. The source of the failing line, or of
/// the line of the site, is shown unasked if its file is found. The panel places its parts itself, because a
/// layout would lay out the whole window again on every change. `selection` must outlive the panel.
class DetailsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPanel(Selection& selection, QWidget* parent = nullptr);

    void show(std::shared_ptr<const DeviceAnalysis> analysis);
    void setColors(const ThemeColors& colors);
    /// Sets the run whose findings name the line through which kept allocations were made; null until the
    /// findings are known.
    void setRun(std::shared_ptr<const RunStudy> run);
    /// Returns the notes on an allocation, one line each.
    using NotesOf = std::function<QStringList(AllocationIndex)>;
    void setNotes(NotesOf notes);
    /// Returns the details of the allocation that is pinned or under the mouse as text; empty if there is
    /// none.
    QString text() const;

    QSize sizeHint() const override { return {330, 600}; }
    QSize minimumSizeHint() const override { return {220, 200}; }

signals:
    /// The user wants to add this note on the allocation or its call site.
    void noteRequested(const highwater::Note& draft);
    /// The user wants to search the allocations for this text, in the syntax of `parseFilter`.
    void searchRequested(const QString& text);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent*) override { placeParts(); }
    void showEvent(QShowEvent*) override { refresh(); }

private:
    void refresh();
    AllocationFacts facts() const;
    std::optional<AllocationFacts> failure() const;
    bool isAllocationShown() const;
    void showSites();
    void finish(bool hasAllocation);
    void followLink(std::size_t link);
    void showStack(const std::optional<AllocationFacts>& shown, bool hasAllocation);
    void placeParts();
    void copyAll();
    void addNoteActions(QMenu& menu);
    void connectFrames();
    void chooseFrame(FrameId frame);
    void showIfFound(FrameId frame);
    void openFrame(FrameId frame);
    void requestSearch(FrameId frame);
    void askForFolder();
    void copyStack();
    void showSource(const SourceAnswer& answer);
    void openSource();
    void forgetFrame();
    int leastStackHeight() const;

    Selection& m_selection;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    FrameThrottle m_throttle; ///< limits updates, because the panel follows the mouse
    FactSheet* m_sheet;
    StackView* m_stack;
    SourceView* m_source;
    QPushButton* m_copy;
    NotesOf m_notes;
    std::shared_ptr<const RunStudy> m_run;
    HighlightedSites m_sites; ///< call sites of the allocations highlighted last
    bool m_showsSites = false;
    /// The frame that the details name: of the line through which the shown allocation was made, of the
    /// failing line, or of the shown call site; isNone() if it is unknown.
    FrameId m_linked;
    StackId m_shownStack; ///< stack in m_stack; isNone() if it is empty
    SourceLookup m_lookup;
    FrameId m_frame; ///< the frame whose source is shown or looked for, if any
    SourceAnswer m_answer; ///< shown by m_source
    bool m_opensWhenFound = false; ///< true if the source is to be opened in the editor once it is found
    bool m_isFrameChosen = false; ///< the user chose m_frame, so a source that is not found is reported
};

} // namespace highwater::gui
