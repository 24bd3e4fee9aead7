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

/// The parts of the window that a workspace remembers.
struct WorkspaceParts
{
    PageStack& pages;
    DocumentPage& page;
    RunSession& session;
    CompareSession& other;
    ComparePage& compare;
    ReportView& report;
    CapacityChoices& capacities;
    NoteContext& notes;
};

/// Returns the current state of these parts without the notes. Paths are absolute; hashes are not filled in.
WorkspaceFile collectWorkspace(const WorkspaceParts& parts);

/// How the files of a workspace are opened, with the paths where they were last seen.
struct WorkspaceRuns
{
    NoteRun role = NoteRun::After; ///< role of the run that is opened with all its files
    QStringList files;
    QString shown; ///< the file that was on screen
    QString other; ///< file of the other run; empty if there is only one run
};
/// Returns which files of the workspace are one run, and which file belongs to the other run.
WorkspaceRuns runsOf(const WorkspaceFile& file);

/// Applies the settings that do not need an open file, before the files are opened.
void applyChoices(const WorkspaceParts& parts, const WorkspaceFile& file);
/// Restores device, steps and view once `runsOf(file).shown` is on screen.
void applyView(const WorkspaceParts& parts, const WorkspaceFile& file);
/// Restores axis and rows of the comparison once it is on screen.
void applyComparison(ComparePage& compare, const WorkspaceView& view);

} // namespace highwater::gui
