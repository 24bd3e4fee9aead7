#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// A setting that two runs have different; empty where a run does not say it.
struct SettingChange
{
    std::string name;
    std::string before;
    std::string after;
    bool operator==(const SettingChange&) const = default;
};

/// What a run says of itself: its file and device, and settings from files of their own, which count before
/// those of the file.
struct RunSettings
{
    const Trace& trace;
    const Device& device;
    std::vector<ConfigurationEntry> configuration = {};
};

/// What the two files say differently of their allocator's settings, the configuration of the run, what
/// recorded them and the device: by name, only what changed. A setting that one file does not tell is no
/// change unless both files tell settings of that kind. O(n log n).
std::vector<SettingChange> settingChanges(const RunSettings& before, const RunSettings& after);

/// What a run says of itself by kind (allocator, configuration, what recorded it, device), to be compared
/// when its trace is given up.
using SettingTexts = std::array<std::map<std::string, std::string>, 4>;
SettingTexts settingTexts(const RunSettings& run);

/// A setting that not all runs have alike.
struct SettingOfRuns
{
    std::string name;
    /// By run; empty text: it does not set it; none: it tells no settings of this kind.
    std::vector<std::optional<std::string>> values;
    bool operator==(const SettingOfRuns&) const = default;
};

/// By kind and name, only what differs among the runs that tell settings of the kind. O(runs × settings × log
/// settings).
std::vector<SettingOfRuns> settingDifferences(const std::vector<SettingTexts>& runs);

/// For people: neighbours that are one numbered list ("roundup_power2_divisions.4") and have the same values
/// become one, named "roundup_power2_divisions.*". O(settings × runs).
std::vector<SettingOfRuns> foldedLists(const std::vector<SettingOfRuns>& settings);

} // namespace highwater
