#include "app/window/commands/view_commands.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QTabBar>

#include "app/views/pages/page_stack.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/window/commands/actions.h"
#include "app/window/commands/go_to_dialog.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

namespace {
constexpr double kKeyZoomFactor = 2;
constexpr double kKeyPanShare = 0.125; ///< of the view
} // namespace

ViewCommands::ViewCommands(Actions& actions, PageStack& pages, DocumentPage& page, QObject* parent)
    : QObject(parent)
    , m_actions(actions)
    , m_pages(pages)
    , m_page(page)
{
    connectView();
    connectPlaces();
    fitWithHome(m_page.timeline(), *m_actions.fit);
    fitWithHome(*m_page.panelTabs().tabBar(), *m_actions.fit);
    addViews();
    connect(&m_pages, &PageStack::changed, this, &ViewCommands::enableCommands);
    connect(&m_page.history(), &ViewHistory::changed, this, &ViewCommands::followHistory);
    connect(&m_pages, &PageStack::statusChanged, this, &ViewCommands::followHistory);
    enableCommands();
}

void fitWithHome(QWidget& timelines, QAction& fit)
{
    auto* home = new QShortcut(Qt::Key_Home, &timelines);
    home->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(home, &QShortcut::activated, &fit, &QAction::trigger);
}

void ViewCommands::connectView()
{
    const auto onTriggered = [this](QAction* action, auto run) {
        connect(action, &QAction::triggered, this, [this, run] { run(m_pages.current()); });
    };
    onTriggered(m_actions.fit, [](Page& page) { page.fit(); });
    onTriggered(m_actions.zoomIn, [](Page& page) { page.zoom(1 / kKeyZoomFactor); });
    onTriggered(m_actions.zoomOut, [](Page& page) { page.zoom(kKeyZoomFactor); });
    onTriggered(m_actions.panLeft, [](Page& page) { page.pan(-kKeyPanShare); });
    onTriggered(m_actions.panRight, [](Page& page) { page.pan(kKeyPanShare); });
    onTriggered(m_actions.fitHeight, [](Page& page) { page.fitHeight(); });
    onTriggered(m_actions.peak, [](Page& page) { page.goToPeak(); });
    onTriggered(m_actions.previousStep, [](Page& page) { page.goToNeighbourStep(-1); });
    onTriggered(m_actions.nextStep, [](Page& page) { page.goToNeighbourStep(1); });
    onTriggered(m_actions.back, [](Page& page) { page.goBack(); });
    onTriggered(m_actions.release, [](Page& page) { page.release(); });
    onTriggered(m_actions.swapRuns, [](Page& page) { page.swap(); });
    onTriggered(m_actions.closeComparison, [](Page& page) { emit page.closeRequested(); });
}

void ViewCommands::connectPlaces()
{
    const auto onTriggered
        = [this](QAction* action, auto run) { connect(action, &QAction::triggered, this, run); };
    onTriggered(m_actions.forward, [this] { m_page.history().forward(); });
    onTriggered(m_actions.eventAxis, [this] { m_page.setAxis(AxisKind::Event); });
    onTriggered(m_actions.timeAxis, [this] { m_page.setAxis(AxisKind::Time); });
    onTriggered(m_actions.stepAxis, [this] { m_page.setAxis(AxisKind::Aligned); });
    onTriggered(m_actions.fitSelection, [this] { m_page.fitSelection(); });
    onTriggered(m_actions.nextOutOfMemory, [this] { m_page.goToNextOutOfMemory(); });
    onTriggered(m_actions.largestAtPeak, [this] { m_page.goToLargestAtPeak(); });
    onTriggered(m_actions.largest, [this] { m_page.goToLargest(); });
    onTriggered(m_actions.goTo, [this] { askWhereToGo(); });
    onTriggered(m_actions.find, [this] { m_page.search().focusField(); });
    onTriggered(m_actions.nextMatch, [this] { m_page.search().goToNext(); });
    onTriggered(m_actions.previousMatch, [this] { m_page.search().goToPrevious(); });
}

/// Adds the views with the keys 1 to 9.
void ViewCommands::addViews()
{
    PanelTabs& tabs = m_page.panelTabs();
    QMenu* menu = m_actions.view->addMenu(tr("&Views"));
    menu->setObjectName(QStringLiteral("viewsMenu"));
    for (int tab = 0; tab < tabs.count() && tab < 9; ++tab) {
        QAction* action = menu->addAction(tabs.tabText(tab));
        action->setShortcut(Qt::Key_1 + tab);
        action->setToolTip(tabs.tabToolTip(tab));
        connect(action, &QAction::triggered, this, [this, &tabs, tab] {
            tabs.open(tabs.widget(tab)->objectName());
            // Qt gives the keyboard to the first control of the view, where the next key would be typed.
            if (qobject_cast<QLineEdit*>(QApplication::focusWidget()))
                m_page.takeFocus();
        });
        m_views << action;
    }
    connect(&tabs, &PanelTabs::offered, this, &ViewCommands::enableCommands);
}

void ViewCommands::enableCommands()
{
    for (int tab = 0; tab < m_views.size(); ++tab)
        m_views[tab]->setEnabled(m_pages.offers().view && m_page.panelTabs().isTabEnabled(tab));
    followHistory();
    m_actions.follow(m_pages.offers());
    m_actions.eventAxis->setChecked(m_page.axis() == AxisKind::Event);
    m_actions.timeAxis->setChecked(m_page.axis() == AxisKind::Time);
    m_actions.stepAxis->setChecked(m_page.axis() == AxisKind::Aligned);
}

void ViewCommands::followHistory()
{
    const bool isOnScreen = m_pages.offers().search; // otherwise the view of `m_page` would move unseen
    const bool isOtherPage = static_cast<const Page*>(&m_page) != &m_pages.current();
    m_actions.back->setEnabled((isOnScreen || isOtherPage) && m_pages.current().canGoBack());
    m_actions.forward->setEnabled(isOnScreen && m_page.history().canGoForward());
}

void ViewCommands::askWhereToGo()
{
    GoToDialog dialog(m_page.analysis(), m_page.selection().cursor(), m_page.window());
    if (dialog.exec() == QDialog::Accepted && dialog.target())
        m_page.goTo(*dialog.target());
}

} // namespace highwater::gui
