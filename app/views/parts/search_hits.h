#pragma once

#include <QFrame>
#include <QPointer>

#include "app/workspace/view/allocation_search.h"

class QComboBox;
class QLabel;
class QListWidget;

namespace highwater::gui {

/// A list that drops from the search field: the number and bytes of all matches, where to search, and the
/// largest matches. It covers a part of the window and is no popup, so that a click beside it both closes it
/// and does what the clicked place is for. `search` must outlive the list.
class SearchHits : public QFrame
{
    Q_OBJECT

public:
    /// Maximum number of matches in the list; the sentence above the list gives the number of all matches.
    static constexpr std::size_t kMaxHits = 200;

    explicit SearchHits(AllocationSearch& search, QWidget* parent);

    /// Opens the list below the field, at least as wide, and gives the list the keyboard. The match on screen
    /// is selected, and in the middle of the list; kNone if there is none.
    void openBelow(QWidget& field, AllocationIndex onScreen);
    /// Closes the list, and returns the keyboard to the field if the list has it.
    void leave();
    using FoundNote = std::pair<int, QString>; ///< index and text of a note
    /// Sets the notes that the list offers before the matches, from the next `refresh` on.
    void setNotes(std::vector<FoundNote> notes) { m_notes = std::move(notes); }
    const std::vector<FoundNote>& notes() const { return m_notes; }
    /// Shows the newest answer. The entries are filled in only if the list is visible and no search is
    /// running: O(allocations) then, else O(1).
    void refresh();

signals:
    /// The user chose a match.
    void chosen(highwater::AllocationIndex allocation);
    /// The user chose a note, by its index.
    void noteChosen(int index);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isPart(const QObject* object) const;
    bool takeKey(QEvent& event);
    void fillList();
    void selectMatchOnScreen();

    AllocationSearch& m_search;
    QPointer<QWidget> m_field; ///< the widget that the list drops from
    std::vector<FoundNote> m_notes;
    AllocationIndex m_onScreen = AllocationSearch::kNone;
    QLabel* m_answer;
    QComboBox* m_eventWindows;
    QListWidget* m_list;
};

/// Returns "332 of 5,212 allocations match · 728 MiB requested", or the error, or that the search goes on.
/// Empty without a search.
QString answerText(const AllocationSearch& search);

/// Returns the largest matches, at most `most`, in the order of `isLarger`. O(allocations).
std::vector<AllocationIndex> largestMatches(
    const AllocationTable& allocations, const FilterResult& result, std::size_t most);

} // namespace highwater::gui
