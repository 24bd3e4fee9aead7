#include "core/study/outcome/unrelated_runs.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace highwater {

namespace {

/// Runs with fewer sizes may differ in all of them by chance.
constexpr std::size_t kLeastSizes = 8;

/// Returns the places of the call sites in the user's code.
std::set<std::uint32_t> userPlaces(const DeviceStudy& study, const StackClasses::Numbers& places)
{
    std::set<std::uint32_t> found;
    for (std::size_t i = 0; i < study.sites.size(); ++i)
        if (study.sites.kind(SiteId(i)) == SiteKind::User)
            found.insert(places[study.sites.frame(SiteId(i)).index()]);
    return found;
}

std::set<Bytes> sizesOf(const AllocationTable& allocations)
{
    std::set<Bytes> sizes;
    for (std::size_t i = 0; i < allocations.size(); ++i)
        sizes.insert(allocations.bytes(static_cast<AllocationIndex>(i)));
    return sizes;
}

template <typename Key>
bool haveCommon(const std::set<Key>& a, const std::set<Key>& b)
{
    return std::ranges::any_of(a, [&b](const Key& key) { return b.contains(key); });
}

/// Returns the sentence; `nothing` is what the runs do not share.
std::string unrelatedSentence(std::string_view nothing)
{
    return fmt::format(
        "No {} is in both runs, so neither is a version of the other; only their totals compare.", nothing);
}

} // namespace

std::string unrelatedText(const DeviceStudy& before, const DeviceStudy& after, const StackClasses& classes)
{
    const std::set<std::uint32_t> placesBefore = userPlaces(before, classes.before.place);
    const std::set<std::uint32_t> placesAfter = userPlaces(after, classes.after.place);
    if (!placesBefore.empty() && !placesAfter.empty())
        return haveCommon(placesBefore, placesAfter)
                || haveCommon(userPlaces(before, classes.before.ownPlaces()),
                    userPlaces(after, classes.after.ownPlaces()))
            ? ""
            : unrelatedSentence("call site");
    const std::set<Bytes> sizesBefore = sizesOf(before.allocations);
    const std::set<Bytes> sizesAfter = sizesOf(after.allocations);
    return std::min(sizesBefore.size(), sizesAfter.size()) < kLeastSizes
            || haveCommon(sizesBefore, sizesAfter)
        ? ""
        : unrelatedSentence("allocation size");
}

} // namespace highwater
