#include "app/workspace/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace highwater::gui {

namespace {
const char* const kPathsKey = "recentFiles";
const char* const kOutcomesKey = "recentOutcomes";
} // namespace

RecentFiles::RecentFiles(bool remember, QObject* parent)
    : QObject(parent)
    , m_remember(remember)
{
    if (m_remember)
        read();
}

void RecentFiles::read()
{
    const QSettings settings;
    m_paths = settings.value(kPathsKey).toStringList();
    const QVariantMap outcomes = settings.value(kOutcomesKey).toMap();
    for (const QString& path : m_paths) {
        const QVariantList parts = outcomes.value(path).toList();
        m_outcomes[path] = {parts.value(0).toString(), parts.value(1).toBool(), parts.value(2).toDateTime()};
    }
}

void RecentFiles::add(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(absolute);
    m_paths.prepend(absolute);
    m_outcomes[absolute].opened = QDateTime::currentDateTime();
    while (m_paths.size() > kCount)
        m_outcomes.remove(m_paths.takeLast());
    store();
}

void RecentFiles::setOutcome(const QString& path, const QString& text, bool failed)
{
    const auto found = m_outcomes.find(QFileInfo(path).absoluteFilePath());
    if (found == m_outcomes.end() || (found->text == text && found->failed == failed))
        return;
    found->text = text;
    found->failed = failed;
    store();
}

void RecentFiles::clear()
{
    m_paths.clear();
    m_outcomes.clear();
    store();
}

void RecentFiles::store()
{
    if (m_remember) {
        QVariantMap outcomes;
        for (auto entry = m_outcomes.cbegin(); entry != m_outcomes.cend(); ++entry)
            outcomes[entry.key()] = QVariantList{entry->text, entry->failed, entry->opened};
        QSettings settings;
        settings.setValue(kPathsKey, m_paths);
        settings.setValue(kOutcomesKey, outcomes);
    }
    emit changed();
}

} // namespace highwater::gui
