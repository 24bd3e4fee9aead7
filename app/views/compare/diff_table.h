#pragma once

#include <array>

#include <QWidget>

#include "app/models/table_model.h"
#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/notes/note_places.h"

class QAbstractItemDelegate;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace highwater::gui {

/// The changes as a table, with a filter above, and below the sum of the rows that the filter leaves. The
/// table's selection and `ComparisonState::selectedRows` follow each other. Name, difference and both amounts
/// are always on screen, status and change of size if none of the first names is cut for them. Rows with
/// equal totals are hidden if there are others, until the user asks for them, a filter is set, or one is
/// selected elsewhere. Rows that cannot be compared are in a table of their own below, under a line that says
/// why.
class DiffTable : public QWidget
{
    Q_OBJECT

public:
    explicit DiffTable(ComparisonState& state, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Shows these notes on their rows.
    void setNotes(std::vector<RowNote> notes);
    /// Returns a new note on the current row; nullopt if there is none.
    std::optional<Note> noteHere() const;
    QTableView& table() { return *m_compared.table; }
    /// Returns the rows that cannot be compared; hidden if there are none.
    QTableView& cutTable() { return *m_cut.table; }
    QLineEdit& filter() { return *m_filter; }

signals:
    /// The user wants to add this note.
    void noteRequested(const highwater::Note& draft);
    /// A row was double-clicked, or Enter was pressed on it.
    void rowOpened(quint32 row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A table with the rows of the comparison from `first` on.
    struct Rows
    {
        TableModel* model = nullptr;
        QTableView* table = nullptr;
        std::uint32_t first = 0;
        std::uint32_t count = 0;

        std::uint32_t rowAt(int shown) const
        {
            return first + static_cast<std::uint32_t>(model->rowAt(shown));
        }
    };

    Rows makeRows(const QString& name, const QString& accessibleName);
    /// Returns the rows that can be compared, and those that cannot.
    std::array<const Rows*, 2> parts() const { return {&m_compared, &m_cut}; }
    /// Returns the part with the keyboard focus.
    const Rows& focused() const;
    void layOut();
    void connectParts();
    void connectRows(const Rows& rows);
    void followDiff();
    void showRows(Rows& rows, std::uint32_t first, std::uint32_t last);
    std::uint32_t lastShown(const std::vector<DiffRow>& rows, std::uint32_t firstCut);
    void showCutRows();
    void addCommands(const Rows& rows);
    void orderColumns();
    void fitWidth();
    int fitAmounts();
    int widestName() const;
    void openCurrent();
    void followSelectedRows();
    void takeSelection();
    void showSum();
    std::vector<const NoteFlag*> notesOn(std::size_t row) const;

    ComparisonState& m_state;
    std::vector<RowNote> m_notes;
    QLabel* m_title;
    QLineEdit* m_filter;
    Rows m_compared;
    QLabel* m_whyCut;
    Rows m_cut;
    QLabel* m_sum;
    QToolButton* m_unchanged;
    QAbstractItemDelegate* m_statuses;
    int m_widestAmounts = 0; ///< since these runs are compared, in pixels
    bool m_isFitting = false; ///< widths are being set, which may resize the table again
    bool m_isFollowing = false; ///< the selection is being set from the state, not by the user
};

/// Returns the noun for a row of this grouping: "call site", "function", …
QString nounForRow(GroupKey key);

} // namespace highwater::gui
