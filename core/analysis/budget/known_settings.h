#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace highwater {

/// A setting's name, and whether it is known.
using KnownSetting = std::pair<const char*, bool>;

/// The names of those that are not known.
inline std::vector<std::string> missingAmong(std::initializer_list<KnownSetting> settings)
{
    std::vector<std::string> missing;
    for (const auto& [name, isKnown] : settings)
        if (!isKnown)
            missing.emplace_back(name);
    return missing;
}

} // namespace highwater
