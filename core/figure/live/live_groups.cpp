#include "core/figure/live/live_groups.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/analysis/composition/band_stack.h"
#include "core/analysis/stacks/frame_folding.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/band_colors.h"

namespace highwater {

namespace {

/// Number of call sites that are groups of their own: the largest by bytes at the peak, and by bytes × events
/// over the whole recording.
constexpr std::size_t kLargestAtPeak = 36;
constexpr std::size_t kLargestOverall = 20;
constexpr std::size_t kMaxFrames = 12;

std::string placeText(const Trace& trace, const Frame& frame)
{
    return codePlaceText(trace.text(frame.function), trace.text(frame.file), frame.line);
}

/// True for a frame that only passes a call on.
bool isWrapper(const Trace& trace, FrameId id)
{
    const Frame& frame = trace.stacks.frame(id);
    return isCallWrapper(trace.text(frame.function), trace.text(frame.file));
}

/// Returns the frames of a stack as texts: only Python frames if there are any, since the C++ frames below
/// them show how memory was allocated, not where.
std::vector<std::string> stackTexts(const Trace& trace, StackId stack)
{
    if (!trace.stacks.hasFrames(stack))
        return {};
    const std::vector<FrameId> frames = trace.stacks.frames(stack);
    const auto isPython = [&](FrameId id) { return trace.stacks.frame(id).kind == FrameKind::Python; };
    const bool anyPython = std::ranges::any_of(frames, isPython);
    std::vector<std::string> texts;
    std::size_t omittedFrames = 0;
    for (const FrameId id : frames) {
        if (anyPython && (!isPython(id) || isWrapper(trace, id)))
            continue;
        if (texts.size() < kMaxFrames)
            texts.push_back(placeText(trace, trace.stacks.frame(id)));
        else
            ++omittedFrames;
    }
    if (omittedFrames > 0)
        texts.push_back(fmt::format("{} more", formatCount(omittedFrames)));
    return texts;
}

/// Returns bytes × events of each band; kept memory has bands of its own.
std::vector<double> areasOf(const AllocationTable& table, const BandGroups& bands)
{
    std::vector<double> areas(bands.groups.size(), 0);
    const auto events = static_cast<std::int32_t>(table.eventCount());
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        const std::int32_t birth = table.birth(i);
        const std::int32_t death = std::min(table.death(i), events);
        const std::int32_t keptFrom = bands.keptBlocks
            ? std::clamp(bands.keptBlocks->keptSince(i), birth, std::max(birth, death))
            : death;
        const auto bytes = static_cast<double>(table.bytes(i));
        areas[bands.rank(i)] += bytes * (keptFrom - birth);
        if (keptFrom < death)
            areas[bands.keptRankOf[bands.rank(i)]] += bytes * (death - keptFrom);
    }
    return areas;
}

/// Returns for each band whether it is a group of its own.
std::vector<bool> ownBands(const BandGroups& bands, const std::vector<double>& areas)
{
    std::vector<bool> isOwn(bands.groups.size(), false);
    std::vector<std::size_t> order(bands.groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, std::greater<>(), [&](std::size_t i) { return bands.groups[i].bytesAtPeak; });
    for (std::size_t i = 0; i < std::min(order.size(), kLargestAtPeak); ++i)
        isOwn[order[i]] = bands.groups[order[i]].bytesAtPeak > 0;
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return areas[i]; });
    for (std::size_t i = 0; i < std::min(order.size(), kLargestOverall); ++i)
        isOwn[order[i]] = true;
    // All bands of a call site are included, so that its sum is complete.
    std::set<std::string> keys;
    for (std::size_t i = 0; i < isOwn.size(); ++i)
        if (isOwn[i])
            keys.insert(bands.groups[i].key);
    for (std::size_t i = 0; i < isOwn.size(); ++i)
        isOwn[i] = keys.contains(bands.groups[i].key);
    return isOwn;
}

/// Sets the stack of each group of one call site to that of its largest allocation, preferably one that is
/// live at the peak.
void addStacks(LiveGroups& groups, const DeviceStudy& study)
{
    struct Example
    {
        AllocationIndex allocation = AllocationTable::kNoAllocation;
        bool atPeak = false;
        Bytes bytes = -1;
    };
    std::vector<Example> examples(groups.groups.size());
    const std::int64_t peak = study.curve.peak().event;
    const AllocationTable& table = study.allocations;
    const auto offer = [&](GroupRank rank, AllocationIndex i, bool atPeak) {
        Example& example = examples[rank];
        if (std::pair(atPeak, table.bytes(i)) > std::pair(example.atPeak, example.bytes))
            example = {i, atPeak, table.bytes(i)};
    };
    for (AllocationIndex i = 0; i < table.size(); ++i) {
        const bool atPeak = table.isLiveAt(i, peak);
        const bool isKept = groups.keptFrom(i) <= peak;
        offer(groups.rank(i), i, atPeak && !isKept);
        if (groups.keptFrom(i) != KeptBlocks::kNever)
            offer(groups.keptRank(i), i, atPeak && isKept);
    }
    for (std::size_t rank = 0; rank < examples.size(); ++rank)
        if (examples[rank].allocation != AllocationTable::kNoAllocation && !groups.groups[rank].key.empty())
            groups.groups[rank].stack = stackTexts(study.trace, table.stack(examples[rank].allocation));
}

/// Makes a group of one band. Unless `isOwn`, it has neither label nor key, since other bands are to join it.
LiveGroup groupOf(const BandGroup& band, const GuessedCategories& guessed, ThemedColor color, bool isOwn)
{
    const Category category = band.category.value_or(Category::Unknown);
    return {.label = isOwn ? band.label : std::string(),
        .key = isOwn ? band.key : std::string(),
        .category = std::string(titleOf(category)),
        .isGuess = guessed[static_cast<std::size_t>(category)],
        .color = color,
        .isKept = band.isKept,
        .bytesAtPeak = band.bytesAtPeak};
}

} // namespace

LiveGroups liveGroups(const DeviceStudy& study, const LiveIndex& live)
{
    const std::int64_t peak = study.curve.peak().event;
    const BandGroups sites = groupBands(study.trace, live, study.sites, peak, BandMode::Site);
    LiveGroups result;
    result.bands = stackBands(study, live, sites,
        std::make_shared<const KeptBlocks>(study.allocations, study.phases, study.steps, study.categories),
        peak, BandMode::Site);
    const std::vector<bool> isOwn = ownBands(result.bands, areasOf(study.allocations, result.bands));
    const std::vector<ThemedColor> colors = siteBandColors(study, live, sites, result.bands);
    std::map<std::pair<Category, bool>, GroupRank> rankOfRest;
    for (std::size_t band = 0; band < isOwn.size(); ++band) {
        const BandGroup& source = result.bands.groups[band];
        const auto next = static_cast<GroupRank>(result.groups.size());
        const GroupRank rank = isOwn[band]
            ? next
            : rankOfRest.try_emplace({source.category.value_or(Category::Unknown), source.isKept}, next)
                  .first->second;
        result.groupOfBand.push_back(rank);
        if (rank == next) {
            result.groups.push_back(groupOf(source, study.guessed, colors[band], isOwn[band]));
            continue;
        }
        result.groups[rank].bytesAtPeak += source.bytesAtPeak;
        ++result.groups[rank].siteCount;
    }
    for (LiveGroup& group : result.groups)
        if (group.key.empty())
            group.label = fmt::format(
                "{} of {}", counted(group.siteCount, "other call site", "other call sites"), group.category);
    addStacks(result, study);
    return result;
}

} // namespace highwater
