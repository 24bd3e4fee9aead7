#include "core/run/workspace_upgrade.h"

#include <array>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

using Json = nlohmann::json;
/// Upgrades a document from version n to n + 1 in place. Returns the error; empty on success.
using Upgrade = std::string (*)(Json& document);

/// Removes the member with this name from the document and returns it; null if there is none.
Json takeMember(Json& document, const char* key)
{
    Json value;
    if (const auto found = document.find(key); found != document.end()) {
        value = std::move(*found);
        document.erase(found);
    }
    return value;
}

/// Moves the files of one run to the common list and sets their role. Version 1 showed the first file of
/// each run.
std::string moveFiles(Json& document, const char* role, Json& sources)
{
    Json files = takeMember(document, role);
    if (!files.is_null() && !files.is_array())
        return fmt::format("{} is not a list", role);
    bool isFirst = true;
    for (Json& file : files) {
        if (!file.is_object())
            return fmt::format("{} has an entry that is not an object", role);
        file["role"] = role;
        if (std::exchange(isFirst, false))
            file["shown"] = true;
        sources.push_back(std::move(file));
    }
    return {};
}

/// Moves the offsets, which version 1 stored in seconds by file name, to the files with that name, in
/// nanoseconds.
std::string moveOffsets(Json& document, Json& sources)
{
    constexpr double kMaxSeconds = 9e9; // more does not fit in 64 bits
    const Json offsets = takeMember(document, "offsets_s");
    if (!offsets.is_null() && !offsets.is_object())
        return "offsets_s is not an object";
    std::multimap<std::string, Json*> byName;
    for (Json& source : sources)
        if (const auto path = source.find("path"); path != source.end() && path->is_string())
            byName.emplace(fileName(path->get<std::string>()), &source);
    for (const auto& [name, seconds] : offsets.items()) {
        if (!seconds.is_number() || !(std::abs(seconds.get<double>()) <= kMaxSeconds))
            return "offsets_s has an entry that is not a number of seconds";
        for (auto [entry, end] = byName.equal_range(name); entry != end; ++entry)
            (*entry->second)["offset_ns"] = std::llround(seconds.get<double>() * 1e9);
    }
    return {};
}

std::string upgradeFrom1(Json& document)
{
    Json sources = Json::array();
    for (const char* role : {"before", "after"})
        if (std::string problem = moveFiles(document, role, sources); !problem.empty())
            return problem;
    if (std::string problem = moveOffsets(document, sources); !problem.empty())
        return problem;
    document["sources"] = std::move(sources);
    const Json view = takeMember(document, "view");
    if (!view.is_null() && !view.is_string())
        return "view is not a string";
    if (view.is_string())
        document["view"] = Json{{"open", view}};
    return {};
}

constexpr std::array<Upgrade, kWorkspaceVersion - 1> kUpgrades{upgradeFrom1};

} // namespace

Result<nlohmann::json> upgradedWorkspace(nlohmann::json document, std::int64_t version)
{
    for (; version < kWorkspaceVersion; ++version) {
        const std::string problem = kUpgrades[static_cast<std::size_t>(version - 1)](document);
        if (!problem.empty())
            return fail(
                ErrorCode::Malformed, fmt::format("the workspace (version {}): {}", version, problem));
        document["version"] = version + 1;
    }
    return document;
}

} // namespace highwater
