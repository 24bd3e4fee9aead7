#include "app/window/commands/main_tool_bar.h"

#include <QAction>
#include <QComboBox>

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

MainToolBar::MainToolBar(const Actions& actions, QWidget* parent)
    : QToolBar(tr("Main"), parent)
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
    addActions({actions.eventAxis, actions.timeAxis});
    addSeparator();
    m_devicesAction = addWidget(m_devices);
    addSeparator();
    addActions({actions.fit, actions.peak, actions.nextOutOfMemory});
    addSeparator();
    addAction(actions.report);
    connect(m_files, &QComboBox::activated, this,
        [this](int index) { emit fileChosen(m_files->itemData(index).toInt()); });
    connect(m_devices, &QComboBox::activated, this, &MainToolBar::deviceChosen);
    connect(m_modes, &QComboBox::activated, this,
        [this](int index) { emit modeChosen(static_cast<BandMode>(m_modes->itemData(index).toInt())); });
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

void MainToolBar::showFiles(const RunSession& session)
{
    const std::vector<RunFile>& files = session.run().files();
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
    const std::optional<std::size_t> wanted = session.wanted();
    m_files->setCurrentIndex(wanted ? m_files->findData(static_cast<int>(*wanted)) : -1);
    m_filesAction->setVisible(m_files->count() > 1);
}

void MainToolBar::showDevices(const Document& document)
{
    m_devices->clear();
    for (const std::shared_ptr<const DeviceAnalysis>& device : document.devices)
        m_devices->addItem(
            tr("%1 · peak %2")
                .arg(toQString(device->info().label()), amountText(*device, device->figures.peakBytes)));
    m_devices->setCurrentIndex(static_cast<int>(document.mainDevice.value_or(0)));
    m_devicesAction->setVisible(document.devices.size() > 1);
}

void MainToolBar::showModes(const std::vector<BandMode>& modes, BandMode current)
{
    m_modes->clear();
    for (const BandMode mode : modes)
        m_modes->addItem(modeTitle(mode), static_cast<int>(mode));
    m_modes->setCurrentIndex(m_modes->findData(static_cast<int>(current)));
    m_modesAction->setVisible(modes.size() > 1);
}

void MainToolBar::hideChoosers()
{
    m_modesAction->setVisible(false);
    m_devicesAction->setVisible(false);
    m_filesAction->setVisible(false);
}

} // namespace highwater::gui
