#pragma once

#include <QDockWidget>

class QMainWindow;

namespace highwater::gui {

class DocumentPage;
class PageStack;

/// The details of what is pinned, marked or under the mouse on the page of a run, at the right of the window.
/// It is shown as soon as a file is, so that a click never moves the plot, but not after the user has closed
/// it, under a report, and while a view has the plot's room (`DocumentPage::isSideWanted`). Details and notes
/// are tabs of one place; what the mouse pins or marks, and the match of a search, bring the details to the
/// front. When the page is shown again, the tab that was in front is in front again.
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
    void followWindow(int oldWidth, int newWidth);
    int usualWidth(int windowWidth) const;

    DocumentPage& m_page;
    const PageStack& m_pages;
    QDockWidget& m_notes;
    QMainWindow& m_window;
    bool m_wasInFront = false; ///< of the notes, when the dock was hidden last
    bool m_hasWidth = false; ///< the dock got its first width; afterwards the user may change it
};

} // namespace highwater::gui
