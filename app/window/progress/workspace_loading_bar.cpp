#include "app/window/progress/workspace_loading_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/workspace/saved/workspace_session.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

WorkspaceLoadingBar::WorkspaceLoadingBar(WorkspaceSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_label(new QLabel(this))
{
    setObjectName(QStringLiteral("workspaceLoadingBar"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelWorkspace"));
    cancel->setToolTip(tr("Do not open the workspace; what is on screen stays"));
    cancel->setAccessibleName(tr("Cancel opening the workspace"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label);
    layout->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, &m_session, &WorkspaceSession::cancel);
    connect(&m_session, &WorkspaceSession::changed, this, &WorkspaceLoadingBar::refresh);
    connect(&m_session, &WorkspaceSession::progressed, this, [this](quint64 done) {
        m_label->setText(
            tr("Checking the files of the workspace: %1").arg(bytesText(static_cast<Bytes>(done))));
    });
    refresh();
}

void WorkspaceLoadingBar::refresh()
{
    if (m_session.isReading() && !isVisible())
        m_label->setText(tr("Checking the files of the workspace"));
    setVisible(m_session.isReading());
}

} // namespace highwater::gui
