#include "core/analysis/detectors/worth_reporting.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::int64_t kPeakDivisor = 100;
constexpr Bytes kLeastBytes = 64 * kMiB;
constexpr std::size_t kPlacesNamed = 3;

} // namespace

bool isWorthReporting(const DetectorInput& input, Bytes bytes)
{
    return bytes > 0 && (bytes >= kLeastBytes || bytes >= input.figures.peakBytes / kPeakDivisor);
}

BlocksBySize sizesOf(const DeviceStudy& study, Category category)
{
    BlocksBySize sizes;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (study.categories.of(i) == category)
            ++sizes[study.allocations.recordedBytes(i)];
    return sizes;
}

Bytes bytesOf(const AllocationTable& allocations, const std::vector<AllocationIndex>& blocks)
{
    Bytes sum = 0;
    for (const AllocationIndex i : blocks)
        sum += allocations.bytes(i);
    return sum;
}

std::string placesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks)
{
    NumberMap<std::uint32_t, Bytes> bytesOfSite;
    for (const AllocationIndex i : blocks)
        bytesOfSite[study.sites.of(i).value()] += study.allocations.bytes(i);
    std::map<std::string, Bytes> bytesOfLabel;
    for (const auto& [site, bytes] : bytesOfSite)
        bytesOfLabel[study.sites.site(SiteId(site)).label] += bytes;
    std::vector<std::pair<Bytes, std::string>> places;
    for (const auto& [label, bytes] : bytesOfLabel)
        places.emplace_back(-bytes, label);
    std::ranges::sort(places);
    std::string text;
    for (std::size_t i = 0; i < places.size() && i < kPlacesNamed; ++i)
        text += (i == 0 ? "" : ", ") + places[i].second;
    return places.size() > kPlacesNamed ? text + ", …" : text;
}

std::string blocksText(std::size_t count)
{
    return counted(count, "block", "blocks");
}

const CompositionGroup* largestGroupWithSite(const DeviceStudy& study, const Composition& bySite)
{
    const auto found = std::ranges::find_if(bySite.groups, [&](const CompositionGroup& group) {
        const SiteId site = study.sites.of(group.example);
        return study.sites.kind(site) != SiteKind::NoStack && !study.sites.isFreed(site);
    });
    return found == bySite.groups.end() || found->bytes * 20 < bySite.bytes ? nullptr : &*found;
}

} // namespace highwater
