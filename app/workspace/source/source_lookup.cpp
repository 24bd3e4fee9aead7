#include "app/workspace/source/source_lookup.h"

#include <utility>

#include <QSettings>

#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {
const char* const kSourceFolder = "sourceFolder";
} // namespace

SourceLookup::SourceLookup(QObject* parent)
    : QObject(parent)
{
}

void SourceLookup::ask(std::shared_ptr<const Trace> trace, FrameId frame)
{
    m_task.drop();
    m_isBusy = true;
    m_task.run([this, trace = std::move(trace), frame,
                   sourceFolder = systemPath(folder())]() -> LatestTask::Delivery {
        return [this, answer = findSource(*trace, frame, sourceFolder)] {
            m_isBusy = false;
            emit answered(answer);
        };
    });
}

void SourceLookup::drop()
{
    m_isBusy = false;
    m_task.drop();
}

QString SourceLookup::folder()
{
    return QSettings().value(QLatin1String(kSourceFolder)).toString();
}

void SourceLookup::setFolder(const QString& folder)
{
    QSettings().setValue(QLatin1String(kSourceFolder), folder);
}

} // namespace highwater::gui
