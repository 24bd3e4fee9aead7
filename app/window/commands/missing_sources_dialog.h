#pragma once

#include <vector>

#include <QDialog>

#include "app/loading/files/file_hash.h"
#include "app/loading/files/workspace_store.h"
#include "app/workspace/tasks/latest_task.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace highwater::gui {

/// The missing or changed files of a workspace, with a choice for each: another path, the changed file, or
/// leaving the file out. Nothing is preselected.
class MissingSourcesDialog : public QDialog
{
    Q_OBJECT

public:
    explicit MissingSourcesDialog(const OpenedWorkspace& workspace, QWidget* parent = nullptr);

    /// True if a file is missing or has changed.
    static bool isNeededFor(const OpenedWorkspace& workspace);

    /// Sets the file for a row: it is checked off the GUI thread, and the other files are searched for in its
    /// folder. Public for tests.
    void locate(std::size_t row, const QString& path);
    bool isBusy() const { return m_task.isBusy(); }
    std::size_t rowCount() const { return m_rows.size(); }

    /// Returns the workspace with the path of every file, without files that are left out.
    WorkspaceFile file() const;

private:
    enum class Decision
    {
        Open,
        Use,
        LeaveOut
    };
    struct Row
    {
        std::size_t source = 0; ///< index in WorkspaceFile::sources, or their number for the configuration
        WorkspaceReference reference;
        ResolvedSource resolved;
        Decision decision = Decision::Open;
        QLabel* text = nullptr;
        QPushButton* locate = nullptr;
        QPushButton* use = nullptr;
        QPushButton* leaveOut = nullptr;
    };

    void addRow(std::size_t source, const WorkspaceReference& reference, const ResolvedSource& resolved);
    void layOutRow(QGridLayout& grid, int row);
    void chooseFile(std::size_t row);
    void takeLocated(
        std::size_t row, const QString& path, bool isSame, std::vector<ResolvedSource> resolvedRows);
    void refresh();

    const OpenedWorkspace& m_workspace;
    std::vector<Row> m_rows;
    QPushButton* m_openButton = nullptr;
    FileHashes m_hashes;
    LatestTask m_task;
};

/// Returns the workspace with the path of every file, for a workspace that needs no dialog.
WorkspaceFile resolvedFile(const OpenedWorkspace& workspace);

} // namespace highwater::gui
