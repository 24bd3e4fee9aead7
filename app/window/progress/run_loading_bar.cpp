#include "app/window/progress/run_loading_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/workspace/document/run_loader.h"

namespace highwater::gui {

RunLoadingBar::RunLoadingBar(RunLoader& run, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_label(new QLabel(this))
{
    setObjectName(QStringLiteral("runLoadingBar"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelRun"));
    cancel->setToolTip(tr("Stop loading the other ranks; those that are loaded stay"));
    cancel->setAccessibleName(tr("Cancel loading the other ranks"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label);
    layout->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, &m_run, &RunLoader::cancel);
    connect(&m_run, &RunLoader::changed, this, &RunLoadingBar::refresh);
    connect(&m_run, &RunLoader::finished, this, &RunLoadingBar::refresh);
    refresh();
}

void RunLoadingBar::refresh()
{
    const std::size_t files = m_run.fileCount();
    setVisible(m_run.isLoading() && files > 1);
    m_label->setText(tr("%1 of %2 ranks").arg(m_run.knownCount()).arg(files));
}

} // namespace highwater::gui
