#include "app/workspace/saved/report_session.h"

#include "app/workspace/tasks/qt_text.h"
#include "core/report/build_report.h"

namespace highwater::gui {

/// Caches the runs for the next report on the same subject.
struct ReportSession::CachedRuns
{
    ReportSubject subject;
    std::optional<ReportRuns> runs;

    Result<std::shared_ptr<const Report>> report(
        const ReportSubject& newSubject, const Notes& notes, const ReportOptions& options, FileHashes& hashes)
    {
        if (!runs || subject != newSubject) {
            Result<ReportRuns> newRuns = reportRuns(newSubject, hashes);
            if (!newRuns)
                return tl::unexpected(newRuns.error());
            runs = *std::move(newRuns);
            subject = newSubject;
        }
        Result<Report> report = buildReport({runs->run, runs->before ? &*runs->before : nullptr, notes, {},
            options, runs->comparison, newSubject.moments});
        if (!report)
            return tl::unexpected(report.error());
        return std::make_shared<const Report>(*std::move(report));
    }
};

ReportSession::ReportSession(QObject* parent)
    : QObject(parent)
    , m_hashes(std::make_shared<FileHashes>())
    , m_cachedRuns(std::make_shared<CachedRuns>())
{
}

void ReportSession::setWanted(bool wanted)
{
    m_isWanted = wanted;
    if (m_isWanted && m_isStale)
        refresh();
}

void ReportSession::setSubject(ReportSubject subject)
{
    if (subject == m_subject)
        return;
    const bool dropsReport
        = subject.trace() != m_subject.trace() || subject.before.has_value() != m_subject.before.has_value();
    m_subject = std::move(subject);
    if (dropsReport) {
        m_report.reset();
        m_problem.clear();
        emit changed();
    }
    refresh();
}

void ReportSession::setNotes(Notes notes)
{
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    refresh();
}

void ReportSession::setOptions(ReportOptions options)
{
    if (options == m_options)
        return;
    m_options = std::move(options);
    refresh();
}

void ReportSession::refresh()
{
    m_isStale = true;
    if (!m_isWanted || m_subject.isEmpty())
        return;
    if (m_subject.isPending)
        return emit busyChanged();
    m_isStale = false;
    m_task.run([this, subject = m_subject, notes = m_notes, options = m_options, hashes = m_hashes,
                   cachedRuns = m_cachedRuns]() -> LatestTask::Delivery {
        auto report = cachedRuns->report(subject, notes, options, *hashes);
        return [this, trace = subject.trace(), report = std::move(report)] {
            if (trace == m_subject.trace())
                accept(report);
            emit busyChanged();
        };
    });
    emit busyChanged();
}

void ReportSession::accept(const Result<std::shared_ptr<const Report>>& report)
{
    m_report = report ? *report : nullptr;
    m_problem = report ? QString() : toQString(toText(report.error()));
    emit changed();
}

} // namespace highwater::gui
