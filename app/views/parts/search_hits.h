#pragma once

#include <QFrame>

#include "app/workspace/view/allocation_search.h"

class QComboBox;
class QLabel;
class QListWidget;

namespace highwater::gui {

/// A popup below the search field: the number and bytes of all matches, where to search, and the largest
/// matches as a list. The search must outlive it.
class SearchHits : public QFrame
{
    Q_OBJECT

public:
    /// Matches in the list; the sentence above gives the number of all.
    static constexpr std::size_t kMostHits = 200;

    explicit SearchHits(AllocationSearch& search, QWidget* parent);

    /// Opens the popup below a widget, as wide as it or wider.
    void openBelow(const QWidget& field);
    /// Sets the notes that the list offers before the matches, with their indices.
    using FoundNote = std::pair<int, QString>;
    void setNotes(std::vector<FoundNote> notes) { m_notes = std::move(notes); }
    const std::vector<FoundNote>& notes() const { return m_notes; }
    /// Shows the answer as it is now; the list is made only while the popup is open. O(allocations).
    void refresh();

signals:
    /// The user chose a match.
    void chosen(highwater::AllocationIndex allocation);
    /// The user chose a note, by its index.
    void noteChosen(int index);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillList();

    AllocationSearch& m_search;
    std::vector<FoundNote> m_notes;
    QLabel* m_answer;
    QComboBox* m_windows;
    QListWidget* m_list;
};

/// Returns "332 of 5,212 allocations match · 728 MiB requested", or the error. Empty without a search.
QString answerText(const AllocationSearch& search);

/// Returns the largest matches, at most `most`, in the order of `isLarger`. O(allocations).
std::vector<AllocationIndex> largestMatches(
    const AllocationTable& allocations, const FilterResult& result, std::size_t most);

} // namespace highwater::gui
