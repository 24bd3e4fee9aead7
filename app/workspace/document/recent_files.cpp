#include "app/workspace/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace highwater::gui {

namespace {
const char* const kKey = "recentFiles";
}

RecentFiles::RecentFiles(bool remember, QObject* parent)
    : QObject(parent)
    , m_remember(remember)
{
    if (m_remember)
        m_paths = QSettings().value(kKey).toStringList();
}

void RecentFiles::add(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(absolute);
    m_paths.prepend(absolute);
    while (m_paths.size() > kCount)
        m_paths.removeLast();
    store();
}

void RecentFiles::clear()
{
    m_paths.clear();
    store();
}

void RecentFiles::store()
{
    if (m_remember)
        QSettings().setValue(kKey, m_paths);
    emit changed();
}

} // namespace highwater::gui
