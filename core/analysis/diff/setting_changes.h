#pragma once

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

} // namespace highwater
