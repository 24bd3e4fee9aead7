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

/// What they hold now, but the notes. Paths are absolute, hashes are not filled in.
WorkspaceFile collectWorkspace(const WorkspaceParts& parts);

/// How the files of a workspace are opened. The paths are those where the files were last seen.
struct WorkspaceRuns
{
    NoteRun role = NoteRun::After; ///< of the run that is opened with all its files
    QStringList files;
    QString shown; ///< the one of them on screen
    QString other; ///< the file of the other run; empty: there is one run alone
};
WorkspaceRuns runsOf(const WorkspaceFile& file);

/// What holds for files whether they are open or not; before they are opened.
void applyChoices(const WorkspaceParts& parts, const WorkspaceFile& file);
/// Device, steps and view, once the file of `runsOf(file).shown` is on screen.
void applyView(const WorkspaceParts& parts, const WorkspaceFile& file);
/// Axis and rows of the comparison, once it is there.
void applyComparison(ComparePage& compare, const WorkspaceView& view);

} // namespace highwater::gui
