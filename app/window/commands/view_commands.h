#pragma once

#include <QList>
#include <QObject>

class QAction;
class QWidget;

namespace highwater::gui {

struct Actions;
class DocumentPage;
class PageStack;

/// The commands that move the view: passes them to the page on screen, and enables those that it supports.
class ViewCommands : public QObject
{
    Q_OBJECT

public:
    /// All of them must outlive the commands. `page` is the page with search and history.
    ViewCommands(Actions& actions, PageStack& pages, DocumentPage& page, QObject* parent = nullptr);

private:
    void connectView();
    void connectPlaces();
    void addViews();
    void enableCommands();
    void followHistory();
    void askWhereToGo();

    Actions& m_actions;
    PageStack& m_pages;
    DocumentPage& m_page;
    QList<QAction*> m_views; ///< one command for each view below the timeline
};

/// Makes the key Home trigger `fit` while the focus is in the timelines. Elsewhere, as in tables, Home goes
/// to the beginning.
void fitWithHome(QWidget& timelines, QAction& fit);

} // namespace highwater::gui
