#include "app/window/pages/window_pages.h"

#include "app/views/compare/log_compare_view.h"
#include "app/views/compare/sweep_view.h"
#include "app/views/pages/recording_page.h"
#include "app/views/pages/start_page.h"
#include "app/views/report/report_view.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
#include "app/workspace/compare/open_sessions.h"
#include "core/analysis/logs/log_failures.h"

namespace highwater::gui {

WindowPages::WindowPages(OpenSessions& sessions, const RecentFiles& recent, QWidget* parent)
    : stack(*new PageStack(parent))
    , start(*new StartPage(recent, &stack))
    , document(*new DocumentPage(sessions.run, &stack))
    , recording(*new RecordingPage(&stack))
    , log(*new LogPage(document.run(), &stack))
    , compare(*new ComparePage(&stack))
    , logCompare(*new LogCompareView(&stack))
    , table(*new SweepView(sessions.sweep, &stack))
    , report(*new ReportView(&stack))
{
    for (Page* page : {static_cast<Page*>(&start), static_cast<Page*>(&document),
             static_cast<Page*>(&recording), static_cast<Page*>(&log), static_cast<Page*>(&compare),
             static_cast<Page*>(&logCompare), static_cast<Page*>(&table), static_cast<Page*>(&report)})
        stack.add(*page);
    RunState& run = document.run(); // pages without a timeline use the study of this one
    QObject::connect(&run, &RunState::changed, &log, [this, &run] {
        log.showDiagnosis(run.study().get());
        recording.showDiagnosis(run.study().get());
    });
}

void WindowPages::open(const std::shared_ptr<const Document>& file, bool sameRun)
{
    stack.show(pageOf(file.get()));
    if (stack.isCurrent(log))
        log.show(file);
    else if (stack.isCurrent(recording))
        recording.show(file);
    if (sameRun)
        document.showInPlace(file);
    else
        document.show(file);
}

void WindowPages::showRun()
{
    stack.show(pageOf(document.document().get()));
}

Page& WindowPages::pageOf(const Document* file) const
{
    if (!file)
        return start;
    if (file->mainDevice)
        return document;
    return isLog(file->trace()) ? static_cast<Page&>(log) : recording;
}

} // namespace highwater::gui
