#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/workspace/saved/report_subject.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/report/model/report.h"

namespace highwater::gui {

/// The report on what is open. It is made off the GUI thread, only while it is wanted, and again when its
/// inputs change. The old report stays until the new one is ready, unless the shown file changes or a
/// comparison begins or ends. Results about the runs are cached until the subject changes.
class ReportSession : public QObject
{
    Q_OBJECT

public:
    explicit ReportSession(QObject* parent = nullptr);

    /// Must be called with true when the report comes on screen, and with false when it leaves.
    void setWanted(bool wanted);
    void setSubject(ReportSubject subject);
    void setNotes(Notes notes);
    void setOptions(ReportOptions options);

    const ReportSubject& subject() const { return m_subject; }
    const ReportOptions& options() const { return m_options; }
    bool hasTwoRuns() const { return m_subject.before.has_value(); }
    /// Null until the first report is ready, again after the old one was dropped, and if `problem` explains
    /// why there is none.
    const std::shared_ptr<const Report>& report() const { return m_report; }
    /// Returns why the latest report could not be made, as a sentence; empty if it could, or if there was
    /// none yet.
    const QString& problem() const { return m_problem; }
    bool isBusy() const { return m_task.isBusy() || (m_isWanted && m_subject.isPending); }

signals:
    /// The report or the problem has changed.
    void changed();
    void busyChanged();

private:
    struct CachedRuns;

    void refresh();
    void accept(const Result<std::shared_ptr<const Report>>& report);

    ReportSubject m_subject;
    Notes m_notes;
    ReportOptions m_options;
    std::shared_ptr<FileHashes> m_hashes;
    std::shared_ptr<CachedRuns> m_cachedRuns; ///< runs of the latest job; only jobs use it, one at a time
    std::shared_ptr<const Report> m_report;
    QString m_problem;
    bool m_isWanted = false;
    bool m_isStale = false;
    LatestTask m_task;
};

} // namespace highwater::gui
