#include "app/window/progress/sweep_loading_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "app/workspace/compare/sweep_session.h"

namespace highwater::gui {

namespace {
/// Of the bar, for each file.
constexpr int kSteps = 1000;
}

SweepLoadingBar::SweepLoadingBar(SweepSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_label(new QLabel(this))
    , m_bar(new QProgressBar(this))
{
    setObjectName(QStringLiteral("sweepLoadingBar"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_bar->setAccessibleName(tr("How much of the runs is read"));
    m_bar->setFixedWidth(220);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelSweep"));
    cancel->setToolTip(tr("Stop reading; the runs that are read stay"));
    cancel->setAccessibleName(tr("Cancel reading the runs"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label);
    layout->addWidget(m_bar);
    layout->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, &m_session, &SweepSession::cancel);
    connect(&m_session, &SweepSession::changed, this, &SweepLoadingBar::refresh);
    connect(&m_session, &SweepSession::finished, this, &SweepLoadingBar::refresh);
    connect(&m_session, &SweepSession::progressed, this, &SweepLoadingBar::showProgress);
    refresh();
}

void SweepLoadingBar::refresh()
{
    setVisible(m_session.isLoading());
    m_label->setText(tr("%1 of %2 runs").arg(m_session.knownCount()).arg(m_session.fileCount()));
    m_bar->setRange(0, static_cast<int>(m_session.fileCount()) * kSteps);
    m_bar->setValue(static_cast<int>(m_session.knownCount()) * kSteps);
}

void SweepLoadingBar::showProgress(const QString& fileName, quint64 done, quint64 total)
{
    m_label->setText(tr("Reading %1").arg(fileName));
    const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
    m_bar->setValue(static_cast<int>((static_cast<double>(m_session.knownCount()) + share) * kSteps));
}

} // namespace highwater::gui
