#include "app/window/main/side_dock.h"

#include <utility>

#include <QCloseEvent>
#include <QMainWindow>

#include "app/views/pages/page_stack.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui {

SideDock::SideDock(DocumentPage& page, const PageStack& pages, QDockWidget& notes, QMainWindow& window)
    : QDockWidget(tr("Details"), &window)
    , m_page(page)
    , m_pages(pages)
    , m_window(window)
{
    setObjectName(QStringLiteral("detailsDock"));
    setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    setWidget(&page.side());
    page.side().show();
    window.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    window.setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
    window.addDockWidget(Qt::RightDockWidgetArea, this);
    window.tabifyDockWidget(&notes, this);
    hide();
    connect(&page, &DocumentPage::sideChanged, this, &SideDock::refresh);
    connect(&pages, &PageStack::changed, this, &SideDock::refresh);
}

void SideDock::refresh()
{
    const bool isWanted = m_page.isSideWanted() && m_pages.isCurrent(m_page);
    const bool comes = isWanted && isHidden();
    setVisible(isWanted);
    if (!comes)
        return;
    raise();
    if (!std::exchange(m_hasWidth, true))
        m_window.resizeDocks({this}, {m_page.side().minimumWidth()}, Qt::Horizontal);
}

void SideDock::closeEvent(QCloseEvent* event)
{
    QDockWidget::closeEvent(event);
    m_page.closeSide();
}

} // namespace highwater::gui
