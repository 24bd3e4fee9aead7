#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// A setting that differs between two runs. A value is empty if the run does not set it.
struct SettingChange
{
    std::string name;
    std::string before;
    std::string after;
    bool operator==(const SettingChange&) const = default;
};

/// Sources of a run's settings: its file and device, and separate settings files, which take precedence.
struct RunSettings
{
    const Trace& trace;
    const Device& device;
    std::vector<ConfigurationEntry> configuration = {};
};

/// Returns the settings that differ between two runs, by kind and name: the allocator's settings, the run's
/// configuration, the recorder and the device. A setting that one run lacks counts only if both runs have
/// settings of that kind. O(n log n).
std::vector<SettingChange> settingChanges(const RunSettings& before, const RunSettings& after);

/// A run's settings by kind (allocator, configuration, recorder, device), for comparisons after its trace is
/// released.
using SettingTexts = std::array<std::map<std::string, std::string>, 4>;
SettingTexts settingTexts(const RunSettings& run);

/// A setting that differs between runs.
struct SettingOfRuns
{
    std::string name;
    /// Value by run: empty if the run does not set it, nullopt if the run has no settings of this kind.
    std::vector<std::optional<std::string>> values;
    bool operator==(const SettingOfRuns&) const = default;
};

/// Returns the settings whose values differ among the runs that have settings of their kind, by kind and
/// name. O(runs × settings × log settings).
std::vector<SettingOfRuns> settingDifferences(const std::vector<SettingTexts>& runs);

/// Returns the value of a setting for readers: "not limited" for a limit of -1, None or the largest number,
/// "not set" for None elsewhere, and "128 MiB" for the allocator's sizes in bytes and settings whose names
/// end in
/// "_bytes". Other values, and an empty one, stay as they are.
std::string shownSetting(std::string_view name, const std::string& value);

/// Returns "roundup_power2_divisions.*" for a setting in a numbered list; else its name.
std::string listName(const std::string& name);

/// Merges consecutive entries of a numbered list ("roundup_power2_divisions.4") with equal values into one,
/// named "roundup_power2_divisions.*", for display. `Setting` needs a `name`. O(settings).
template <typename Setting>
std::vector<Setting> foldedLists(const std::vector<Setting>& settings)
{
    std::vector<Setting> folded;
    std::string list; // list name of the last entry in `folded`
    for (const Setting& setting : settings) {
        Setting previous = folded.empty() ? Setting() : folded.back();
        previous.name = setting.name;
        if (!folded.empty() && previous == setting && listName(setting.name) == list && list != setting.name)
            folded.back().name = list;
        else
            folded.push_back(setting);
        list = listName(setting.name);
    }
    return folded;
}

} // namespace highwater
