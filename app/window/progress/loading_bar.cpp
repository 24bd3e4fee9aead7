#include "app/window/progress/loading_bar.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "app/views/parts/arrange.h"
#include "app/workspace/compare/sweep_session.h"
#include "app/workspace/document/document_loader.h"
#include "app/workspace/document/run_loader.h"
#include "app/workspace/saved/workspace_session.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

LoadingBar::LoadingBar(const Texts& texts, QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_cancelButton(new QPushButton(tr("Cancel"), this))
{
    setObjectName(texts.name);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_bar->setAccessibleName(texts.progressName);
    m_bar->setFixedWidth(220);
    m_bar->setVisible(!texts.progressName.isEmpty());
    m_cancelButton->setObjectName(texts.cancelName);
    m_cancelButton->setToolTip(texts.cancelTip);
    m_cancelButton->setAccessibleName(texts.cancelAccessibleName);
    layRow(this, {m_label, m_bar, m_cancelButton}, {{}, -1});
    hide();
}

void LoadingBar::showProgress(double done, double total)
{
    constexpr int steps = 1000; // fine enough for any bar, and fits an int for files of any size
    m_bar->setRange(0, total > 0 ? steps : 0);
    if (total > 0)
        m_bar->setValue(static_cast<int>(done / total * steps));
}

LoadingBar::LoadingBar(DocumentLoader& loader, QWidget* parent)
    : LoadingBar({QStringLiteral("loadingBar"), QStringLiteral("cancelLoading"),
                     tr("Stop opening this file; the open run stays"), tr("Cancel opening"),
                     tr("Progress of reading the file")},
        parent)
{
    connect(m_cancelButton, &QPushButton::clicked, &loader, &DocumentLoader::cancel);
    connect(&loader, &DocumentLoader::started, this, [this](const QString& path) {
        m_label->setText(tr("Reading %1").arg(QFileInfo(path).fileName()));
        showProgress(0, 0);
        show();
    });
    connect(&loader, &DocumentLoader::progressed, this, [this](quint64 done, quint64 total) {
        showProgress(static_cast<double>(done), static_cast<double>(total));
    });
    connect(&loader, &DocumentLoader::analysing, this, [this] {
        m_label->setText(tr("Analysing allocations"));
        showProgress(0, 0);
    });
    connect(&loader, &DocumentLoader::failed, this, &QWidget::hide);
    connect(&loader, &DocumentLoader::loaded, this, &QWidget::hide);
    connect(&loader, &DocumentLoader::cancelled, this, &QWidget::hide);
}

LoadingBar::LoadingBar(RunLoader& run, QWidget* parent)
    : LoadingBar({QStringLiteral("runLoadingBar"), QStringLiteral("cancelRun"),
                     tr("Stop loading the other files; loaded files stay"),
                     tr("Cancel loading the other files"), tr("Progress of loading the files of the run")},
        parent)
{
    const auto refresh = [this, &run] {
        setVisible(run.isLoading() && run.fileCount() > 1);
        m_label->setText(tr("%1 of %2 files").arg(run.knownCount()).arg(run.fileCount()));
        showProgress(static_cast<double>(run.knownCount()), static_cast<double>(run.fileCount()));
    };
    connect(m_cancelButton, &QPushButton::clicked, &run, &RunLoader::cancel);
    connect(&run, &RunLoader::changed, this, refresh);
    connect(&run, &RunLoader::counted, this, refresh);
    connect(&run, &RunLoader::finished, this, refresh);
}

LoadingBar::LoadingBar(SweepSession& sweep, QWidget* parent)
    : LoadingBar({QStringLiteral("sweepLoadingBar"), QStringLiteral("cancelSweep"),
                     tr("Stop reading; runs already read stay"), tr("Cancel reading the runs"),
                     tr("Progress of reading the runs")},
        parent)
{
    const auto refresh = [this, &sweep] {
        setVisible(sweep.isLoading());
        m_label->setText(tr("%1 of %2 runs").arg(sweep.knownCount()).arg(sweep.fileCount()));
        showProgress(static_cast<double>(sweep.knownCount()), static_cast<double>(sweep.fileCount()));
    };
    connect(m_cancelButton, &QPushButton::clicked, &sweep, &SweepSession::cancel);
    connect(&sweep, &SweepSession::changed, this, refresh);
    connect(&sweep, &SweepSession::finished, this, refresh);
    connect(&sweep, &SweepSession::progressed, this,
        [this, &sweep](const QString& fileName, quint64 done, quint64 total) {
            m_label->setText(tr("Reading %1").arg(fileName));
            const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
            showProgress(
                static_cast<double>(sweep.knownCount()) + share, static_cast<double>(sweep.fileCount()));
        });
}

LoadingBar::LoadingBar(WorkspaceSession& session, QWidget* parent)
    : LoadingBar(
        {QStringLiteral("workspaceLoadingBar"), QStringLiteral("cancelWorkspace"),
            tr("Do not open the workspace; the open run stays"), tr("Cancel opening the workspace"), {}},
        parent)
{
    connect(m_cancelButton, &QPushButton::clicked, &session, &WorkspaceSession::cancel);
    connect(&session, &WorkspaceSession::changed, this, [this, &session] {
        if (session.isReading() && !isVisible())
            m_label->setText(tr("Checking the files of the workspace"));
        setVisible(session.isReading());
    });
    connect(&session, &WorkspaceSession::progressed, this, [this](quint64 done) {
        m_label->setText(
            tr("Checking the files of the workspace: %1").arg(bytesText(static_cast<Bytes>(done))));
    });
}

} // namespace highwater::gui
