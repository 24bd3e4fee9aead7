#include <QTableView>

#include "app/views/compare/diff_table.h"

// The notes on rows of the comparison.

namespace highwater::gui {

std::optional<Note> DiffTable::noteHere() const
{
    const QModelIndex current = focused().table->currentIndex();
    if (!current.isValid() || !m_state.diff())
        return std::nullopt;
    const DiffRow& row = m_state.diff()->diff.rows[focused().rowAt(current.row())];
    if (m_state.diff()->group == GroupKey::Site && m_state.diff()->comparison->runs.isOfOneDevice())
        return noteAt(NotedSite{row.key}); // which the run has without its comparison, too
    return noteAt(NotedRow{std::string(toText(m_state.diff()->group)), row.key});
}

void DiffTable::setNotes(std::vector<RowNote> notes)
{
    m_notes = std::move(notes);
    for (const Rows* rows : parts())
        if (m_notes.empty())
            rows->model->setNotes(nullptr);
        else
            rows->model->setNotes([this, rows](std::size_t row) { return notesOn(rows->first + row); });
}

std::vector<const NoteFlag*> DiffTable::notesOn(std::size_t row) const
{
    const std::string_view group = toText(m_state.diff()->group);
    const DiffRow& noted = m_state.diff()->diff.rows[row];
    std::vector<const NoteFlag*> notes;
    for (const RowNote& note : m_notes)
        if (note.row.group == group
            && (note.row.key == noted.key || (!noted.beforeKey.empty() && note.row.key == noted.beforeKey)))
            notes.push_back(&note.flag);
    return notes;
}

} // namespace highwater::gui
