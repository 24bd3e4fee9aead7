#pragma once

#include <QWidget>

class QLabel;

namespace highwater::gui {

class WorkspaceSession;

/// In the status bar while the files of a workspace are looked for: how much has been read of them, and a way
/// to stop.
class WorkspaceLoadingBar : public QWidget
{
    Q_OBJECT

public:
    explicit WorkspaceLoadingBar(WorkspaceSession& session, QWidget* parent = nullptr);

private:
    void refresh();

    WorkspaceSession& m_session;
    QLabel* m_label;
};

} // namespace highwater::gui
