#pragma once

#include <QWidget>

#include "app/models/table_model.h"
#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/notes/note_places.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace highwater::gui {

/// The changes as a table, with a filter above and the sum of the filtered rows below. The selected rows are
/// the `chosen` rows of the ComparisonState, in both directions. Name, difference and status are always on
/// screen; the other columns are to the right of them.
class DiffTable : public QWidget
{
    Q_OBJECT

public:
    explicit DiffTable(ComparisonState& state, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors) { m_model->setColors(colors); }
    void setNotes(std::vector<RowNote> notes);
    /// A new note on the row with the keyboard focus; nullopt if there is none.
    std::optional<Note> noteHere() const;
    QTableView& table() { return *m_table; }
    QLineEdit& filter() { return *m_filter; }

signals:
    /// The user wants to add this note.
    void noteRequested(const highwater::Note& draft);
    /// A row was double-clicked, or Enter was pressed on it.
    void rowOpened(quint32 row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void layOut();
    void connectParts();
    void followDiff();
    void addCommands();
    void orderColumns();
    void fitWidth();
    void openCurrent();
    void followChosen();
    void chooseSelected();
    void showSum();
    const DiffRow& row(int shown) const;
    std::vector<const NoteFlag*> notesOn(std::size_t row) const;

    ComparisonState& m_state;
    std::vector<RowNote> m_notes;
    TableModel* m_model;
    QLabel* m_title;
    QLineEdit* m_filter;
    QTableView* m_table;
    QLabel* m_sum;
    bool m_isFollowing = false; ///< the selection is being set from the state, not by the user
};

/// Returns the noun for a row of this grouping: "call site", "function", …
QString nounForRow(GroupKey key);

} // namespace highwater::gui
