#pragma once

#include <QFrame>
#include <QPointer>

#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/allocation_search.h"
#include "app/workspace/view/selection.h"
#include "core/run/note.h"

class QLineEdit;
class QToolButton;

namespace highwater::gui {

class SearchHits;

/// The field for searching allocations. Inside it, at its right end, are the number of the match on screen
/// and of all ("3 of 332"), which opens a list of the matches, and buttons for the next and previous match. A
/// search starts at its largest match, or at the owner of a searched address, and goes on to smaller ones,
/// from the pinned match or else from the last one. If nothing matches, the field says so; if the user
/// presses Enter nevertheless, a tool tip below the field does. The field never becomes narrower while one
/// types. `search` and `selection` must outlive the bar.
class SearchBar : public QFrame
{
    Q_OBJECT

public:
    /// The width in pixels below which the text in the field could not be read.
    static constexpr int kLeastWidth = 270;
    /// Width of the field that its buttons leave to the text, in pixels; an error may leave less.
    static constexpr int kLeastText = 130;

    SearchBar(AllocationSearch& search, const Selection& selection, QWidget* parent = nullptr);

    QSize sizeHint() const override;

    void setColors(const ThemeColors& colors);
    /// Sets the notes in which the search also looks, by title and text.
    void setNotes(const Notes& notes);
    /// Focuses the field and selects its text. Esc will return the focus to the widget that has it now.
    void focusField();

public slots:
    /// Goes to the next match, or does so once the search is finished. Without a match, goes to the first
    /// note that matches.
    void goToNext();
    void goToPrevious();
    /// Opens the list of the matches below the field, or closes it.
    void listHits();
    /// Ends the search and returns the keyboard focus.
    void dismiss();

signals:
    /// Requests to show and pin this allocation.
    void goTo(highwater::AllocationIndex allocation);
    /// Requests to unpin the match that is pinned, because its search has ended.
    void matchLeft();
    /// Requests to show a note, by its index.
    void noteRequested(int index);
    /// The user ended the search in this bar.
    void dismissed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Step
    {
        None,
        Next,
        Previous
    };

    void makeField();
    QToolButton* makeButton(const QString& name, const QString& tip, void (SearchBar::*slot)());
    void layOut();
    bool isEscape(QEvent* event);
    bool isEnter(QEvent* event);
    void refresh();
    void leaveMatch();
    void showCount();
    void layOutField();
    void step(Step step);
    void visit(AllocationIndex match);
    AllocationIndex matchFrom(Step step) const;
    AllocationIndex ownerAtMoment() const;
    AllocationIndex matchOnScreen() const;
    void goToNoteOrSay();
    void findNotes();

    AllocationSearch& m_search;
    const Selection& m_selection;
    ThemeColors m_colors;
    QLineEdit* m_field;
    QWidget* m_tail; ///< the widgets inside the field, at its right end
    QToolButton* m_count;
    SearchHits* m_hits;
    std::vector<std::pair<QString, QString>> m_notes; ///< title and, in lower case, all text of each note
    QToolButton* m_list = nullptr; ///< opens the list of matches
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_clear;
    QPointer<QWidget> m_focusBefore;
    Step m_awaitedStep = Step::None; ///< step to take once the search is finished
    AllocationIndex m_lastMatch = AllocationSearch::kNone; ///< match of the last step
    QString m_steppedText; ///< text of the search in which that step was taken
};

} // namespace highwater::gui
