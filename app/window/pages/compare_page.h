#pragma once

#include "app/views/compare/linked_timelines.h"
#include "app/views/pages/page.h"
#include "app/workspace/compare/comparison_state.h"

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace highwater::gui {

class CompareHeader;
class ComparePictures;
class DiffTable;
class RowStack;
class ToolBar;
class Veil;

/// Two runs side by side: a sentence on what changed, both timelines on one axis, charts of the difference,
/// and a table whose rows add up to it.
class ComparePage : public Page
{
    Q_OBJECT

public:
    explicit ComparePage(QWidget* parent = nullptr);

    void compare(const RunChoice& before, const RunChoice& after);
    /// Adds commands of the window to the tool bar: one at the left end, the others at the right.
    void addCommands(QAction* open, const QList<QAction*>& others);
    /// Returns both runs, without devices until they are compared; one if two steps of it are compared; empty
    /// until both are open.
    std::vector<NoteSubject> subjects() const override;
    PageOffers offers() const override;
    int leastWidth() const override { return kLeastWidth; }
    std::optional<ComparedEvents> comparedMoments() const override;
    bool isReportable() const override { return m_state.comparison() != nullptr; }
    void setColors(const ThemeColors& colors) override;
    PictureTitle pictureTitle() const override;
    void takeFocus() override;
    bool isSettled() const override;
    void saveLayout(QSettings& settings) const override;
    void restoreLayout(const QSettings& settings) override;

    ComparisonState& state() { return m_state; }
    LinkedTimelines& timelines() { return *m_timelines; }
    DiffTable& rows() { return *m_rows; }
    RowStack& rowStack() { return *m_rowStack; }
    ComparePictures& pictures() { return *m_pictures; }
    CompareHeader& header() { return *m_header; }

    void fit() override { m_timelines->fit(); }
    void fitHeight() override { m_timelines->fitHeight(); }
    void zoom(double factor) override { m_timelines->zoom(factor); }
    void pan(double shareOfView) override { m_timelines->pan(shareOfView); }
    /// Goes to the peaks of both runs, in the view before the steps if they are in it.
    void goToPeak() override;
    /// Compares the pair of steps `by` pairs after the compared one, or the first pair, and zooms to it.
    /// Pairs with a single step are passed over. Does nothing for two steps of one run.
    void goToNeighbourStep(int by) override;
    /// True from a zoom to compared steps, or to the birth of a row, until the return from it.
    bool canGoBack() const override { return m_previousView.has_value(); }
    /// Returns to the view before the zoom; from compared steps also to the peaks.
    void goBack() override;
    /// Ends one thing: pins and selected rows with the zoom to their birth, else ranges, else that zoom, else
    /// the comparison if it is of one run, else the compared moment with the zoom to its steps.
    void release() override;
    void swap() override { m_state.swap(); }

    void showNotes(const Notes& notes, int chosenNumber) override;
    Note noteHere() const override;
    bool goTo(const Note& note) override;

    /// Selects the row, zooms the timeline of each run that has it to the step in which it is first
    /// allocated, and puts the cursor there.
    void goToBirth(std::uint32_t row);

    /// Returns "7,600 ↔ 8,948 events · requested bytes · steps paired in order".
    QString statusText() const override;
    QString cursorText() const override { return m_timelines->cursorText(); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    void makeToolBar();
    QWidget* makeButtons(const QList<QAction*>& actions);
    QToolButton* makeAxisMenu();
    void layOut();
    void shareHeight();
    void connectParts();
    void connectNotes();
    NoteRun runOf(int side) const;
    bool goTo(NoteRun run, const NotePlace& place);
    bool chooseRow(const std::string& group, const std::string& key);
    bool chooseWantedRow();
    void takeRuns();
    void showWaiting();
    void takeDiff();
    void followMoments();
    void followAxis();
    void showFacts();
    void showStack();
    void compareAtCursor();
    void comparePlace(double place);
    void compareSteps();
    void rememberView();
    /// Compares a pair of steps and zooms to it.
    void compareStep(std::size_t pair);
    /// Returns the steps to offer instead of what is compared; null if there are none, or while steps are
    /// compared.
    const UnequalPeaks* unequalPeaks() const;
    /// True if two steps of one run are compared.
    bool isOfTwoSteps() const;
    void choosePinned(int side, AllocationIndex allocation);
    void reportIfSettled();
    QString rowFacts(std::uint32_t row) const;
    QString shownFacts() const;

    static constexpr int kLeastWidth = 940; ///< for timelines and table

    ComparisonState m_state;
    CompareHeader* m_header;
    LinkedTimelines* m_timelines;
    ComparePictures* m_pictures;
    DiffTable* m_rows;
    Veil* m_headerVeil; ///< over the header and the rows while they are of other moments
    Veil* m_rowsVeil;
    QLabel* m_facts;
    QWidget* m_factsArea = nullptr; ///< scrolls the facts; without any, the table has its room
    RowStack* m_rowStack;
    ToolBar* m_bar;
    QSplitter* m_across;
    QSplitter* m_down;
    QSplitter* m_right = nullptr; ///< the table and its facts, hidden while the page is too narrow
    bool m_ownHeights = false; ///< the user has moved the border between timelines and pictures
    QComboBox* m_group;
    QLabel* m_waiting; ///< in place of everything else until the first runs are compared
    std::optional<AxisWindow> m_previousView; ///< the view before a zoom to compared steps or a birth
    std::optional<std::string> m_wantedRow; ///< key of the row to select once the rows are ready
    QActionGroup* m_axes = nullptr;
    QAction* m_swap = nullptr;
    QAction* m_peaks = nullptr;
    QAction* m_cursor = nullptr;
    QAction* m_step = nullptr;
    QAction* m_sameScale = nullptr;
    QAction* m_close = nullptr;
};

} // namespace highwater::gui
