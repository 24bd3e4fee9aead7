#pragma once

#include <vector>

#include <QWidget>

#include "app/window/manual/manual_pages.h"

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace highwater::gui {

class ManualBrowser;

/// The manual in a window of its own, beside the work: contents at the left, the page at the right, a field
/// that finds words on all pages.
class ManualWindow : public QWidget
{
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    /// A page by its file's name, at a heading's anchor.
    void showPage(const QString& file, const QString& anchor = {});
    /// The next place that has the words, on this page or one of those that follow; false: there is none.
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

/// The manual of a window: opened at its first page, or brought to the front where it is open already.
ManualWindow& showManual(QWidget& window);
/// The same, at this page in either case.
ManualWindow& showManualPage(QWidget& window, const QString& file);

} // namespace highwater::gui
