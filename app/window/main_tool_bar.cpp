#include "app/window/main_tool_bar.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>

#include "app/workspace/band_view.h"
#include "app/workspace/qt_text.h"

namespace highwater::gui {

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
    connect(m_files, &QComboBox::activated, this,
        [this](int index) { emit fileChosen(m_files->itemData(index).toString()); });
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

void MainToolBar::offerFile(const QString& path)
{
    if (m_files->findData(path) < 0)
        m_files->addItem(QFileInfo(path).fileName(), path);
}

void MainToolBar::selectFile(const QString& path)
{
    m_files->setCurrentIndex(m_files->findData(path));
    m_filesAction->setVisible(m_files->count() > 1);
}

void MainToolBar::showDevices(const Document& document)
{
    m_devices->clear();
    for (const std::shared_ptr<const DeviceAnalysis>& device : document.devices)
        m_devices->addItem(
            tr("%1 · peak %2").arg(toQString(device->info().label()), bytesText(device->figures.peakBytes)));
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
