#include "app/workspace/view/capacity_choices.h"

#include <algorithm>

#include <QFileInfo>
#include <QSettings>

#include "core/analysis/budget/gpu_fit.h"

namespace highwater::gui {

namespace {

const char* const kForAllKey = "capacityForAll";
const char* const kForFilesKey = "capacityForFiles";

/// Returns a text such as "85017493504 H100 80", or "0" without a capacity.
QString toSetting(const std::optional<DeviceCapacity>& capacity)
{
    if (!capacity)
        return QStringLiteral("0");
    return (QString::number(capacity->bytes) + QLatin1Char(' ') + QString::fromStdString(capacity->gpu))
        .trimmed();
}

/// Parses the text of `toSetting`.
std::optional<DeviceCapacity> fromSetting(const QString& text)
{
    const Bytes bytes = text.section(QLatin1Char(' '), 0, 0).toLongLong();
    if (bytes <= 0)
        return std::nullopt;
    return savedCapacity(bytes, text.section(QLatin1Char(' '), 1).toStdString());
}

} // namespace

CapacityChoices::CapacityChoices(bool remember, QObject* parent)
    : QObject(parent)
    , m_remember(remember)
{
    if (m_remember)
        load();
}

QList<CapacityChoices::FileChoice>::const_iterator CapacityChoices::find(const QString& path) const
{
    return std::find_if(m_fileChoices.cbegin(), m_fileChoices.cend(),
        [wanted = QFileInfo(path).absoluteFilePath()](
            const FileChoice& choice) { return choice.path == wanted; });
}

std::optional<DeviceCapacity> CapacityChoices::of(const QString& path) const
{
    if (m_forSession)
        return m_forSession;
    const auto choice = find(path);
    return choice == m_fileChoices.cend() ? m_forAll : choice->capacity;
}

void CapacityChoices::chooseForSession(const DeviceCapacity& capacity)
{
    m_forSession = capacity;
    emit changed();
}

void CapacityChoices::choose(const QString& path, const std::optional<DeviceCapacity>& capacity)
{
    m_forSession.reset();
    if (const auto choice = find(path); choice != m_fileChoices.cend())
        m_fileChoices.erase(choice);
    if (capacity || m_forAll)
        m_fileChoices.prepend({QFileInfo(path).absoluteFilePath(), capacity});
    while (m_fileChoices.size() > kMaxFiles)
        m_fileChoices.removeLast();
    store();
    emit changed();
}

void CapacityChoices::chooseForAll(const std::optional<DeviceCapacity>& capacity)
{
    m_forSession.reset();
    m_forAll = capacity;
    m_fileChoices.clear();
    store();
    emit changed();
}

void CapacityChoices::load()
{
    QSettings settings;
    m_forAll = fromSetting(settings.value(kForAllKey).toString());
    const QStringList entries = settings.value(kForFilesKey).toStringList();
    for (qsizetype i = 0; i + 1 < entries.size(); i += 2)
        m_fileChoices.append({entries[i], fromSetting(entries[i + 1])});
}

void CapacityChoices::store() const
{
    if (!m_remember)
        return;
    QStringList entries;
    for (const FileChoice& choice : m_fileChoices)
        entries << choice.path << toSetting(choice.capacity);
    QSettings settings;
    settings.setValue(kForAllKey, toSetting(m_forAll));
    settings.setValue(kForFilesKey, entries);
}

} // namespace highwater::gui
