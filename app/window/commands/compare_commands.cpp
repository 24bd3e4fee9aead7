#include "app/window/commands/compare_commands.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include "app/views/compare/log_compare_view.h"
#include "app/views/compare/sweep_view.h"
#include "app/window/commands/actions.h"
#include "app/window/commands/view_commands.h"
#include "app/window/opening/open_request.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/window_pages.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/logs/log_failures.h"

namespace highwater::gui {

CompareCommands::CompareCommands(
    Actions& actions, WindowPages& pages, OpenSessions& sessions, OpenRequest& request, QWidget* window)
    : QObject(window)
    , m_actions(actions)
    , m_pages(pages)
    , m_sessions(sessions)
    , m_request(request)
    , m_window(window)
{
    m_pages.compare.timelines().addActions({m_actions.panLeft, m_actions.panRight});
    fitWithHome(m_pages.compare.timelines(), *m_actions.fit);
    connectCommands();
    connectComparison();
    connectTable();
    enableCommands();
}

void CompareCommands::connectCommands()
{
    connect(m_actions.compareLast, &QAction::triggered, this, &CompareCommands::compareWithLast);
    connect(&m_request, &OpenRequest::opened, this, &CompareCommands::noteOpened);
    connect(m_actions.compareBefore, &QAction::triggered, this,
        [this] { chooseOther(CompareSession::Role::Before); });
    connect(m_actions.compareAfter, &QAction::triggered, this,
        [this] { chooseOther(CompareSession::Role::After); });
    connect(m_actions.compareSeveral, &QAction::triggered, this, &CompareCommands::chooseSeveral);
    connect(m_actions.showSeveral, &QAction::triggered, this, &CompareCommands::showTable);
    connect(&m_pages.stack, &PageStack::changed, this, &CompareCommands::enableCommands);
}

void CompareCommands::connectComparison()
{
    CompareSession& secondSession = m_sessions.other;
    connect(&secondSession, &CompareSession::ready, this, &CompareCommands::showRuns);
    connect(&secondSession, &CompareSession::logsReady, this, [this](const auto& before, const auto& after) {
        m_pages.logCompare.compare(before, after);
        m_pages.stack.show(m_pages.logCompare);
    });
    connect(&secondSession, &CompareSession::closed, this, &CompareCommands::closeRuns);
    for (Page* page : {static_cast<Page*>(&m_pages.compare), static_cast<Page*>(&m_pages.logCompare)})
        connect(page, &Page::closeRequested, this, [this, &secondSession] {
            if (secondSession.isOpen())
                secondSession.close();
            else
                closeRuns(); // two steps of one run
        });
    connect(&m_pages.document, &DocumentPage::stepsCompared, this, &CompareCommands::compareSteps);
    ComparisonState& state = m_pages.compare.state();
    connect(&state, &ComparisonState::runsChanged, this, [this, &state] {
        if (state.comparison())
            m_request.takeComparison();
    });
    connect(&state, &ComparisonState::failed, &secondSession, &CompareSession::refuse);
    // Another device or other settings change the run to compare. A log is offered only when no file with
    // allocations can replace it any more.
    connect(&m_pages.document, &DocumentPage::changed, this, &CompareCommands::offerShownRun);
    connect(&m_pages.document.run(), &RunState::described, this, &CompareCommands::offerShownRun);
    connect(&m_sessions.run.run(), &RunLoader::finished, this, &CompareCommands::offerShownRun);
}

void CompareCommands::connectTable()
{
    connect(&m_request, &OpenRequest::sweepReady, this, &CompareCommands::showTable);
    connect(&m_sessions.sweep, &SweepSession::finished, this, [this] {
        if (!m_sessions.sweep.isOpen())
            closeTable();
    });
    SweepView& table = m_pages.table;
    connect(&table, &SweepView::closeRequested, this, &CompareCommands::closeTable);
    connect(
        &table, &SweepView::openRequested, this, [this](quint64 row) { emit openRequested({pathOf(row)}); });
    connect(&table, &SweepView::compareRequested, this,
        [this](quint64 before, quint64 after) { emit compareRequested(pathOf(before), pathOf(after)); });
}

void CompareCommands::enableCommands()
{
    m_actions.showSeveral->setEnabled(m_sessions.sweep.isOpen() && !m_pages.stack.isCurrent(m_pages.table));
    m_actions.compareLast->setEnabled(takesAnother() && !m_previousPath.isEmpty());
    m_actions.compareLast->setText(m_previousPath.isEmpty()
            ? tr("With the pr&eviously opened run")
            : tr("With %1, th&e run before").arg(QFileInfo(m_previousPath).fileName()));
    if (m_offeredPath.isEmpty())
        return;
    m_actions.compareLast->setEnabled(true);
    m_actions.compareLast->setText(tr("With %1, th&e new run").arg(QFileInfo(m_offeredPath).fileName()));
}

void CompareCommands::noteOpened(const QString& path)
{
    if (path == m_openedPath)
        return;
    m_previousPath = m_previousOf.value(path, std::exchange(m_openedPath, path));
    offer({});
}

void CompareCommands::offer(const QString& path)
{
    m_offeredPath = path;
    enableCommands();
}

void CompareCommands::setPrevious(const QStringList& paths, const QString& previous)
{
    for (const QString& path : paths)
        m_previousOf.insert(path, previous);
}

void CompareCommands::compareWithLast()
{
    if (m_offeredPath.isEmpty())
        compareWith(m_previousPath, CompareSession::Role::Before);
    else
        compareWith(m_offeredPath, CompareSession::Role::After);
}

/// Returns the folder in which dialogs start.
QString CompareCommands::folder() const
{
    return QFileInfo(m_request.files().value(0)).path();
}

QString CompareCommands::pathOf(quint64 row) const
{
    return qtPath(m_sessions.sweep.sweep()->rows[static_cast<std::size_t>(row)].run.path);
}

void CompareCommands::chooseOther(CompareSession::Role role)
{
    const QString title
        = role == CompareSession::Role::Before ? tr("Select the earlier run") : tr("Select the later run");
    const QString path = QFileDialog::getOpenFileName(m_window, title, folder());
    if (!path.isEmpty())
        compareWith(path, role);
}

void CompareCommands::chooseSeveral()
{
    const QStringList paths = QFileDialog::getOpenFileNames(m_window, tr("Select runs to compare"), folder());
    if (!paths.isEmpty())
        emit sweepRequested(paths);
}

void CompareCommands::compareWith(const QString& path, CompareSession::Role role)
{
    offerShownRun();
    m_sessions.other.open(path, role, m_sessions.run.main().member.rank);
}

bool CompareCommands::takesAnother() const
{
    return m_pages.stack.current().offers().another;
}

void CompareCommands::askAbout(const QString& path, const QPoint& position)
{
    const QString dropped = QFileInfo(path).fileName();
    auto* menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("dropMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString shown = toQString(m_pages.document.document()->fileName());
    const auto add = [&](const QString& text, auto&& run) {
        connect(menu->addAction(text), &QAction::triggered, this, run);
    };
    add(tr("&Compare: %1 is later than %2").arg(dropped, shown),
        [this, path] { compareWith(path, CompareSession::Role::After); });
    add(tr("Compare: %1 is the &earlier run, %2 the later").arg(dropped, shown),
        [this, path] { compareWith(path, CompareSession::Role::Before); });
    menu->addSeparator();
    add(tr("&Add %1 to this run").arg(dropped), [this, path] { emit addRequested({path}); });
    add(tr("&Open %1 alone").arg(dropped), [this, path] { emit openRequested({path}); });
    menu->popup(position);
}

/// Compares the peaks of two steps of the run on screen, on the page for two runs. The earlier step is
/// before, whichever was chosen first, so that a leak is an increase.
void CompareCommands::compareSteps(quint64 first, quint64 second)
{
    const std::shared_ptr<const DeviceAnalysis>& analysis = m_pages.document.analysis();
    if (!analysis)
        return;
    const std::vector<Step>& steps = analysis->steps.steps;
    const auto [earlier, later] = std::minmax(first, second);
    compareMoments(steps[earlier].peakEvent, steps[later].peakEvent);
}

void CompareCommands::compareMoments(qint64 before, qint64 after)
{
    DocumentPage& page = m_pages.document;
    if (!page.analysis() || std::max(before, after) >= page.analysis()->allocations.eventCount())
        return;
    const RunChoice run{
        page.document(), page.analysis()->device, {}, page.analysisSettings().wantsAllocated()};
    showRuns(run, run);
    m_pages.compare.state().compareEvents(before, after);
}

void CompareCommands::offerShownRun()
{
    const std::shared_ptr<const Document>& document = m_pages.document.document();
    const std::shared_ptr<const DeviceAnalysis>& analysis = m_pages.document.analysis();
    if (!document || m_request.isLoading())
        return;
    if (analysis) {
        const std::optional<RunDescription>& described = m_pages.document.run().description();
        return m_sessions.other.setShown(RunChoice{document, analysis->device,
            described ? described->settings : std::vector<ConfigurationEntry>(),
            analysis->quantity() == Quantity::Allocated});
    }
    if (!isLog(document->trace()))
        m_sessions.other.setShown(std::nullopt);
    else if (!m_sessions.run.isProvisional())
        m_sessions.other.setShown(std::nullopt, document);
}

void CompareCommands::showRuns(const RunChoice& before, const RunChoice& after)
{
    m_pages.compare.compare(before, after);
    m_pages.stack.show(m_pages.compare);
}

void CompareCommands::closeRuns()
{
    const bool isShown
        = m_pages.stack.isCurrent(m_pages.compare) || m_pages.stack.isCurrent(m_pages.logCompare);
    if (isShown && m_request.isOfTable() && m_sessions.sweep.isOpen())
        showTable();
    else if (isShown)
        m_pages.showRun();
    m_pages.compare.state().clear();
    m_pages.logCompare.clear();
}

void CompareCommands::showTable()
{
    m_pages.stack.show(m_pages.table);
}

void CompareCommands::closeTable()
{
    m_sessions.sweep.close();
    if (m_pages.stack.isCurrent(m_pages.table))
        m_pages.showRun();
    enableCommands();
}

} // namespace highwater::gui
