#include "core/analysis/ranks/rank_table.h"

#include <algorithm>
#include <cstdlib>

namespace highwater {

const RankDevice* RankTable::deviceOf(const RankRow& row) const
{
    return row.device == RankRow::kNone ? nullptr : &files[row.file]->devices[row.device];
}

std::size_t RankTable::mainRow(std::size_t file) const
{
    const auto row
        = std::ranges::find_if(rows, [&](const RankRow& candidate) { return candidate.file == file; });
    return static_cast<std::size_t>(row - rows.begin());
}

std::optional<SiteDifference> largestSiteDifference(const RankDevice& device, const RankDevice& other)
{
    std::optional<SiteDifference> largest;
    const auto keepIfLarger = [&](const std::string& key, Bytes bytes) {
        if (bytes != 0 && (!largest || std::abs(bytes) > std::abs(largest->bytes)))
            largest = {key, bytes};
    };
    auto a = device.peakSites.begin();
    auto b = other.peakSites.begin();
    while (a != device.peakSites.end() || b != other.peakSites.end()) {
        const bool takeA
            = b == other.peakSites.end() || (a != device.peakSites.end() && a->first <= b->first);
        const bool takeB
            = a == device.peakSites.end() || (b != other.peakSites.end() && b->first <= a->first);
        keepIfLarger(takeA ? a->first : b->first, (takeA ? a->second : 0) - (takeB ? b->second : 0));
        a += takeA;
        b += takeB;
    }
    return largest;
}

std::optional<CommonFactor> commonFactor(const RankDevice& device, const RankDevice& other)
{
    constexpr std::size_t fewestSites = 3;
    constexpr double tolerance = 0.02;
    struct Grown
    {
        double factor;
        Bytes difference;
    };
    std::vector<Grown> grown;
    auto b = other.peakSites.begin();
    for (const auto& [key, bytes] : device.peakSites) {
        b = std::find_if(
            b, other.peakSites.end(), [&wanted = key](const auto& site) { return site.first >= wanted; });
        if (b != other.peakSites.end() && b->first == key && b->second > 0 && bytes > b->second)
            grown.push_back({static_cast<double>(bytes) / static_cast<double>(b->second), bytes - b->second});
    }
    std::optional<CommonFactor> best;
    for (const Grown& candidate : grown) {
        CommonFactor common{candidate.factor, 0, 0};
        for (const Grown& site : grown)
            if (std::abs(site.factor - candidate.factor) <= tolerance * candidate.factor) {
                ++common.sites;
                common.difference += site.difference;
            }
        if (!best || common.difference > best->difference)
            best = common;
    }
    const Bytes distance = device.peakBytes - other.peakBytes;
    return best && best->sites >= fewestSites && best->difference * 2 >= distance ? best : std::nullopt;
}

bool hasOverlappingTimes(const RankTable& table)
{
    Nanoseconds begin = std::numeric_limits<Nanoseconds>::min();
    Nanoseconds end = std::numeric_limits<Nanoseconds>::max();
    std::size_t ranks = 0;
    for (const auto& file : table.files) {
        const RankDevice* device = file->mainDevice();
        if (!device)
            continue;
        if (device->outline.byTime.empty())
            return false;
        begin = std::max(begin, device->outline.begin);
        end = std::min(end, device->outline.end);
        ++ranks;
    }
    return ranks > 0 && begin < end;
}

} // namespace highwater
