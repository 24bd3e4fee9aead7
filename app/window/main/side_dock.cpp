#include "app/window/main/side_dock.h"

#include <utility>

#include <QCloseEvent>
#include <QMainWindow>
#include <QResizeEvent>
#include <QTabBar>
#include <QTimer>

#include "app/timeline/timeline_plot.h"
#include "app/views/pages/page_stack.h"
#include "app/views/parts/search_bar.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

namespace {

/// The first width of the details in a window of kWideWindow or more; in a narrower one they begin at their
/// minimum.
constexpr int kUsualSideWidth = 300;
constexpr int kWideWindow = 1200;

} // namespace

SideDock::SideDock(DocumentPage& page, const PageStack& pages, QDockWidget& notes, QMainWindow& window)
    : QDockWidget(tr("Details"), &window)
    , m_page(page)
    , m_pages(pages)
    , m_notes(notes)
    , m_window(window)
{
    setObjectName(QStringLiteral("detailsDock"));
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setWidget(&page.side());
    page.side().show();
    window.installEventFilter(this);
    window.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    window.setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
    window.addDockWidget(Qt::RightDockWidgetArea, this);
    hide();
    connectPage();
}

/// Makes tabs of details and notes once both are shown. With a hidden dock, Qt would show the bar of tabs
/// without a place.
void SideDock::joinNotes()
{
    if (isHidden() || m_notes.isHidden() || !m_window.tabifiedDockWidgets(this).isEmpty())
        return;
    m_window.tabifyDockWidget(this, &m_notes);
    m_notes.raise();
}

void SideDock::connectPage()
{
    connect(&m_notes, &QDockWidget::visibilityChanged, this, [this](bool isShown) {
        if (isShown)
            joinNotes();
    });
    connect(&m_page, &DocumentPage::sideChanged, this, &SideDock::refresh);
    connect(&m_pages, &PageStack::changed, this, &SideDock::refresh);
    // Only for what the mouse pins or marks in the timeline: going to a note pins too, but must leave the
    // notes in front.
    connect(&m_page.selection(), &Selection::chosenChanged, this, [this] {
        const Selection::Kind kind = m_page.selection().kind();
        if (m_page.timeline().isPointedAt()
            && (kind == Selection::Kind::Allocation || kind == Selection::Kind::Range))
            showInFront();
    });
    connect(&m_page.search(), &SearchBar::goTo, this, &SideDock::showInFront);
}

void SideDock::showInFront()
{
    if (isVisible() && visibleRegion().isEmpty())
        raise();
}

void SideDock::refresh()
{
    const bool isWanted = m_page.isSideWanted() && m_pages.isCurrent(m_page) && m_pages.offers().sidePanel;
    const bool comes = isWanted && isHidden();
    if (!isWanted && !isHidden())
        m_wasInFront = !visibleRegion().isEmpty();
    setVisible(isWanted);
    if (!comes)
        return;
    joinNotes();
    (m_wasInFront || m_notes.isHidden() ? static_cast<QDockWidget&>(*this) : m_notes).raise();
    if (!std::exchange(m_hasWidth, true)) // once the window has laid out the dock
        QTimer::singleShot(0, this,
            [this] { m_window.resizeDocks({this}, {usualWidth(m_window.width())}, Qt::Horizontal); });
}

int SideDock::usualWidth(int windowWidth) const
{
    return windowWidth >= kWideWindow ? kUsualSideWidth : m_page.side().minimumWidth();
}

/// Gives the dock the usual width of the window's new width, unless the user has changed it.
void SideDock::followWindow(int oldWidth, int newWidth)
{
    if (!m_hasWidth || isHidden() || usualWidth(oldWidth) == usualWidth(newWidth)
        || m_page.side().width() != usualWidth(oldWidth))
        return;
    QTimer::singleShot(
        0, this, [this] { m_window.resizeDocks({this}, {usualWidth(m_window.width())}, Qt::Horizontal); });
}

/// Follows the width of the window, and names the tab bar of the docks, which Qt makes when two of them share
/// a place.
bool SideDock::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        const auto& resized = static_cast<const QResizeEvent&>(*event);
        followWindow(resized.oldSize().width(), resized.size().width());
    }
    if (event->type() == QEvent::ChildAdded) // the child is complete only later
        QTimer::singleShot(0, this, [this] {
            for (QTabBar* tabs : m_window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
                tabs->setAccessibleName(tr("Details and notes"));
        });
    return QDockWidget::eventFilter(watched, event);
}

void SideDock::closeEvent(QCloseEvent* event)
{
    QDockWidget::closeEvent(event);
    m_page.closeSide();
}

} // namespace highwater::gui
