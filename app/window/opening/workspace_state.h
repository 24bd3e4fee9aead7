#pragma once

#include <QStringList>

#include "core/run/workspace_file.h"

namespace highwater::gui {

class CapacityChoices;
class ComparePage;
class CompareSession;
class DocumentPage;
class NoteContext;
class PageStack;
class ReportView;
class RunSession;

/// The parts of the window whose state a workspace remembers, and the pages, one of which is current.
struct WorkspaceParts
{
    PageStack& pages;
    DocumentPage& page;
    RunSession& session;
    CompareSession& compareSession;
    ComparePage& compare;
    ReportView& report;
    CapacityChoices& capacities;
    NoteContext& notes;
};

/// Returns the current state of these parts without the notes. A reference to a file has `lastSeen` and
/// `bytes`; `path` and `sha256` are left to the writer.
WorkspaceFile collectWorkspace(const WorkspaceParts& parts);

/// How the files of a workspace are opened, with the paths where they were last seen.
struct WorkspaceRuns
{
    NoteRun role = NoteRun::After; ///< role of the run that is opened with all its files
    QStringList files;
    QString shown; ///< the file that was on screen, else the first
    QString comparedFile; ///< the file compared with this run; empty if there is only one run
};
/// Returns which files of the workspace are one run, and which file belongs to the other run.
WorkspaceRuns runsOf(const WorkspaceFile& file);

/// Applies the settings that do not need an open file, before the files are opened.
void applyChoices(const WorkspaceParts& parts, const WorkspaceFile& file);
/// Restores device, steps, bytes, bands, axis, cursor and visible events once `runsOf(file).shown` is on
/// screen. The window opens the view itself (`WorkspaceView::open`).
void applyView(const WorkspaceParts& parts, const WorkspaceFile& file);
/// Restores axis and grouping of the comparison once it is on screen.
void applyComparison(ComparePage& compare, const WorkspaceView& view);

} // namespace highwater::gui
