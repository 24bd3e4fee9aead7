#include "core/analysis/diff/setting_changes.h"

#include <charconv>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

using Settings = std::map<std::string, std::string>;

/// Adds the changes of one kind of settings; none if a run has no settings of this kind.
void addChanges(const Settings& before, const Settings& after, std::vector<SettingChange>& changes)
{
    if (before.empty() || after.empty())
        return;
    Settings names = before;
    names.insert(after.begin(), after.end());
    for (const auto& [name, value] : names) {
        const auto beforeEntry = before.find(name);
        const auto afterEntry = after.find(name);
        SettingChange change{name, beforeEntry == before.end() ? "" : beforeEntry->second,
            afterEntry == after.end() ? "" : afterEntry->second};
        if (change.before != change.after)
            changes.push_back(std::move(change));
    }
}

Settings settingsOf(const std::vector<NamedText>& texts)
{
    return {texts.begin(), texts.end()};
}

/// Returns a run's configuration. If a name occurs several times, the last value counts, and the separate
/// file overrides the trace.
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

/// Returns the value of a setting by run, as in `SettingOfRuns::values`.
std::vector<std::optional<std::string>> valuesOf(
    const std::string& name, std::size_t kind, const std::vector<SettingTexts>& runs)
{
    std::vector<std::optional<std::string>> values;
    for (const SettingTexts& run : runs) {
        const auto found = run[kind].find(name);
        if (run[kind].empty())
            values.emplace_back();
        else
            values.emplace_back(found == run[kind].end() ? std::string() : found->second);
    }
    return values;
}

/// True if two runs with known values have different ones.
bool haveDifferentValues(const std::vector<std::optional<std::string>>& values)
{
    const std::optional<std::string>* first = nullptr;
    for (const std::optional<std::string>& value : values) {
        if (!value)
            continue;
        if (first && **first != *value)
            return true;
        first = &value;
    }
    return false;
}

/// True if a setting limits something, so that "no value" means "not limited".
bool isLimit(std::string_view name)
{
    return contains(name, "max_split_size") || contains(name, "max_non_split") || contains(name, "limit")
        || contains(name, "max_entries");
}

/// True for the allocator's sizes, which its files give in bytes. Settings in megabytes end in "_mb".
bool isInBytes(std::string_view name)
{
    return name.ends_with("max_split_size") || name.ends_with("max_non_split_rounding_size")
        || name.ends_with("large_segment_size") || name.ends_with("_bytes");
}

} // namespace

std::vector<SettingChange> settingChanges(const RunSettings& before, const RunSettings& after)
{
    const SettingTexts beforeTexts = settingTexts(before);
    const SettingTexts afterTexts = settingTexts(after);
    std::vector<SettingChange> changes;
    for (std::size_t kind = 0; kind < beforeTexts.size(); ++kind)
        addChanges(beforeTexts[kind], afterTexts[kind], changes);
    return changes;
}

SettingTexts settingTexts(const RunSettings& run)
{
    return {settingsOf(run.trace.metadata.settings), configurationOf(run),
        settingsOf(run.trace.metadata.producer), deviceFacts(run.device)};
}

std::vector<SettingOfRuns> settingDifferences(const std::vector<SettingTexts>& runs)
{
    std::vector<SettingOfRuns> differences;
    for (std::size_t kind = 0; kind < std::tuple_size_v<SettingTexts>; ++kind) {
        Settings names;
        for (const SettingTexts& run : runs)
            names.insert(run[kind].begin(), run[kind].end());
        for (const auto& [name, value] : names)
            if (std::vector<std::optional<std::string>> values = valuesOf(name, kind, runs);
                haveDifferentValues(values))
                differences.push_back({name, std::move(values)});
    }
    return differences;
}

std::string shownSetting(std::string_view name, const std::string& value)
{
    const bool isNone = value == "None" || value == "null";
    // The largest numbers of 64 bits, with and without a sign, stand for no limit.
    const bool isUnlimited
        = value == "-1" || value == "18446744073709551615" || value == "9223372036854775807";
    if (isLimit(name) && (isNone || isUnlimited))
        return "not limited";
    if (isNone)
        return "not set";
    std::int64_t bytes = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes);
    const bool isNumber = error == std::errc() && end == value.data() + value.size() && !value.empty();
    return isNumber && bytes > 0 && isInBytes(name) ? formatBytes(bytes) : value;
}

std::string listName(const std::string& name)
{
    const std::size_t last = name.find_last_not_of("0123456789");
    const bool isNumbered = last != std::string::npos && last + 1 < name.size() && name[last] == '.';
    return isNumbered ? name.substr(0, last + 1) + "*" : name;
}

} // namespace highwater
