#include <QFileInfo>
#include <QListView>

#include "app/models/log_model.h"
#include "app/views/log/log_view.h"
#include "app/views/log/series_chart.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/notes/note_places.h"

// Notes on lines of the log.

namespace highwater::gui {

void LogView::connectNotes()
{
    addContextAction(*m_lines, tr("Add a note on this line"), [this] {
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

void LogView::showNotes(const Notes& notes, const NoteSubject& subject)
{
    if (!hasLog())
        return;
    // Without a device, the log itself is the run.
    const std::vector<NoteFlag> flags
        = lineNotes(notes, subject.run, fileName().toStdString(), !subject.analysis);
    m_model->setNotes(flags);
    m_chart->setNotes(flags);
}

} // namespace highwater::gui
