#include "app/window/commands/main_tool_bar.h"

#include <QAction>
#include <QComboBox>

#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/band_view.h"

namespace highwater::gui {

namespace {

/// "rank 0 · snapshot_rank0.pickle"
QString fileTitle(const RunFile& file)
{
    const RunMember& member = file.figures ? file.figures->member : file.input.member;
    QString title = toQString(member.fileName());
    if (member.rank)
        title = toQString(member.label()) + QStringLiteral(" · ") + title;
    return file.state == RunFile::State::Failed ? QObject::tr("%1 (cannot be read)").arg(title) : title;
}

} // namespace

MainToolBar::MainToolBar(const Actions& actions, RunSession& session, DocumentPage& page, QWidget* parent)
    : QToolBar(tr("Main"), parent)
    , m_session(session)
    , m_page(page)
    , m_files(
          makeChooser(QStringLiteral("fileChooser"), tr("File"), tr("Change to another of the files opened")))
    , m_devices(
          makeChooser(QStringLiteral("deviceChooser"), tr("Device"), tr("The device whose memory is shown")))
    , m_modes(
          makeChooser(QStringLiteral("modeChooser"), tr("Stack by"), tr("What lies together in the stack")))
{
    setObjectName(QStringLiteral("mainToolBar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    addAction(actions.open);
    m_filesAction = addWidget(m_files);
    addSeparator();
    m_modesAction = addWidget(m_modes);
    addSeparator();
    addActions({actions.eventAxis, actions.timeAxis, actions.stepAxis});
    addSeparator();
    m_devicesAction = addWidget(m_devices);
    addSeparator();
    addActions({actions.fit, actions.peak, actions.nextOutOfMemory});
    addSeparator();
    addAction(actions.report);
    connectChoosers();
    showFiles();
    showDevices();
    showModes();
}

void MainToolBar::connectChoosers()
{
    connect(m_files, &QComboBox::activated, this,
        [this](int index) { m_session.show(static_cast<std::size_t>(m_files->itemData(index).toInt())); });
    connect(m_devices, &QComboBox::activated, this, [this](int index) {
        m_page.setDevice(static_cast<DeviceIndex>(index));
        m_page.takeFocus();
    });
    connect(m_modes, &QComboBox::activated, this, [this](int index) {
        m_page.bandView().setMode(static_cast<BandMode>(m_modes->itemData(index).toInt()));
    });
    connect(&m_session, &RunSession::changed, this, &MainToolBar::showFiles);
    connect(&m_page, &DocumentPage::changed, this, &MainToolBar::showDevices);
    connect(&m_page, &DocumentPage::changed, this, &MainToolBar::showModes);
    connect(&m_page.bandView(), &BandView::changed, this, &MainToolBar::showModes);
}

QComboBox* MainToolBar::makeChooser(const QString& name, const QString& accessibleName, const QString& tip)
{
    auto* chooser = new QComboBox(this);
    chooser->setObjectName(name);
    chooser->setAccessibleName(accessibleName);
    chooser->setToolTip(tip);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    chooser->setMinimumHeight(chooser->fontMetrics().height() + 12);
    return chooser;
}

/// The files of the run that is open, with the one on screen or on its way there.
void MainToolBar::showFiles()
{
    const std::vector<RunFile>& files = m_session.run().files();
    int item = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].state == RunFile::State::NoInput)
            continue;
        // Items stay in place: the list may be open while files are loaded.
        if (item == m_files->count())
            m_files->addItem(QString());
        m_files->setItemText(item, fileTitle(files[i]));
        m_files->setItemData(item, static_cast<int>(i));
        m_files->setItemData(item++, toQString(files[i].input.member.path), Qt::ToolTipRole);
    }
    while (m_files->count() > item)
        m_files->removeItem(item);
    const std::optional<std::size_t> wanted = m_session.wanted();
    m_files->setCurrentIndex(wanted ? m_files->findData(static_cast<int>(*wanted)) : -1);
    m_filesAction->setVisible(m_files->count() > 1);
}

void MainToolBar::showDevices()
{
    if (m_page.document() && m_document != m_page.document()) {
        m_document = m_page.document();
        m_devices->clear();
        for (const std::shared_ptr<const DeviceAnalysis>& device : m_document->devices)
            m_devices->addItem(
                tr("%1 · peak %2")
                    .arg(toQString(device->info().label()), amountText(*device, device->figures.peakBytes)));
    }
    if (m_page.analysis())
        m_devices->setCurrentIndex(static_cast<int>(m_page.analysis()->device));
    m_devicesAction->setVisible(m_devices->count() > 1);
}

/// What bands can be stacked by on the device shown, and by what they are.
void MainToolBar::showModes()
{
    const std::vector<BandMode> modes
        = m_page.analysis() ? m_page.bandView().modes() : std::vector<BandMode>();
    m_modes->clear();
    for (const BandMode mode : modes)
        m_modes->addItem(modeTitle(mode), static_cast<int>(mode));
    m_modes->setCurrentIndex(m_modes->findData(static_cast<int>(m_page.bandView().wantedMode())));
    m_modesAction->setVisible(modes.size() > 1);
}

} // namespace highwater::gui
