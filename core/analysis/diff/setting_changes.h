#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// A setting that differs between two runs; empty text: the run does not set it.
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

/// The settings on which the two files differ: the allocator's settings, the configuration of the run, the
/// recorder and the device; by name, only changes. A setting that one file lacks counts as a change only if
/// both files have settings of that kind. O(n log n).
std::vector<SettingChange> settingChanges(const RunSettings& before, const RunSettings& after);

/// A run's settings by kind (allocator, configuration, recorder, device), kept for comparison after its trace
/// is released.
using SettingTexts = std::array<std::map<std::string, std::string>, 4>;
SettingTexts settingTexts(const RunSettings& run);

/// A setting that differs between runs.
struct SettingOfRuns
{
    std::string name;
    /// By run; empty text: not set; none: the run has no settings of this kind.
    std::vector<std::optional<std::string>> values;
    bool operator==(const SettingOfRuns&) const = default;
};

/// By kind and name, only settings that differ among the runs that have settings of the kind. O(runs ×
/// settings × log settings).
std::vector<SettingOfRuns> settingDifferences(const std::vector<SettingTexts>& runs);

/// "roundup_power2_divisions.*" of a setting that is one of a numbered list; else its name.
std::string listName(const std::string& name);

/// For display: consecutive entries of one numbered list ("roundup_power2_divisions.4") with the same values
/// are merged into one, named "roundup_power2_divisions.*". Of any values with a `name`. O(settings).
template <typename Setting>
std::vector<Setting> foldedLists(const std::vector<Setting>& settings)
{
    std::vector<Setting> folded;
    std::string list; // of the last one in `folded`
    for (const Setting& setting : settings) {
        Setting last = folded.empty() ? Setting() : folded.back();
        last.name = setting.name;
        if (!folded.empty() && last == setting && listName(setting.name) == list && list != setting.name)
            folded.back().name = list;
        else
            folded.push_back(setting);
        list = listName(setting.name);
    }
    return folded;
}

} // namespace highwater
