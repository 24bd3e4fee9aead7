#include "core/analysis/composition/band_groups.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/composition/module_groups.h"
#include "core/analysis/modules/module_table.h"
#include "core/analysis/usage/pool_names.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, kBandModeCount> kModeNames
    = {"allocations", "site", "size", "stream", "pool", "category", "step", "module"};
constexpr std::size_t kMaxGroups = 4096;
/// Depth of the modules shown: the model, and the modules that its forward calls.
constexpr int kModuleDepth = 2;

/// Formats 2^exponent, also where that is more than `Bytes` can hold.
std::string powerOfTwo(int exponent)
{
    static constexpr std::array<std::string_view, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return fmt::format("{} {}", 1 << exponent % 10, units[static_cast<std::size_t>(exponent / 10)]);
}

/// Returns the number of bits of the size, so that class n has sizes from 2^(n − 1) up to, but without, 2^n.
int sizeClass(Bytes bytes)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
}

std::string sizeClassText(int bits)
{
    return bits == 0 ? "0 B" : fmt::format("{} to {}", powerOfTwo(bits - 1), powerOfTwo(bits));
}

/// The property by which a mode groups allocations: its value as a number, and the description of a value.
class Property
{
public:
    Property(const Trace& trace, const AllocationTable& allocations, const CallSites& sites, BandMode mode,
        const CategoryTable* categories, const StepTable* steps)
        : m_trace(trace)
        , m_allocations(allocations)
        , m_sites(sites)
        , m_mode(mode)
        , m_categories(categories)
        , m_steps(steps)
    {
        if (mode == BandMode::Module)
            m_modules = std::make_unique<ModuleTable>(trace, allocations, sites);
        if (mode == BandMode::Pool)
            m_pools = std::make_unique<PoolNames>(allocations);
    }

    std::uint32_t valueOf(AllocationIndex i) const
    {
        switch (m_mode) {
        case BandMode::Site: return m_sites.of(i).value();
        case BandMode::SizeClass: return static_cast<std::uint32_t>(sizeClass(m_allocations.bytes(i)));
        case BandMode::Stream: return m_allocations.stream(i).value();
        case BandMode::Pool: return m_allocations.pool(i).value();
        case BandMode::Category:
            return static_cast<std::uint32_t>(m_categories ? m_categories->of(i) : Category::Unknown);
        case BandMode::Step: return stepOf(i);
        case BandMode::Module: return moduleOf(i);
        case BandMode::Allocations: break;
        }
        return 0;
    }

    /// True unless the stream or pool is missing. The IDs of all modes use the same value for a missing one.
    static bool isRecorded(std::uint32_t value) { return !StreamId(value).isNone(); }

    BandGroup describe(std::uint32_t value) const
    {
        switch (m_mode) {
        case BandMode::Site: {
            const CallSite& site = m_sites.site(SiteId(value));
            BandGroup group = makeGroup(site.key, site.kind == SiteKind::NoStack);
            group.label = site.label;
            return group;
        }
        case BandMode::SizeClass: return makeGroup(sizeClassText(static_cast<int>(value)), false);
        case BandMode::Stream:
            return makeGroup(m_trace.streamLabel(StreamId(value)), StreamId(value).isNone());
        case BandMode::Pool: return makeGroup(m_pools->label(PoolId(value)), PoolId(value).isNone());
        case BandMode::Category: return categoryGroup(static_cast<Category>(value));
        case BandMode::Step: return stepGroup(value);
        case BandMode::Module: return moduleGroup(value);
        case BandMode::Allocations: break;
        }
        return makeGroup("allocations", false);
    }

    /// `distinguishModules` of the groups with these values; nothing in other modes.
    void distinguish(const std::vector<std::uint32_t>& values, std::vector<BandGroup>& groups) const
    {
        if (m_modules)
            distinguishModules(*m_modules, values, groups);
    }

private:
    static BandGroup makeGroup(std::string text, bool isUnnamed)
    {
        BandGroup group;
        group.key = text;
        group.label = std::move(text);
        group.isUnnamed = isUnnamed;
        return group;
    }

    static BandGroup categoryGroup(Category category)
    {
        BandGroup group = makeGroup(std::string(toText(category)), isUncategorized(category));
        group.label = titleOf(category);
        group.category = category;
        return group;
    }

    /// Returns 0 for allocations before the recording or in no known step.
    std::uint32_t stepOf(AllocationIndex i) const
    {
        const std::optional<std::size_t> step
            = m_steps && m_allocations.birth(i) >= 0 ? m_steps->stepOf(m_allocations.birth(i)) : std::nullopt;
        return step ? static_cast<std::uint32_t>(*step) + 1 : 0;
    }

    BandGroup stepGroup(std::uint32_t value) const
    {
        BandGroup group
            = makeGroup(value > 0 ? m_steps->steps[value - 1].name : "before recording", value == 0);
        group.key = fmt::format("{:010}", value);
        return group;
    }

    /// Returns the number of a module, or one of the numbers behind them for each reason why there is none.
    std::uint32_t moduleOf(AllocationIndex i) const
    {
        const ModuleId module = m_modules->outer(m_modules->of(i), kModuleDepth);
        return module.isNone()
            ? static_cast<std::uint32_t>(m_modules->size()) + static_cast<std::uint32_t>(m_modules->reason(i))
            : module.value();
    }

    BandGroup moduleGroup(std::uint32_t value) const
    {
        if (value >= m_modules->size())
            return makeGroup(std::string(titleOf(static_cast<NoModule>(value - m_modules->size()))), true);
        const ModuleId module(value);
        BandGroup group = makeGroup(m_modules->path(module), false);
        group.family = m_modules->family(module);
        group.label = m_modules->shortPath(module);
        return group;
    }

    const Trace& m_trace;
    const AllocationTable& m_allocations;
    const CallSites& m_sites;
    BandMode m_mode;
    const CategoryTable* m_categories;
    const StepTable* m_steps;
    std::unique_ptr<const ModuleTable> m_modules; ///< only in mode Module
    std::unique_ptr<const PoolNames> m_pools; ///< only in mode Pool
};

/// Returns an upper bound of the number of values, from the tables alone, without reading any allocation.
std::size_t countKnownValues(const Trace& trace, const CallSites& sites, BandMode mode,
    const CategoryTable* categories, const StepTable* steps)
{
    switch (mode) {
    case BandMode::Site: return sites.size();
    case BandMode::Stream: return trace.streams.size();
    case BandMode::Pool: return trace.pools.size();
    case BandMode::SizeClass: return std::numeric_limits<Bytes>::digits;
    case BandMode::Category: return categories ? kCategoryCount : 1;
    case BandMode::Step: return steps && steps->source != StepSource::Whole ? steps->steps.size() : 1;
    case BandMode::Module:
    case BandMode::Allocations: break;
    }
    return 1;
}

/// True if the property has two recorded values; stops at the second.
bool hasTwoValues(const Property& property, std::size_t allocations)
{
    std::optional<std::uint32_t> first;
    for (AllocationIndex i = 0; i < allocations; ++i) {
        const std::uint32_t value = property.valueOf(i);
        if (!Property::isRecorded(value))
            continue;
        if (first.value_or(value) != value)
            return true;
        first = value;
    }
    return false;
}

/// A value of the property. There may be a million, so only the largest get a text.
struct FoundGroup
{
    std::uint32_t value = 0;
    Bytes bytesAtPeak = 0;
};

struct FoundGroups
{
    std::vector<FoundGroup> groups; ///< in order of appearance
    std::vector<std::uint32_t> indexOf; ///< by allocation
};

FoundGroups findGroups(const Property& property, std::size_t allocations)
{
    constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    FoundGroups found;
    std::vector<std::uint32_t> indices; // by value + 1, as values are IDs; 0 is for "not recorded"
    found.indexOf.reserve(allocations);
    for (AllocationIndex i = 0; i < allocations; ++i) {
        const std::uint32_t value = property.valueOf(i);
        const std::size_t place = Property::isRecorded(value) ? value + std::size_t{1} : 0;
        if (place >= indices.size())
            indices.resize(place + 1, kUnseen);
        if (indices[place] == kUnseen) {
            indices[place] = static_cast<std::uint32_t>(found.groups.size());
            found.groups.push_back({value});
        }
        found.indexOf.push_back(indices[place]);
    }
    return found;
}

/// Chooses the groups that get a rank of their own. If there are more groups than ranks, these are the groups
/// that are largest at the peak (the first to appear among equal ones), or in mode Step the first steps.
std::vector<std::uint32_t> chooseCandidates(const std::vector<FoundGroup>& groups, BandMode mode)
{
    std::vector<std::uint32_t> chosen(groups.size());
    std::iota(chosen.begin(), chosen.end(), 0u);
    if (groups.size() <= kMaxGroups)
        return chosen;
    const auto isFirst = [&](std::uint32_t a, std::uint32_t b) {
        if (mode == BandMode::Step)
            return groups[a].value < groups[b].value;
        return groups[a].bytesAtPeak != groups[b].bytesAtPeak ? groups[a].bytesAtPeak > groups[b].bytesAtPeak
                                                              : a < b;
    };
    std::ranges::nth_element(chosen, chosen.begin() + kMaxGroups, isFirst);
    chosen.resize(kMaxGroups);
    return chosen;
}

/// Returns the place of each category in the stack.
std::array<std::size_t, kCategoryCount> categoryPlaces(const std::vector<BandGroup>& groups)
{
    CategoryBytes bytes{};
    for (const BandGroup& group : groups)
        bytes[static_cast<std::size_t>(categoryFromText(group.key).value_or(Category::Unknown))]
            += group.bytesAtPeak;
    std::array<std::size_t, kCategoryCount> places{};
    std::size_t next = 0;
    for (const Category category : stackingOrder(bytes))
        places[static_cast<std::size_t>(category)] = next++;
    return places;
}

/// Returns the order of the groups from the bottom.
std::vector<std::uint32_t> orderGroups(const std::vector<BandGroup>& groups, BandMode mode)
{
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    if (mode == BandMode::Category) {
        const auto places = categoryPlaces(groups);
        std::ranges::sort(order, {}, [&](std::uint32_t i) {
            return places[static_cast<std::size_t>(
                categoryFromText(groups[i].key).value_or(Category::Unknown))];
        });
        return order;
    }
    if (mode == BandMode::Step) {
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return groups[i].key; });
        return order;
    }
    if (mode == BandMode::Module) {
        std::map<std::string, Bytes> bytes;
        for (const BandGroup& group : groups)
            bytes[group.family] += group.bytesAtPeak;
        std::ranges::stable_sort(order, {},
            [&](std::uint32_t i) { return std::pair(-bytes.at(groups[i].family), groups[i].family); });
        return order;
    }
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        return groups[a].bytesAtPeak != groups[b].bytesAtPeak ? groups[a].bytesAtPeak > groups[b].bytesAtPeak
                                                              : groups[a].key < groups[b].key;
    });
    return order;
}

/// Gives each group its rank; groups beyond the limit share the last rank.
BandGroups rankGroups(const FoundGroups& found, const Property& property, BandMode mode)
{
    BandGroups result;
    result.mode = mode;
    const std::vector<std::uint32_t> candidates = chooseCandidates(found.groups, mode);
    std::vector<BandGroup> described;
    std::vector<std::uint32_t> values;
    Bytes otherBytes = 0;
    for (const FoundGroup& group : found.groups)
        otherBytes += group.bytesAtPeak;
    for (const std::uint32_t index : candidates) {
        values.push_back(found.groups[index].value);
        described.push_back(property.describe(values.back()));
        described.back().bytesAtPeak = found.groups[index].bytesAtPeak;
        otherBytes -= found.groups[index].bytesAtPeak;
    }
    property.distinguish(values, described);
    std::vector<GroupRank> rankOfIndex(found.groups.size(), static_cast<GroupRank>(kMaxGroups - 1));
    for (const std::uint32_t place : orderGroups(described, mode)) {
        rankOfIndex[candidates[place]] = static_cast<GroupRank>(result.groups.size());
        result.groups.push_back(std::move(described[place]));
    }
    if (candidates.size() < found.groups.size()) {
        result.groups.back().key = result.groups.back().label
            = mode == BandMode::Step ? "all later steps" : "all smaller groups";
        result.groups.back().bytesAtPeak += otherBytes;
    }
    if (result.groups.size() < 2)
        return result;
    result.rankOf.reserve(found.indexOf.size());
    for (const std::uint32_t index : found.indexOf)
        result.rankOf.push_back(rankOfIndex[index]);
    return result;
}

} // namespace

std::string_view toText(BandMode mode)
{
    return kModeNames[static_cast<std::size_t>(mode)];
}

std::optional<BandMode> bandModeFromText(std::string_view text)
{
    return valueNamed<BandMode>(kModeNames, text);
}

BandGroups groupBands(const Trace& trace, const LiveIndex& live, const CallSites& sites,
    std::int64_t peakEvent, BandMode mode, const CategoryTable* categories, const StepTable* steps)
{
    const AllocationTable& allocations = live.allocations();
    const Property property(trace, allocations, sites, mode, categories, steps);
    FoundGroups found = findGroups(property, mode == BandMode::Allocations ? 0 : allocations.size());
    if (mode == BandMode::Allocations)
        found.groups.push_back({0});
    std::vector<AllocationIndex> atPeak;
    live.liveAt(peakEvent, atPeak);
    for (const AllocationIndex i : atPeak)
        found.groups[found.indexOf.empty() ? 0 : found.indexOf[i]].bytesAtPeak += allocations.bytes(i);
    return rankGroups(found, property, mode);
}

std::vector<BandMode> usefulBandModes(const Trace& trace, const LiveIndex& live, const CallSites& sites,
    const CategoryTable* categories, const StepTable* steps)
{
    std::vector<BandMode> modes = {BandMode::Allocations};
    const std::size_t count = live.allocations().size();
    for (const BandMode mode : {BandMode::Category, BandMode::Site, BandMode::Step, BandMode::SizeClass,
             BandMode::Stream, BandMode::Pool})
        if (countKnownValues(trace, sites, mode, categories, steps) > 1
            && hasTwoValues(Property(trace, live.allocations(), sites, mode, categories, steps), count))
            modes.push_back(mode);
    if (callsModules(trace))
        modes.push_back(BandMode::Module);
    return modes;
}

} // namespace highwater
