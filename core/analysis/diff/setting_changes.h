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

/// What the two files say differently of their allocator's settings, the configuration of the run, what
/// recorded them and the device: by name, only what changed. A setting that one file does not tell is no
/// change unless both files tell settings of that kind. O(n log n).
std::vector<SettingChange> settingChanges(
    const Trace& before, const Device& beforeDevice, const Trace& after, const Device& afterDevice);

} // namespace highwater
