#pragma once

#include <QDockWidget>

class QMainWindow;

namespace highwater::gui {

class DocumentPage;
class PageStack;

/// The details of what is pinned, marked or under the mouse on the page of a run, at the right of the window.
/// It has its room from the start of a file on, so that a click never moves the plot. It gives the room up if
/// the user closes it, to the report, and to a view that takes the plot's room
/// (`DocumentPage::isSideWanted`). It shares its place with the notes as tabs, so that both together never
/// take more of the timeline than one; what the mouse pins or marks, and the match of a search, bring its tab
/// to the front.
class SideDock : public QDockWidget
{
    Q_OBJECT

public:
    /// Takes over the side of the page. Page and pages must outlive the dock.
    SideDock(DocumentPage& page, const PageStack& pages, QDockWidget& notes, QMainWindow& window);

    /// Shows or hides the dock as the page wants.
    void refresh();
    /// Brings the tab of the details to the front if the notes cover it.
    void showInFront();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void connectPage();
    void joinNotes();

    DocumentPage& m_page;
    const PageStack& m_pages;
    QDockWidget& m_notes;
    QMainWindow& m_window;
    bool m_hasWidth = false; ///< the dock got its first width; afterwards the user may change it
};

} // namespace highwater::gui
