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
Settings configurationOf(const Trace& trace)
{
    Settings settings;
    for (const ConfigurationEntry& entry : trace.metadata.configuration)
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

std::vector<SettingChange> settingChanges(
    const Trace& before, const Device& beforeDevice, const Trace& after, const Device& afterDevice)
{
    std::vector<SettingChange> changes;
    addChanges(settingsOf(before.metadata.settings), settingsOf(after.metadata.settings), changes);
    addChanges(configurationOf(before), configurationOf(after), changes);
    addChanges(settingsOf(before.metadata.producer), settingsOf(after.metadata.producer), changes);
    addChanges(deviceFacts(beforeDevice), deviceFacts(afterDevice), changes);
    return changes;
}

} // namespace highwater
