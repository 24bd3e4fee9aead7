#include "app/workspace/saved/workspace_session.h"

#include <tuple>
#include <utility>

#include <QFileInfo>

#include "app/workspace/document/run_session.h"
#include "app/workspace/notes/note_list.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {

constexpr int kAutosaveMilliseconds = 500;

} // namespace

WorkspaceSession::WorkspaceSession(
    NoteList& notes, Collect collect, const QString& autosaveFolder, QObject* parent)
    : QObject(parent)
    , m_notes(notes)
    , m_collect(std::move(collect))
    , m_autosave(autosaveFolder)
    , m_jobs(1)
{
    m_autosaveTimer.setSingleShot(true);
    m_autosaveTimer.setInterval(kAutosaveMilliseconds);
    connect(&m_autosaveTimer, &QTimer::timeout, this, &WorkspaceSession::writeAutosave);
    connect(&m_notes, &NoteList::changed, this, &WorkspaceSession::followNotes);
    // The list signals a change before its undo stack does.
    connect(&m_notes.undoStack(), &QUndoStack::cleanChanged, this, &WorkspaceSession::followNotes);
}

WorkspaceSession::~WorkspaceSession()
{
    if (m_stop)
        m_stop->requestStop();
}

template <typename Work>
void WorkspaceSession::runInBackground(Work work)
{
    m_jobs.start([work = std::move(work)](const Job& job) mutable { job.post(work(job)); });
}

bool WorkspaceSession::isDirty() const
{
    return m_isChanged || !m_notes.undoStack().isClean();
}

void WorkspaceSession::open(const QString& givenPath, bool autosaved)
{
    cancel();
    // A program that was started in another folder may read the path in a copy.
    const QString path = QFileInfo(givenPath).absoluteFilePath();
    m_stop = std::make_shared<StopToken>();
    runInBackground([this, path, autosaved, stop = m_stop](const Job& job) {
        JobProgress progress(job, [this](quint64 done, quint64) { emit progressed(done); });
        ResolveOptions options;
        options.progress = &progress;
        options.stop = *stop;
        options.hashes = &m_hashes;
        auto opened = std::make_shared<Result<OpenedWorkspace>>(openWorkspace(systemPath(path), options));
        return [this, path, autosaved, stop, opened] {
            if (stop == m_stop)
                takeOpened(path, autosaved, std::move(*opened));
        };
    });
    emit changed();
}

void WorkspaceSession::cancel()
{
    const std::shared_ptr<StopToken> stop = std::exchange(m_stop, nullptr);
    if (!stop)
        return;
    stop->requestStop();
    emit changed();
    emit cancelled();
}

void WorkspaceSession::takeOpened(const QString& path, bool autosaved, Result<OpenedWorkspace> opened)
{
    m_stop.reset();
    emit changed();
    if (!opened) {
        emit failed(path, toQString(toText(opened.error())));
        return;
    }
    m_recoveredCopy = autosaved ? path : QString();
    const QString workspacePath = autosaved ? qtPath(opened->read.file.savedAs) : path;
    emit this->opened(std::make_shared<const OpenedWorkspace>(std::move(*opened)), workspacePath);
}

void WorkspaceSession::begin(const OpenedWorkspace& opened, const QString& path)
{
    if (!m_recoveredCopy.isEmpty()) {
        m_jobs.wait(); // makes sure that no job uses `m_autosave`
        m_hasAutosave = m_autosave.takeOver(std::exchange(m_recoveredCopy, QString()));
    }
    const bool isUnsaved = !opened.read.file.savedAs.empty() || path.isEmpty();
    m_path = path;
    m_report = opened.read.file.report;
    m_rest = opened.read.file.rest;
    m_savedContent.clear();
    m_notes.replaceAll(opened.read.file.notes);
    m_loadedNotes = m_notes.notes();
    m_isSettled = false;
    m_isChanged = isUnsaved;
    emit changed();
    if (isUnsaved)
        autosaveLater();
}

void WorkspaceSession::settle()
{
    if (std::exchange(m_isSettled, true) || !isOpen())
        return;
    m_savedContent = contentNow();
    // The runs may have been swapped and swapped back while loading.
    if (std::exchange(m_loadedNotes, {}) == m_notes.notes())
        m_notes.undoStack().setClean();
}

void WorkspaceSession::end()
{
    cancel();
    m_path.clear();
    m_report = {};
    m_rest.clear();
    m_savedContent.clear();
    m_isChanged = false;
    m_isSettled = true;
    m_notes.replaceAll({});
    dropAutosave();
    emit changed();
}

/// Deletes the copy, because no unsaved work is left.
void WorkspaceSession::dropAutosave()
{
    m_autosaveTimer.stop();
    if (std::exchange(m_hasAutosave, false))
        runInBackground([this](const Job&) {
            m_autosave.remove();
            return [] {};
        });
}

void WorkspaceSession::detach()
{
    m_isSettled = true;
    m_path.clear();
    m_savedContent.clear();
    m_isChanged = m_isChanged || !m_notes.notes().empty();
    emit changed();
}

WorkspaceFile WorkspaceSession::collectFile() const
{
    WorkspaceFile file = m_collect();
    file.notes = m_notes.notes();
    file.report = m_report;
    file.rest = m_rest;
    return file;
}

/// Returns the content whose changes count as unsaved: everything but the notes and the view.
std::string WorkspaceSession::contentNow() const
{
    WorkspaceFile file = collectFile();
    file.notes.clear();
    file.view = {};
    for (WorkspaceSource& source : file.sources) {
        source.isShown = false;
        source.device.clear();
    }
    return workspaceToJson(file);
}

void WorkspaceSession::noteChange()
{
    if (m_savedContent.empty() || m_isChanged || contentNow() == m_savedContent)
        return;
    m_isChanged = true;
    autosaveLater();
    emit changed();
}

void WorkspaceSession::followNotes()
{
    if (isDirty())
        autosaveLater();
    else if (!isSaving())
        dropAutosave();
    emit changed();
}

void WorkspaceSession::save(const QString& givenPath)
{
    const QString path = QFileInfo(givenPath).absoluteFilePath();
    if (!m_isSettled) {
        emit saveFailed(path, tr("cannot be saved: its files are still being opened"));
        return;
    }
    WorkspaceFile file = collectFile();
    std::string content = contentNow();
    m_notes.undoStack().setClean(); // later changes are not in the file
    m_isChanged = false;
    ++m_pendingSaves;
    runInBackground([this, path, file = std::move(file), content = std::move(content)](const Job&) mutable {
        auto result = std::make_shared<Result<void>>(addHashes(file, m_hashes));
        if (*result)
            *result = saveWorkspace(systemPath(path), std::move(file));
        return [this, path, content = std::move(content), result] { takeSaved(path, content, *result); };
    });
    emit changed();
}

void WorkspaceSession::takeSaved(const QString& path, const std::string& content, const Result<void>& result)
{
    --m_pendingSaves;
    if (!result) {
        m_isChanged = true;
        autosaveLater();
        emit changed();
        emit saveFailed(path, toQString(toText(result.error())));
        return;
    }
    m_path = path;
    m_savedContent = content;
    if (!isDirty() && !isSaving())
        dropAutosave();
    emit changed();
    emit saved(path);
    noteChange();
}

void WorkspaceSession::autosaveLater()
{
    if (!m_autosaveTimer.isActive())
        m_autosaveTimer.start();
}

void WorkspaceSession::writeAutosave()
{
    if (!m_isSettled)
        return autosaveLater(); // the workspace is not completely loaded yet
    if (!isDirty())
        return;
    WorkspaceFile file = collectFile();
    file.savedAs = systemPath(m_path);
    m_hasAutosave = true;
    runInBackground([this, file = std::move(file)](const Job& job) mutable {
        // The copy is first written without hashes: hashing a large run takes long, and the program may crash
        // meanwhile. Errors are ignored, because the user could do nothing about them.
        const WorkspaceFile unhashed = file;
        std::ignore = m_autosave.write(file);
        if (addHashes(file, m_hashes, nullptr, job.stop()) && file != unhashed)
            std::ignore = m_autosave.write(file);
        return [] {};
    });
}

} // namespace highwater::gui
