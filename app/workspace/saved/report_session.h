#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/workspace/saved/report_subject.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// The report of what is open, made off the GUI thread and made again when anything changes that it is made
/// of. What is worked out about the runs is kept until they change. Until the new report is there the old one
/// stays. Works only while it is wanted.
class ReportSession : public QObject
{
    Q_OBJECT

public:
    explicit ReportSession(QObject* parent = nullptr);

    /// Whether anybody looks at it.
    void setWanted(bool wanted);
    void setSubject(ReportSubject subject);
    void setNotes(Notes notes);
    void setOptions(ReportOptions options);

    const ReportSubject& subject() const { return m_subject; }
    const ReportOptions& options() const { return m_options; }
    bool hasTwoRuns() const { return m_subject.before.has_value(); }
    /// Null before the first, and where `problem` says why there is none.
    const std::shared_ptr<const Report>& report() const { return m_report; }
    /// Why there is no report, a sentence; empty: there is one, or it is on its way.
    const QString& problem() const { return m_problem; }
    bool isBusy() const { return m_task.isBusy() || (m_isWanted && m_subject.isPending); }

signals:
    /// Another report, or another problem.
    void changed();
    void busyChanged();

private:
    struct Made;

    void refresh();
    void accept(const Result<std::shared_ptr<const Report>>& report);

    ReportSubject m_subject;
    Notes m_notes;
    ReportOptions m_options;
    std::shared_ptr<FileHashes> m_hashes;
    std::shared_ptr<Made> m_last; ///< by the last job; only jobs use it, one after the other
    std::shared_ptr<const Report> m_report;
    QString m_problem;
    bool m_isWanted = false;
    bool m_isStale = false;
    LatestTask m_task;
};

} // namespace highwater::gui
