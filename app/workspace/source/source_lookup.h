#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/loading/source_code/source_lines.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// Looks for the source line of one frame at a time, off the GUI thread, because folders may be slow or on
/// another machine. A newer question replaces older ones.
class SourceLookup : public QObject
{
    Q_OBJECT

public:
    explicit SourceLookup(QObject* parent = nullptr);

    void ask(std::shared_ptr<const Trace> trace, FrameId frame);
    /// Forgets the question.
    void drop();
    bool isBusy() const { return m_isBusy; }

    /// Returns the folder in which files are found that are not at their recorded path, from the settings;
    /// empty if the user has chosen none.
    static QString folder();
    static void setFolder(const QString& folder);

signals:
    void answered(const highwater::SourceAnswer& answer);

private:
    bool m_isBusy = false; ///< an answer is to come
    LatestTask m_task;
};

} // namespace highwater::gui
