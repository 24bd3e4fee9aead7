#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace highwater {

/// A setting's name, and true if the setting is known.
using KnownSetting = std::pair<const char*, bool>;

/// Returns the names of the settings that are not known.
inline std::vector<std::string> missingAmong(std::initializer_list<KnownSetting> settings)
{
    std::vector<std::string> missing;
    for (const auto& [name, isKnown] : settings)
        if (!isKnown)
            missing.emplace_back(name);
    return missing;
}

} // namespace highwater
