#pragma once

#include <QWidget>

#include "app/views/compare/linked_timelines.h"
#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/theme_colors.h"

class QAction;
class QActionGroup;
class QComboBox;
class QLabel;
class QSettings;
class QSplitter;

namespace highwater::gui {

class CompareHeader;
class ComparePictures;
class DiffTable;

/// Two runs side by side: what changed in a sentence, both timelines on one axis, pictures of the difference,
/// and the table of rows that sums to it.
class ComparePage : public QWidget
{
    Q_OBJECT

public:
    explicit ComparePage(QWidget* parent = nullptr);

    void compare(const RunChoice& before, const RunChoice& after) { m_state.setRuns(before, after); }
    void setColors(const ThemeColors& colors);
    bool isSettled() const;
    void saveLayout(QSettings& settings) const;
    void restoreLayout(const QSettings& settings);

    ComparisonState& state() { return m_state; }
    LinkedTimelines& timelines() { return *m_timelines; }
    DiffTable& rows() { return *m_rows; }
    ComparePictures& pictures() { return *m_pictures; }
    CompareHeader& header() { return *m_header; }
    /// What is said of the chosen rows.
    QString factsText() const;

    void fit() { m_timelines->fit(); }
    void zoom(double factor) { m_timelines->zoom(factor); }
    void pan(double shareOfView) { m_timelines->pan(shareOfView); }
    void goToPeaks();
    /// `by` pairs of steps on from the one that is compared: compares it and fills the view with it.
    void goToNeighbourStep(int by);
    /// What Esc does: lets go of the chosen rows, then of the moment.
    void release();

    /// What notes on the page are about: none until the runs are compared.
    std::vector<NoteSubject> noteSubjects() const;
    void showNotes(const Notes& notes, int chosenNumber);
    /// What a new note would be about.
    Note noteHere() const;
    /// False: the run, or the comparison of these moments, has no such place.
    bool goTo(NoteRun run, const NotePlace& place);

    /// "7,600 ↔ 8,948 events · steps put beside each other by index".
    QString statusText() const;
    QString cursorText() const { return m_timelines->cursorText(); }

signals:
    void settled();
    void statusChanged();
    void closeRequested();
    /// The user wants a note like this one.
    void noteRequested(const highwater::Note& draft);
    void noteClicked(int number);
    void noteMoved(int number, qint64 event);

private:
    void makeActions();
    QWidget* makeToolBar();
    void layOut();
    void connectParts();
    void connectNotes();
    bool chooseRow(const std::string& group, const std::string& key);
    bool chooseWantedRow();
    void takeRuns();
    void takeDiff();
    void followMoments();
    void followAxis();
    void showFacts();
    void compareAtCursor();
    void choosePinned(int side, AllocationIndex allocation);
    void reportIfSettled();
    QString rowFacts(std::uint32_t row) const;

    ComparisonState m_state;
    CompareHeader* m_header;
    LinkedTimelines* m_timelines;
    ComparePictures* m_pictures;
    DiffTable* m_rows;
    QLabel* m_facts;
    QSplitter* m_across;
    QSplitter* m_down;
    QComboBox* m_group;
    std::optional<std::string> m_wantedRow; ///< key of the one to be chosen when the rows are there
    QActionGroup* m_axes = nullptr;
    QAction* m_swap = nullptr;
    QAction* m_peaks = nullptr;
    QAction* m_cursor = nullptr;
    QAction* m_step = nullptr;
    QAction* m_sameScale = nullptr;
    QAction* m_close = nullptr;
};

} // namespace highwater::gui
