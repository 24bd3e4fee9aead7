#pragma once

#include <vector>

#include <QWidget>

#include "app/window/manual/manual_pages.h"

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace highwater::gui {

class ManualBrowser;

/// The manual in a window of its own: contents on the left, the page on the right, and a field to search all
/// pages.
class ManualWindow : public QWidget
{
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    /// Shows a page by its file name, at the anchor of a heading.
    void showPage(const QString& file, const QString& anchor = {});
    /// Goes to the next match on this or a following page; the first page follows the last. Returns false if
    /// there is none.
    bool findNext(const QString& words);

    ManualBrowser& browser() { return *m_browser; }
    QTreeWidget& contents() { return *m_contents; }
    const std::vector<ManualPage>& pages() const { return m_pages; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeBar();
    void fillContents();
    void followPage();
    QTreeWidgetItem* entryOf(const QUrl& place) const;
    std::size_t currentPage() const;

    std::vector<ManualPage> m_pages;
    QTreeWidget* m_contents;
    ManualBrowser* m_browser;
    QLineEdit* m_words = nullptr;
};

/// Opens the manual at its first page, or brings the open one to the front.
ManualWindow& showManual(QWidget& window);
/// Opens the manual at this page.
ManualWindow& showManualPage(QWidget& window, const QString& file);

} // namespace highwater::gui
