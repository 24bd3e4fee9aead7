#include "app/window/manual/manual_window.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "app/views/parts/arrange.h"
#include "app/window/manual/manual_browser.h"

namespace highwater::gui {

namespace {

constexpr QSize kSize(1120, 780);
constexpr int kContentsWidth = 280;
constexpr int kDeepest = 2; ///< deeper headings are not in the contents
constexpr int kUrlRole = Qt::UserRole;

/// True for a page in a folder, except for the README.md that lists the pages of the folder.
bool isListed(const ManualPage& page)
{
    return page.file.contains(QLatin1Char('/')) && !page.file.endsWith(QLatin1String("/README.md"));
}

QTreeWidgetItem* makeEntry(const ManualPage& page, const ManualHeading& heading)
{
    auto* item = new QTreeWidgetItem({heading.text});
    const bool isTitle = &heading == &page.headings.front();
    item->setData(0, kUrlRole, QUrl(manualUrl(page.file, isTitle ? QString() : heading.anchor)));
    return item;
}

} // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_pages(manualPages())
    , m_contents(named(new QTreeWidget(this), "manualContents", tr("Contents")))
    , m_browser(named(new ManualBrowser(this), "manualPage", tr("Page of the manual")))
{
    setObjectName(QStringLiteral("manualWindow"));
    setWindowTitle(tr("Highwater manual"));
    resize(kSize);
    fillContents();
    auto* splitter = fillSplitter(
        new QSplitter(this), {m_contents, {m_browser, 1}}, {kContentsWidth, kSize.width() - kContentsWidth});
    layColumn(this, {makeBar(), {splitter, 1}});
    connect(m_browser, &QTextBrowser::sourceChanged, this, &ManualWindow::followPage);
}

QWidget* ManualWindow::makeBar()
{
    auto* bar = new QWidget(this);
    const auto makeButton
        = [&](const char* name, const QString& text, const QString& tip, auto slot, auto available) {
              auto* button = named(new QToolButton(bar), name, text, tip);
              button->setText(text);
              button->setAutoRaise(true);
              button->setEnabled(false);
              connect(button, &QToolButton::clicked, m_browser, slot);
              connect(m_browser, available, button, &QWidget::setEnabled);
              return button;
          };
    auto* back = makeButton("manualBack", tr("← Back"), tr("Go back to the previous page (Alt+←)"),
        &QTextBrowser::backward, &QTextBrowser::backwardAvailable);
    auto* forward = makeButton("manualForward", tr("Forward →"), tr("Go forward (Alt+→)"),
        &QTextBrowser::forward, &QTextBrowser::forwardAvailable);
    m_words = named(new QLineEdit(bar), "manualWords", tr("Words to find in the manual"));
    m_words->setPlaceholderText(tr("Find in the manual (Ctrl+F, Enter for the next match)"));
    m_words->setClearButtonEnabled(true);
    auto* missing = named(new QLabel(bar), "manualMissing");
    connect(m_words, &QLineEdit::textEdited, missing, &QLabel::clear);
    connect(m_words, &QLineEdit::returnPressed, this,
        [this, missing] { missing->setText(findNext(m_words->text()) ? QString() : tr("not found")); });
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_words, [this] {
        m_words->setFocus();
        m_words->selectAll();
    });
    layRow(bar, {back, forward, {m_words, 1}, missing}, {{8, 6, 8, 6}, 8});
    return bar;
}

void ManualWindow::fillContents()
{
    m_contents->setHeaderHidden(true);
    for (const ManualPage& page : m_pages) {
        if (page.headings.empty())
            continue;
        QTreeWidgetItem* const top = makeEntry(page, page.headings.front());
        if (isListed(page)) {
            m_contents->topLevelItem(m_contents->topLevelItemCount() - 1)->addChild(top);
            continue;
        }
        m_contents->addTopLevelItem(top);
        if (page.file.contains(QLatin1Char('/')))
            continue;
        for (std::size_t i = 1; i < page.headings.size(); ++i)
            if (page.headings[i].level <= kDeepest)
                top->addChild(makeEntry(page, page.headings[i]));
    }
    connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (item)
            m_browser->setSource(item->data(0, kUrlRole).toUrl());
    });
}

std::size_t ManualWindow::currentPage() const
{
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        if (m_pages[i].file == m_browser->file())
            return i;
    return 0;
}

/// Returns the entry of a place; null if the contents do not list it.
QTreeWidgetItem* ManualWindow::entryOf(const QUrl& place) const
{
    for (QTreeWidgetItemIterator item(m_contents); *item; ++item)
        if ((*item)->data(0, kUrlRole).toUrl() == place)
            return *item;
    return nullptr;
}

/// Selects the current page in the contents after following a link.
void ManualWindow::followPage()
{
    const QSignalBlocker blocker(m_contents);
    QTreeWidgetItem* shown = entryOf(m_browser->place());
    if (!shown)
        shown = entryOf(m_browser->place().adjusted(QUrl::RemoveFragment));
    if (!shown)
        return;
    m_contents->setCurrentItem(shown);
    shown->setExpanded(true);
}

void ManualWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

void ManualWindow::showPage(const QString& file, const QString& anchor)
{
    m_browser->setSource(QUrl(manualUrl(file, anchor)));
}

bool ManualWindow::findNext(const QString& words)
{
    if (words.isEmpty())
        return false;
    if (m_browser->find(words))
        return true;
    const std::size_t start = currentPage();
    for (std::size_t step = 1; step <= m_pages.size(); ++step) {
        const ManualPage& page = m_pages[(start + step) % m_pages.size()];
        if (!page.text.contains(words, Qt::CaseInsensitive))
            continue;
        showPage(page.file);
        m_browser->moveCursor(QTextCursor::Start);
        if (m_browser->find(words)) // false if only the address of a link contains them
            return true;
    }
    return false;
}

ManualWindow& showManual(QWidget& window)
{
    auto* manual = window.findChild<ManualWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (!manual)
        manual = new ManualWindow(&window);
    if (!manual->isVisible())
        manual->showPage(QStringLiteral("README.md"));
    manual->show();
    manual->raise();
    manual->activateWindow();
    return *manual;
}

ManualWindow& showManualPage(QWidget& window, const QString& file)
{
    ManualWindow& manual = showManual(window);
    manual.showPage(file);
    return manual;
}

} // namespace highwater::gui
