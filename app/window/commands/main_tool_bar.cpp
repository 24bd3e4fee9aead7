#include "app/window/commands/main_tool_bar.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"
#include "app/views/parts/search_bar.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/note_commands.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/band_view.h"

namespace highwater::gui {

namespace {

constexpr int kIcon = 16;
constexpr int kIconGap = 4; ///< more room between an icon and its text than the style leaves
constexpr int kWidestChooser = 150; ///< the list has the full names

/// Returns "rank 0 · snapshot_rank0.pickle".
QString fileTitle(const RunFile& file)
{
    const RunMember& member = file.figures ? file.figures->member : file.input.member;
    QString title = toQString(member.fileName());
    if (member.rank)
        title = toQString(member.label()) + QStringLiteral(" · ") + title;
    return file.state == RunFile::State::Failed ? QObject::tr("%1 (cannot be read)").arg(title) : title;
}

/// A chooser whose list items are longer than the text in the closed box.
class DeviceChooser : public QComboBox
{
public:
    using QComboBox::QComboBox;

protected:
    void initStyleOption(QStyleOptionComboBox* option) const override
    {
        QComboBox::initStyleOption(option);
        option->currentText = currentData().toString();
    }
};

/// Sets up a chooser and returns it.
QComboBox* setUpChooser(
    QComboBox* chooser, const QString& name, const QString& accessibleName, const QString& tip)
{
    chooser->setObjectName(name);
    chooser->setAccessibleName(accessibleName);
    chooser->setToolTip(tip);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    chooser->setMaximumWidth(kWidestChooser);
    return chooser;
}

/// Returns "GPU 0 · 22.62 GiB".
QString shortTitle(const DeviceAnalysis& device)
{
    return QStringLiteral("%1 · %2").arg(
        toQString(device.info().words()), runPeakText(device, device.figures.peakBytes));
}

/// Returns "GPU 0 · peak 22.62 GiB requested".
QString deviceTitle(const DeviceAnalysis& device)
{
    return QObject::tr("%1 · peak %2")
        .arg(toQString(device.info().words()), amountText(device, device.figures.peakBytes));
}

/// Returns null if the file belongs to the run on screen.
const OtherRun* otherRunOf(const RunMain& main, const std::string& path)
{
    for (const OtherRun& other : main.others)
        if (std::ranges::count(other.paths, path) > 0)
            return &other;
    return nullptr;
}

} // namespace

MainToolBar::MainToolBar(const Parts& parts, QWidget* parent)
    : ToolBar(tr("Main"), parent)
    , m_session(parts.session)
    , m_page(parts.page)
    , m_files(setUpChooser(
          new QComboBox(this), QStringLiteral("fileChooser"), tr("File"), tr("Switch to another open file")))
    , m_devices(setUpChooser(new DeviceChooser(this), QStringLiteral("deviceChooser"), tr("GPU"),
          tr("The GPU whose memory is shown")))
    , m_modes(named(new QWidget(this), "modeChooser", tr("Bands by")))
    , m_modeMenu(makeMenuButton("modeMenu", tr("Bands by"), {}))
    , m_more(makeMenuButton("moreButton", tr("More choices: bytes to show, unit of the x axis"), {}))
{
    setObjectName(QStringLiteral("mainToolBar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({kIcon, kIcon});
    fill(parts);
    std::vector<std::function<void(bool)>> savings;
    for (const Density density : {Density::BandsInMenu, Density::IconsOnly, Density::MoreMenu})
        savings.emplace_back([this, density](bool saves) { apply(saves ? density : Density::Roomy); });
    setSavings(std::move(savings));
    for (QComboBox* chooser : {m_files, m_devices})
        chooser->view()->setTextElideMode(Qt::ElideNone);
    connectChoosers();
    showFiles();
    showDevices();
    showModes();
    showChoices();
}

void MainToolBar::fill(const Parts& parts)
{
    const Actions& actions = parts.actions;
    addAction(actions.open);
    QToolButton* compare = makeMenuButton("compareButton", tr("Compare this run with another one"),
        {actions.compareBefore, actions.compareAfter, actions.compareSeveral});
    compare->setText(tr("Compare"));
    compare->setIcon(lineIcon(LineIcon::Compare));
    addWidget(compare);
    addSeparator();
    m_filesAction = addWidget(m_files);
    layRow(m_modes, {}, {});
    m_modesAction = addWidget(m_modes);
    m_modeMenuAction = addWidget(m_modeMenu);
    const auto addChoice = [this](QToolButton* button, const QList<QAction*>& choices) {
        m_choices.push_back({button, addWidget(button), choices});
    };
    const QList<QAction*> quantities{parts.bytes.requested, parts.bytes.allocated};
    addChoice(makeMenuButton("quantityChooser", tr("Bytes to show"), quantities), quantities);
    const QList<QAction*> axes{actions.eventAxis, actions.timeAxis, actions.stepAxis};
    addChoice(makeMenuButton("axisChooser", tr("Unit of the x axis"), axes), axes);
    m_devicesAction = addWidget(m_devices);
    m_searchAction = addWidget(&m_page.search());
    addActions({parts.notes.addHere, actions.report});
    makeMore(quantities + axes);
    m_commands << compare;
    for (QAction* action : {actions.open, parts.notes.addHere, actions.report})
        if (auto* button = qobject_cast<QToolButton*>(widgetForAction(action)))
            m_commands << button;
}

void MainToolBar::makeMore(const QList<QAction*>& choices)
{
    m_more->setText(QStringLiteral("»"));
    m_more->setProperty("menu", false); // the text says enough
    m_more->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_more->menu()->addActions(choices);
    m_moreAction = addWidget(m_more);
}

void MainToolBar::apply(Density density)
{
    m_density = density;
    m_modesAction->setVisible(m_hasModes && density < Density::BandsInMenu);
    m_modeMenuAction->setVisible(m_hasModes && density >= Density::BandsInMenu);
    const bool hasTexts = density < Density::IconsOnly;
    for (QToolButton* button : m_commands) {
        button->setToolButtonStyle(hasTexts ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        button->setIconSize({hasTexts ? kIcon + kIconGap : kIcon, kIcon});
    }
    bool isAnyLeftOut = false;
    for (const Choice& choice : m_choices) {
        const bool isLeftOut = density >= Density::MoreMenu;
        choice.place->setVisible(choice.isOffered && !isLeftOut);
        isAnyLeftOut = isAnyLeftOut || (choice.isOffered && isLeftOut);
    }
    m_moreAction->setVisible(isAnyLeftOut);
}

void MainToolBar::follow(const PageOffers& offers)
{
    setVisible(offers.toolBar);
    m_searchAction->setVisible(offers.search);
    fitWidth();
}

void MainToolBar::connectChoosers()
{
    connect(m_files, &QComboBox::activated, this,
        [this](int index) { m_session.show(static_cast<std::size_t>(m_files->itemData(index).toInt())); });
    connect(m_devices, &QComboBox::activated, this, [this](int index) {
        m_page.setDevice(static_cast<DeviceIndex>(index));
        m_page.takeFocus();
    });
    connect(&m_session, &RunSession::changed, this, &MainToolBar::showFiles);
    connect(&m_page, &DocumentPage::changed, this, &MainToolBar::showDevices);
    connect(&m_page, &DocumentPage::changed, this, &MainToolBar::showModes);
    connect(&m_page.bandView(), &BandView::changed, this, &MainToolBar::showModes);
    for (const Choice& choice : m_choices)
        for (QAction* action : choice.actions)
            connect(action, &QAction::changed, this, &MainToolBar::showChoices);
}

/// Lists the files of the open run and selects the one on screen, or the one being loaded to replace it.
void MainToolBar::showFiles()
{
    const std::vector<RunFile>& files = m_session.run().files();
    const RunMain main = m_session.main();
    int item = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].state == RunFile::State::NoInput)
            continue;
        // Items are updated in place, because the list may be open while files are loaded.
        if (item == m_files->count())
            m_files->addItem(QString());
        const std::string& path = files[i].input.member.path;
        const OtherRun* const other = otherRunOf(main, path);
        m_files->setItemText(
            item, other ? tr("%1 · another run").arg(fileTitle(files[i])) : fileTitle(files[i]));
        m_files->setItemData(item, static_cast<int>(i));
        m_files->setItemData(item++,
            other ? tr("%1\nBelongs to another run: %2").arg(toQString(path), toQString(other->why.reason))
                  : toQString(path),
            Qt::ToolTipRole);
    }
    while (m_files->count() > item)
        m_files->removeItem(item);
    const std::optional<std::size_t> wanted = m_session.wanted();
    m_files->setCurrentIndex(wanted ? m_files->findData(static_cast<int>(*wanted)) : -1);
    m_filesAction->setVisible(m_files->count() > 1);
    QStringList tips{m_files->currentText()};
    if (const std::string text = mainText(main); !text.empty())
        tips << toQString(text);
    for (const OtherRun& other : main.others)
        tips << toQString(otherRunText(other));
    m_files->setToolTip((tips << tr("Switch to another open file")).join(QLatin1Char('\n')));
}

void MainToolBar::showDevices()
{
    if (m_page.document() && m_document != m_page.document()) {
        m_document = m_page.document();
        m_devices->clear();
        for (const std::shared_ptr<const DeviceAnalysis>& device : m_document->devices)
            m_devices->addItem(deviceTitle(*device), shortTitle(*device));
    }
    if (m_page.analysis()) {
        const int shown = static_cast<int>(m_page.analysis()->device);
        m_devices->setCurrentIndex(shown);
        m_devices->setItemText(shown, deviceTitle(*m_page.analysis())); // in the selected quantity
        m_devices->setItemData(shown, shortTitle(*m_page.analysis()));
    }
    m_devicesAction->setVisible(m_devices->count() > 1);
    m_devices->setToolTip(tr("%1\nThe GPU whose memory is shown").arg(m_devices->currentText()));
}

/// Shows the ways to stack bands on this device. Buttons are replaced only if the modes differ, because the
/// user may be pressing one.
void MainToolBar::showModes()
{
    const std::vector<BandMode> modes
        = m_page.analysis() ? m_page.bandView().modes() : std::vector<BandMode>();
    QList<QToolButton*> buttons = m_modes->findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
    const bool isSame = std::ranges::equal(modes, buttons, {}, {},
        [](const QToolButton* button) { return static_cast<BandMode>(button->property("mode").toInt()); });
    if (!isSame) {
        qDeleteAll(buttons);
        buttons.clear();
        m_modeMenu->menu()->clear();
        for (const BandMode mode : modes) {
            auto* button = new QToolButton(m_modes);
            button->setText(modeTitle(mode));
            button->setToolTip(tr("Bands by %1").arg(groupNoun(mode)));
            button->setProperty("mode", static_cast<int>(mode));
            button->setProperty("segment", true);
            button->setCheckable(true);
            button->setAutoExclusive(true);
            connect(button, &QToolButton::clicked, this, [this, mode] { m_page.bandView().setMode(mode); });
            m_modes->layout()->addWidget(button);
            buttons << button;
            QAction* item = m_modeMenu->menu()->addAction(modeTitle(mode));
            item->setCheckable(true);
            connect(item, &QAction::triggered, this, [this, mode] { m_page.bandView().setMode(mode); });
        }
    }
    for (qsizetype i = 0; i < buttons.size(); ++i) {
        const auto mode = static_cast<BandMode>(buttons[i]->property("mode").toInt());
        const bool isShown = mode == m_page.bandView().wantedMode();
        buttons[i]->setChecked(isShown);
        m_modeMenu->menu()->actions().at(i)->setChecked(isShown);
        if (isShown)
            m_modeMenu->setText(modeTitle(mode));
    }
    m_hasModes = modes.size() > 1;
    fitWidth();
}

/// Shows the checked choice on each button; hides buttons with a single choice.
void MainToolBar::showChoices()
{
    for (Choice& choice : m_choices) {
        int offered = 0;
        for (const QAction* action : choice.actions) {
            offered += action->isVisible() ? 1 : 0;
            if (action->isChecked())
                choice.button->setText(action->iconText());
        }
        choice.isOffered = offered > 1;
    }
    fitWidth();
}

} // namespace highwater::gui
