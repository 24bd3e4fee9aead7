#include "app/workspace/saved/report_session.h"

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

ReportSession::ReportSession(QObject* parent)
    : QObject(parent)
    , m_hashes(std::make_shared<FileHashes>())
{
}

ReportSession::~ReportSession()
{
    m_task.drop();
}

void ReportSession::setWanted(bool wanted)
{
    m_isWanted = wanted;
    if (m_isWanted && m_isStale)
        refresh();
}

void ReportSession::setSubject(ReportSubject subject)
{
    const bool isOther = subject.run.document != m_subject.run.document
        || subject.before.has_value() != m_subject.before.has_value();
    m_subject = std::move(subject);
    if (isOther) {
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
    m_isStale = false;
    m_task.run([this, subject = m_subject, notes = m_notes, options = m_options,
                   hashes = m_hashes]() -> LatestTask::Delivery {
        auto report = makeReport(subject, notes, options, *hashes);
        return [this, document = subject.run.document, report = std::move(report)] {
            if (document == m_subject.run.document)
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
