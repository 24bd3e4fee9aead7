#include "core/analysis/diff/setting_changes.h"

#include <map>

#include "core/base/text_format.h"

namespace highwater {

namespace {

using Settings = std::map<std::string, std::string>;

void addChanges(const Settings& before, const Settings& after, std::vector<SettingChange>& changes)
{
    if (before.empty() || after.empty())
        return;
    Settings names = before;
    names.insert(after.begin(), after.end());
    for (const auto& [name, any] : names) {
        const auto one = before.find(name);
        const auto other = after.find(name);
        SettingChange change{
            name, one == before.end() ? "" : one->second, other == after.end() ? "" : other->second};
        if (change.before != change.after)
            changes.push_back(std::move(change));
    }
}

Settings settingsOf(const std::vector<NamedText>& texts)
{
    return {texts.begin(), texts.end()};
}

/// Of a log the last value that is written counts: what is set later overrides.
Settings configurationOf(const RunSettings& run)
{
    Settings settings;
    for (const ConfigurationEntry& entry : run.trace.metadata.configuration)
        settings.insert_or_assign(entry.name, entry.value);
    for (const ConfigurationEntry& entry : run.configuration)
        settings.insert_or_assign(entry.name, entry.value);
    return settings;
}

Settings deviceFacts(const Device& device)
{
    Settings facts;
    if (!device.name.empty())
        facts["device name"] = device.name;
    if (device.capacity)
        facts["device capacity"] = formatExactBytes(*device.capacity);
    return facts;
}

} // namespace

std::vector<SettingChange> settingChanges(const RunSettings& before, const RunSettings& after)
{
    const TraceMetadata& one = before.trace.metadata;
    const TraceMetadata& other = after.trace.metadata;
    std::vector<SettingChange> changes;
    addChanges(settingsOf(one.settings), settingsOf(other.settings), changes);
    addChanges(configurationOf(before), configurationOf(after), changes);
    addChanges(settingsOf(one.producer), settingsOf(other.producer), changes);
    addChanges(deviceFacts(before.device), deviceFacts(after.device), changes);
    return changes;
}

} // namespace highwater
