#include "app/window/progress/loading_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "app/workspace/document/document_loader.h"

namespace highwater::gui {

namespace {
/// Fine enough for any bar, and files of any size fit an int.
constexpr int kSteps = 1000;
}

LoadingBar::LoadingBar(DocumentLoader& loader, QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
    , m_bar(new QProgressBar(this))
{
    setObjectName(QStringLiteral("loadingBar"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_bar->setAccessibleName(tr("How much of the file is read"));
    m_bar->setFixedWidth(220);
    m_bar->setRange(0, kSteps);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("cancelLoading"));
    cancel->setToolTip(tr("Stop opening this file; what is open stays"));
    cancel->setAccessibleName(tr("Cancel opening"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_label);
    layout->addWidget(m_bar);
    layout->addWidget(cancel);
    hide();

    connect(cancel, &QPushButton::clicked, &loader, &DocumentLoader::cancel);
    connect(&loader, &DocumentLoader::started, this, [this](const QString& path) {
        m_label->setText(tr("Reading %1").arg(QFileInfo(path).fileName()));
        showProgress(0, 0);
        show();
    });
    connect(&loader, &DocumentLoader::progressed, this, &LoadingBar::showProgress);
    connect(&loader, &DocumentLoader::analysing, this, [this] {
        m_label->setText(tr("Working out allocations"));
        m_bar->setRange(0, 0);
    });
    connect(&loader, &DocumentLoader::failed, this, &QWidget::hide);
    connect(&loader, &DocumentLoader::loaded, this, &QWidget::hide);
    connect(&loader, &DocumentLoader::cancelled, this, &QWidget::hide);
}

void LoadingBar::showProgress(quint64 done, quint64 total)
{
    m_bar->setRange(0, total > 0 ? kSteps : 0);
    if (total > 0)
        m_bar->setValue(static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kSteps));
}

} // namespace highwater::gui
