#include "app/window/commands/view_commands.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>

#include "app/views/pages/page_stack.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/window/commands/actions.h"
#include "app/window/commands/go_to_dialog.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

namespace {
constexpr double kKeyZoom = 2;
constexpr double kKeyPan = 0.125;
} // namespace

ViewCommands::ViewCommands(Actions& actions, PageStack& pages, DocumentPage& page, QObject* parent)
    : QObject(parent)
    , m_actions(actions)
    , m_pages(pages)
    , m_page(page)
{
    connectView();
    connectPlaces();
    addViews();
    connect(&m_pages, &PageStack::changed, this, &ViewCommands::follow);
    connect(&m_page.history(), &ViewHistory::changed, this, &ViewCommands::followHistory);
    follow();
}

void ViewCommands::connectView()
{
    const auto on = [this](QAction* action, auto run) {
        connect(action, &QAction::triggered, this, [this, run] { run(m_pages.current()); });
    };
    on(m_actions.fit, [](Page& page) { page.fit(); });
    on(m_actions.zoomIn, [](Page& page) { page.zoom(1 / kKeyZoom); });
    on(m_actions.zoomOut, [](Page& page) { page.zoom(kKeyZoom); });
    on(m_actions.panLeft, [](Page& page) { page.pan(-kKeyPan); });
    on(m_actions.panRight, [](Page& page) { page.pan(kKeyPan); });
    on(m_actions.peak, [](Page& page) { page.goToPeak(); });
    on(m_actions.previousStep, [](Page& page) { page.goToNeighbourStep(-1); });
    on(m_actions.nextStep, [](Page& page) { page.goToNeighbourStep(1); });
    on(m_actions.release, [](Page& page) { page.release(); });
    on(m_actions.swapRuns, [](Page& page) { page.swap(); });
    on(m_actions.closeComparison, [](Page& page) { emit page.closeRequested(); });
}

void ViewCommands::connectPlaces()
{
    const auto on = [this](QAction* action, auto run) { connect(action, &QAction::triggered, this, run); };
    on(m_actions.back, [this] { m_page.history().back(); });
    on(m_actions.forward, [this] { m_page.history().forward(); });
    on(m_actions.eventAxis, [this] { m_page.setAxis(AxisKind::Event); });
    on(m_actions.timeAxis, [this] { m_page.setAxis(AxisKind::Time); });
    on(m_actions.stepAxis, [this] { m_page.setAxis(AxisKind::Aligned); });
    on(m_actions.fitHeight, [this] { m_page.fitHeight(); });
    on(m_actions.nextOutOfMemory, [this] { m_page.goToNextOutOfMemory(); });
    on(m_actions.goTo, [this] { askWhereToGo(); });
    on(m_actions.find, [this] { m_page.search().focusField(); });
    on(m_actions.nextMatch, [this] { m_page.search().goToNext(); });
    on(m_actions.previousMatch, [this] { m_page.search().goToPrevious(); });
}

/// Adds the views with the keys 1 to 9.
void ViewCommands::addViews()
{
    PanelTabs& tabs = m_page.questions();
    QMenu* menu = m_actions.view->addMenu(tr("&Views"));
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
    connect(&tabs, &PanelTabs::offered, this, &ViewCommands::follow);
}

void ViewCommands::follow()
{
    for (int tab = 0; tab < m_views.size(); ++tab)
        m_views[tab]->setEnabled(m_pages.offers().view && m_page.questions().isTabEnabled(tab));
    followHistory();
    m_actions.follow(m_pages.offers());
    m_actions.eventAxis->setChecked(m_page.axis() == AxisKind::Event);
    m_actions.timeAxis->setChecked(m_page.axis() == AxisKind::Time);
    m_actions.stepAxis->setChecked(m_page.axis() == AxisKind::Aligned);
}

void ViewCommands::followHistory()
{
    const bool isOnScreen = m_pages.offers().search; // otherwise its view would move unseen
    m_actions.back->setEnabled(isOnScreen && m_page.history().canBack());
    m_actions.forward->setEnabled(isOnScreen && m_page.history().canForward());
}

void ViewCommands::askWhereToGo()
{
    GoToDialog dialog(m_page.analysis(), m_page.selection().cursor(), m_page.window());
    if (dialog.exec() == QDialog::Accepted && dialog.target())
        m_page.goTo(*dialog.target());
}

} // namespace highwater::gui
