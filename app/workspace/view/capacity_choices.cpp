#include "app/workspace/view/capacity_choices.h"

#include <algorithm>

#include <QFileInfo>
#include <QSettings>

namespace highwater::gui {

namespace {

const char* const kForAll = "capacityForAll";
const char* const kForFiles = "capacityForFiles";

QString absolute(const QString& path)
{
    return QFileInfo(path).absoluteFilePath();
}

/// Returns a text such as "85017493504 H100 80", or "0" without a capacity.
QString toSetting(const std::optional<DeviceCapacity>& capacity)
{
    if (!capacity)
        return QStringLiteral("0");
    return (QString::number(capacity->bytes) + QLatin1Char(' ') + QString::fromStdString(capacity->gpu))
        .trimmed();
}

std::optional<DeviceCapacity> fromSetting(const QString& text)
{
    const Bytes bytes = text.section(QLatin1Char(' '), 0, 0).toLongLong();
    if (bytes <= 0)
        return std::nullopt;
    return DeviceCapacity{bytes, CapacitySource::Chosen, text.section(QLatin1Char(' '), 1).toStdString(), -1};
}

} // namespace

CapacityChoices::CapacityChoices(bool remember, QObject* parent)
    : QObject(parent)
    , m_remember(remember)
{
    if (m_remember)
        load();
}

QList<CapacityChoices::Own>::const_iterator CapacityChoices::find(const QString& path) const
{
    return std::find_if(m_own.cbegin(), m_own.cend(),
        [wanted = absolute(path)](const Own& own) { return own.path == wanted; });
}

std::optional<DeviceCapacity> CapacityChoices::of(const QString& path) const
{
    const auto own = find(path);
    return own == m_own.cend() ? m_forAll : own->capacity;
}

void CapacityChoices::choose(const QString& path, const std::optional<DeviceCapacity>& capacity)
{
    if (const auto own = find(path); own != m_own.cend())
        m_own.erase(own);
    if (capacity || m_forAll)
        m_own.prepend({absolute(path), capacity});
    while (m_own.size() > kFiles)
        m_own.removeLast();
    store();
    emit changed();
}

void CapacityChoices::chooseForAll(const std::optional<DeviceCapacity>& capacity)
{
    m_forAll = capacity;
    m_own.clear();
    store();
    emit changed();
}

void CapacityChoices::load()
{
    QSettings settings;
    m_forAll = fromSetting(settings.value(kForAll).toString());
    const QStringList entries = settings.value(kForFiles).toStringList();
    for (qsizetype i = 0; i + 1 < entries.size(); i += 2)
        m_own.append({entries[i], fromSetting(entries[i + 1])});
}

void CapacityChoices::store() const
{
    if (!m_remember)
        return;
    QStringList entries;
    for (const Own& own : m_own)
        entries << own.path << toSetting(own.capacity);
    QSettings settings;
    settings.setValue(kForAll, toSetting(m_forAll));
    settings.setValue(kForFiles, entries);
}

} // namespace highwater::gui
