#include "app/window/main/main_window.h"

#include <QAbstractItemView>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QTimer>

#include "app/loading/files/workspace_store.h"
#include "app/views/pages/document_limits.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/message_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/table_export.h"
#include "app/window/commands/byte_commands.h"
#include "app/window/commands/compare_commands.h"
#include "app/window/commands/main_tool_bar.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/preferences_dialog.h"
#include "app/window/commands/workspace_commands.h"
#include "app/window/main/setting_keys.h"
#include "app/window/main/side_dock.h"
#include "app/window/main/status_text.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/picture_sources.h"
#include "app/workspace/source/editor_command.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {

const QString kNotesPanel = QStringLiteral("notesPanel");
constexpr QSize kLeastSize(640, 420);
constexpr QSize kWindowFrame(16, 56); // about what a window manager adds

QStringList localFiles(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

bool isMenuOpen()
{
    return qobject_cast<const QMenu*>(QApplication::activePopupWidget()) != nullptr;
}

/// Returns the open list of a combo box; null if none is open.
QAbstractItemView* openList()
{
    const QWidget* const popup = QApplication::activePopupWidget();
    return popup && popup->inherits("QComboBoxPrivateContainer") ? popup->findChild<QAbstractItemView*>()
                                                                 : nullptr;
}

/// Closes a menu of the bar, and gives the keys back to the widget that had them. By itself, Esc in the menu
/// would leave them to the bar.
void closeMenu(QMenu& menu, QMenuBar& bar)
{
    menu.close();
    if (!bar.hasFocus())
        return;
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
    QCoreApplication::sendEvent(&bar, &escape);
}

} // namespace

MainWindow::MainWindow(bool remember, QWidget* parent)
    : QMainWindow(parent)
    , m_remember(remember)
    , m_recent(remember)
{
    setAcceptDrops(true);
    qApp->installEventFilter(this);
    buildCentre();
    buildCommands();
    connectCommands();
    connectRequest();
    connectPages();
    connectMessages();
    offerTimelinePicture(m_pages->document, m_notes->list());
    offerOtherPictures(*this);
    offerTableExports(*this);
    // A page or panel that appears must not change the size that the user gave the window.
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setMinimumSize(kLeastSize);
    resize(1280, 800);
    restore();
    followPage();
    if (m_remember)
        QTimer::singleShot(0, this, [this] { m_workspaceCommands->offerUnsavedWork(*m_unsaved); });
}

MainWindow::~MainWindow()
{
    // Views end their highlight when they are hidden, while all parts that hear of it still exist.
    hide();
}

void MainWindow::restore()
{
    ThemeChoice theme = ThemeChoice::System;
    if (m_remember) {
        resize(size().boundedTo(screen()->availableSize() - kWindowFrame)); // or its status bar is not seen
        const QSettings settings;
        m_actions->keepLarge->setChecked(settings.value(kKeepLargeKey, true).toBool());
        restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
        restoreState(settings.value(QStringLiteral("windowState")).toByteArray());
        m_notes->setPanelWanted(settings.value(kNotesPanel, false).toBool());
        for (Page* page : m_pages->stack.pages())
            page->restoreLayout(settings);
        theme = themeFromName(settings.value(kThemeKey).toString());
        m_sideDock->refresh(); // the restored state may have shown it
    }
    setTheme(theme);
    applyCache();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_workspaceCommands->mayClose()) {
        event->ignore();
        return;
    }
    if (m_remember) {
        QSettings settings;
        settings.setValue(QStringLiteral("geometry"), saveGeometry());
        settings.setValue(QStringLiteral("windowState"), saveState());
        settings.setValue(kNotesPanel, m_notes->isPanelWanted());
        for (const Page* page : m_pages->stack.pages())
            page->saveLayout(settings);
        m_workspace->end(); // everything is saved by now
    }
    QMainWindow::closeEvent(event);
}

/// Keeps keys from the shortcuts of the window while a menu or a drop-down list is open. Otherwise the arrows
/// would move the timeline and letters would run commands, because Qt offers each key first to the widget
/// with the focus, which is neither menu nor list. In a list, Space chooses as Enter does. While a table has
/// the focus, the arrows, A and D move in the table and not in the timeline.
bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    QAbstractItemView* const list = openList();
    const bool isOffered = event->type() == QEvent::ShortcutOverride && watched->isWidgetType();
    if (isOffered && (list || isMenuOpen() || menuBar()->hasFocus())) {
        event->accept();
        return watched != list;
    }
    if (qobject_cast<QAbstractItemView*>(watched)
        && keepKeys(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_A, Qt::Key_D}))
        return true;
    const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
    if (auto* menu = qobject_cast<QMenu*>(watched);
        menu && key == Qt::Key_Escape && menu->parent() == menuBar() && menu->isVisible()) {
        closeMenu(*menu, *menuBar());
        return true;
    }
    if (watched != list || key != Qt::Key_Space)
        return QMainWindow::eventFilter(watched, event);
    QKeyEvent enter(QEvent::ShortcutOverride, Qt::Key_Return, Qt::NoModifier);
    QCoreApplication::sendEvent(list, &enter);
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

/// A single file dropped on an open run can be compared with it, added to it, or opened; the user is asked.
void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    const QStringList paths = localFiles(*event->mimeData());
    const bool isOneFile = paths.size() == 1 && !QFileInfo(paths.first()).isDir()
        && !isWorkspaceFile(systemPath(paths.first()));
    if (isOneFile && m_compareCommands->takesAnother())
        m_compareCommands->askAbout(paths.first(), mapToGlobal(event->position().toPoint()));
    else
        openFiles(paths);
}

void MainWindow::openFiles(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    if (paths.size() == 1 && isWorkspaceFile(systemPath(paths.first())))
        return openWorkspace(paths.first());
    if (paths == m_request->files())
        return m_request->openFiles(paths); // reload; the workspace stays
    m_workspaceCommands->settleUnsavedThen([this, paths] { m_request->openFiles(paths); });
}

void MainWindow::addFiles(const QStringList& paths)
{
    if (!paths.isEmpty())
        openFiles(m_request->files() + paths);
}

void MainWindow::openWorkspace(const QString& path, const QString& view)
{
    m_error->dismiss();
    m_workspaceCommands->open(path, view);
}

void MainWindow::openConfiguration(const QString& path)
{
    m_pages->document.run().setConfiguration(path);
}

void MainWindow::compareFiles(const QString& before, const QString& after, bool isOfTable)
{
    m_workspaceCommands->settleUnsavedThen(
        [this, before, after, isOfTable] { m_request->compareFiles(before, after, isOfTable); });
}

void MainWindow::sweepFiles(const QStringList& paths)
{
    m_request->sweepFiles(paths, m_pages->document.analysisSettings().rules());
}

void MainWindow::openView(const QString& name)
{
    PanelTabs& tabs = m_pages->document.panelTabs();
    if (name == QLatin1String("report"))
        return m_request->wantReport();
    if (name == QLatin1String("timeline"))
        tabs.setExtent(PanelTabs::Extent::Collapsed);
    else
        tabs.open(name); // "compare" opens by itself once there are two runs
    if (!m_pages->document.document())
        m_wantedView = name;
}

void MainWindow::setTheme(ThemeChoice choice)
{
    const ThemeColors colors = applyTheme(*qApp, choice);
    m_actions->selectTheme(choice);
    for (Page* page : m_pages->stack.pages())
        page->setColors(colors);
    m_notes->setColors(colors);
}

void MainWindow::setActivitiesShown(bool shown)
{
    m_actions->gpuActivity->setChecked(shown);
    m_sessions.loader.setActivities(shown);
}

PictureOffer MainWindow::shownPicture() const
{
    for (const QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (PictureOffer offer = offeredPicture(*widget); offer.source)
            return offer;
    return m_pages->stack.picture();
}

QString MainWindow::errorText() const
{
    return m_error->text();
}

void MainWindow::applyCache()
{
    const std::optional<std::filesystem::path> folder = TraceCache::defaultFolder();
    const bool keeps = m_remember && folder && m_actions->keepLarge->isChecked();
    const std::optional<TraceCache> cache = keeps ? std::optional(TraceCache(*folder)) : std::nullopt;
    m_sessions.loader.setCache(cache);
    m_sessions.run.run().setCache(cache);
    m_sessions.other.loader().setCache(cache);
    m_sessions.sweep.setCache(cache);
}

void MainWindow::editPreferences()
{
    CapacityChoices& capacities = m_byteCommands->capacities();
    Preferences before;
    before.theme = themeFromName(m_actions->themes->checkedAction()->data().toString());
    if (m_remember) {
        before.textPercent = QSettings().value(kTextPercentKey, before.textPercent).toInt();
        before.editor = chosenEditor();
    }
    before.capacity = capacities.forAll();
    before.peakSoFar = m_byteCommands->peakSoFar->isChecked();
    before.keepsLarge = m_actions->keepLarge->isChecked();
    PreferencesDialog dialog(before, this);
    connect(&dialog, &PreferencesDialog::cacheCleared, m_actions->forgetLarge, &QAction::trigger);
    connect(&dialog, &PreferencesDialog::recentCleared, &m_recent, &RecentFiles::clear);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const Preferences chosen = dialog.preferences();
    if (chosen.theme != before.theme)
        setTheme(chosen.theme);
    m_byteCommands->peakSoFar->setChecked(chosen.peakSoFar);
    m_actions->keepLarge->setChecked(chosen.keepsLarge);
    applyCache();
    if (chosen.capacity != before.capacity)
        capacities.chooseForAll(chosen.capacity);
    if (!m_remember)
        return;
    QSettings settings;
    if (chosen.theme != before.theme) // otherwise it may be the command line's theme, for this start only
        settings.setValue(kThemeKey, themeName(chosen.theme));
    settings.setValue(kTextPercentKey, chosen.textPercent);
    settings.setValue(kKeepLargeKey, chosen.keepsLarge);
    chooseEditor(chosen.editor);
}

void MainWindow::followPage()
{
    const PageOffers offers = m_pages->stack.offers();
    m_toolBar->follow(offers);
    m_byteCommands->setOffered(offers.search);
    for (QAction* action : {m_actions->saveWorkspace, m_actions->saveWorkspaceAs})
        action->setEnabled(m_pages->document.document() != nullptr);
    showLimits();
    refreshTitle();
    refreshStatus();
}

/// Shows the limits of the recordings on the page, each with its name; for one run the headline has them.
void MainWindow::showLimits()
{
    std::vector<const Document*> shown;
    QStringList names;
    QStringList limits;
    for (const NoteSubject& subject : m_pages->stack.current().subjects()) {
        shown.push_back(subject.document.get());
        if (const QString limit = documentLimits(*subject.document); !limit.isEmpty()) {
            names << toQString(subject.document->fileName());
            limits << limit;
        }
    }
    if (std::exchange(m_limited, shown) == shown)
        return;
    m_warning->dismiss();
    if (m_pages->stack.isCurrent(m_pages->document))
        return;
    if (limits.size() == 1)
        m_warning->showMessage(names.first(), limits.first());
    else if (!limits.isEmpty())
        m_warning->showMessage(
            names.first(), QStringLiteral("%1 %2: %3").arg(limits.first(), names.last(), limits.last()));
}

void MainWindow::refreshTitle()
{
    const QString subject = m_pages->stack.current().title();
    const bool isDirty = m_workspace->isDirty();
    const QString mark = m_workspace->isOpen() || isDirty ? QStringLiteral("[*]") : QString();
    QStringList parts;
    if (m_workspace->isOpen())
        parts << QFileInfo(m_workspace->path()).fileName() + mark;
    if (!subject.isEmpty())
        parts << subject + (parts.isEmpty() ? mark : QString());
    parts << QStringLiteral("Highwater") + (parts.isEmpty() ? mark : QString());
    setWindowTitle(parts.join(QStringLiteral(" — ")));
    setWindowModified(isDirty);
}

/// Updates the text that follows the pointer at once, and the other texts, which change in every frame of a
/// pan, a little later.
void MainWindow::refreshCursor()
{
    m_cursor->setText(m_pages->stack.current().cursorText());
    if (!m_statusLater.isActive())
        m_statusLater.start();
}

void MainWindow::refreshStatus()
{
    m_statusLater.stop();
    m_status->setText(m_pages->stack.current().statusText());
    m_cursor->setText(m_pages->stack.current().cursorText());
}

} // namespace highwater::gui
