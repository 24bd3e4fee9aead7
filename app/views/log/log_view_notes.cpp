#include <QAction>
#include <QFileInfo>
#include <QListView>

#include "app/models/log_model.h"
#include "app/views/log/log_view.h"
#include "app/views/log/series_chart.h"
#include "app/workspace/notes/note_places.h"

// Notes on lines of the log.

namespace highwater::gui {

void LogView::connectNotes()
{
    auto* note = new QAction(tr("Add a note on this line"), this);
    m_lines->addAction(note);
    m_lines->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(note, &QAction::triggered, this, [this] {
        if (const std::optional<Note> draft = noteHere())
            emit noteRequested(*draft);
    });
}

QString LogView::fileName() const
{
    return hasLog() ? QFileInfo(m_path).fileName() : QString();
}

std::optional<Note> LogView::noteHere() const
{
    if (!hasLog() || !m_lines->currentIndex().isValid())
        return std::nullopt;
    Note note = noteAt(NotedLine{currentLine()});
    note.file = fileName().toStdString();
    return note;
}

void LogView::setNotes(const std::vector<NoteFlag>& notes)
{
    m_model->setNotes(notes);
    m_chart->setNotes(notes);
}

} // namespace highwater::gui
