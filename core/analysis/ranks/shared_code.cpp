#include "core/analysis/ranks/shared_code.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// With fewer ranks, a rank that shares no code with the others does not show which one is unrelated.
constexpr std::size_t kFewestRanksToCompare = 3;

/// Returns "forward (model.py)" for "forward (/data/venv/model.py:39)". Returns a site without a file
/// unchanged, and an empty text for a site without a stack.
std::string codePlaceOf(std::string_view site)
{
    if (site.starts_with("(no stack"))
        return {};
    const std::size_t open = site.rfind(" (");
    if (open == std::string_view::npos || !site.ends_with(')'))
        return std::string(site);
    const std::string_view name = sourceFileName(site.substr(open + 2, site.size() - open - 3));
    return fmt::format("{} ({})", site.substr(0, open), name.substr(0, name.rfind(':')));
}

/// Returns the functions that have memory at the peak, as `codePlaceOf` names them.
std::set<std::string> codeOf(const RankFile& rank)
{
    std::set<std::string> code;
    for (const auto& [key, bytes] : rank.mainDevice()->peakSites)
        code.insert(codePlaceOf(key));
    code.erase("");
    return code;
}

} // namespace

std::vector<SharedCode> compareCode(const std::vector<const RankFile*>& ranks)
{
    std::vector<SharedCode> results(ranks.size(), SharedCode::Some);
    if (ranks.size() < kFewestRanksToCompare)
        return results;
    std::vector<std::set<std::string>> code;
    std::unordered_map<std::string, std::uint32_t> ranksWithPlace; // number of ranks that have the place
    for (const RankFile* rank : ranks) {
        code.push_back(codeOf(*rank));
        for (const std::string& place : code.back())
            ++ranksWithPlace[place];
    }
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (code[i].empty() && !ranksWithPlace.empty())
            results[i] = SharedCode::NotRecorded;
        else if (!code[i].empty() && std::ranges::none_of(code[i], [&](const std::string& place) {
                     return ranksWithPlace[place] > 1;
                 }))
            results[i] = SharedCode::Other;
    // If at least half of the ranks share nothing, the files simply have nothing in common.
    const auto unshared = static_cast<std::size_t>(std::ranges::count(results, SharedCode::Other));
    if (unshared * 2 >= ranks.size())
        std::ranges::replace(results, SharedCode::Other, SharedCode::Some);
    return results;
}

} // namespace highwater
