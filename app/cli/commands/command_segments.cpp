#include "app/cli/commands/commands.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/file_answers.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/loading/device_choice.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/device/skipped_actions.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/segment_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string_view toText(SegmentType type)
{
    return type == SegmentType::Small ? "small" : type == SegmentType::Large ? "large" : "unknown";
}

/// Returns the pool's id as in the file; null if the file does not name the pool.
Json poolIdJson(const Trace& trace, PoolId pool)
{
    if (pool.isNone())
        return nullptr;
    return {trace.pools[pool.index()].first, trace.pools[pool.index()].second};
}

std::vector<std::string> skippedNames(const Trace& trace, DeviceIndex device)
{
    std::vector<std::string> names;
    for (const Action action : skippedActions(trace, device))
        names.emplace_back(trace.actionName(action));
    return names;
}

std::int64_t segmentEvents(const Trace& trace, DeviceIndex device)
{
    const RowRange rows = trace.devices[device].events;
    return std::count_if(trace.events.action.begin() + rows.first, trace.events.action.begin() + rows.last,
        [](Action action) { return isReserve(action) || isRelease(action); });
}

Json listJson(const Trace& trace, const FreeListFigures& list)
{
    return {{"pool", trace.poolLabel(list.key.pool)}, {"pool_id", poolIdJson(trace, list.key.pool)},
        {"pool_recorded", !list.key.pool.isNone()}, {"stream", trace.streamLabel(list.key.stream)},
        {"size_class", toText(list.key.type)}, {"segments", list.segments},
        {"reserved_bytes", list.reservedBytes}, {"active_bytes", list.activeBytes},
        {"pending_free_bytes", list.pendingBytes}, {"free_bytes", list.freeBytes}, {"holes", list.holes},
        {"largest_free_bytes", list.largestFree}, {"unused_segments", list.unusedSegments},
        {"unused_bytes", list.unusedBytes}};
}

/// Returns the Python frames, innermost first.
Json stackJson(const Trace& trace, StackId stack)
{
    Json frames = Json::array();
    for (const FrameId id : trace.stacks.frames(stack))
        if (const Frame& frame = trace.stacks.frame(id); frame.kind == FrameKind::Python)
            frames.push_back({{"function", trace.text(frame.function)}, {"file", trace.text(frame.file)},
                {"line", frame.line}});
    return frames;
}

Json verdictJson(const Trace& trace, const std::optional<OomVerdict>& verdict)
{
    if (!verdict)
        return nullptr;
    Json json = {{"verdict", highwater::toText(verdict->cause)}, {"sentence", sentenceOf(trace, *verdict)},
        {"requested_bytes", verdict->requestedBytes}, {"device_free_bytes", verdict->deviceFreeBytes},
        {"pool", trace.poolLabel(verdict->key.pool)}, {"pool_id", poolIdJson(trace, verdict->key.pool)},
        {"pool_recorded", !verdict->key.pool.isNone()}, {"stream", trace.streamLabel(verdict->key.stream)},
        {"size_class", toText(verdict->key.type)}, {"serving_free_bytes", verdict->servingFreeBytes},
        {"serving_holes", verdict->servingHoles}, {"serving_largest_free_bytes", verdict->servingLargestFree},
        {"reachable_bytes", verdict->reachableBytes()}, {"missing_bytes", verdict->missingBytes},
        {"nearly_full", verdict->isNearlyFull()}, {"cheapest_run", nullptr},
        {"segment_bytes", verdict->segmentBytes}, {"limit_bytes", orNull(verdict->limit)},
        {"wanted_by", stackJson(trace, verdict->stack)}};
    if (const auto& run = verdict->cheapest)
        json["cheapest_run"]
            = {{"bytes_in_the_way", run->bytesInTheWay}, {"blocks_in_the_way", run->blocksInTheWay}};
    return json;
}

Json pinnedJson(const AllocatorMoment& answer, const AllocationTable& allocations, const CallSites& sites,
    std::size_t top)
{
    Json rows = Json::array();
    for (const PinnedSegment& pinned : answer.figures.pinned) {
        if (top != 0 && rows.size() == top)
            break;
        const SegmentAt& segment = answer.state.segments[pinned.segment];
        rows.push_back({{"address", segment.range.begin}, {"bytes", segment.range.size},
            {"free_bytes", segment.freeBytes}, {"live_bytes", segment.liveBytes()},
            {"live_blocks", pinned.liveBlocks}, {"oldest_alloc_event", allocations.birth(pinned.oldest)},
            {"oldest_site", sites.site(sites.of(pinned.oldest)).key},
            {"largest_site", sites.site(sites.of(pinned.largest)).key}});
    }
    return rows;
}

Json holesJson(const SegmentState& state, const std::vector<FreeBlockOrigin>& holes,
    const AllocationTable& allocations, const CallSites& sites)
{
    Json rows = Json::array();
    for (const FreeBlockOrigin& hole : holes) {
        const BlockAt& block = state.blocks[hole.block];
        const bool wasFreed = hole.freed != AllocationTable::kNoAllocation;
        const AllocationIndex pin = hole.pin(allocations);
        const bool isPinned = pin != AllocationTable::kNoAllocation;
        rows.push_back({{"address", block.address}, {"bytes", block.size},
            {"segment_bytes", state.segments[hole.segment].range.size},
            {"freed_event", wasFreed ? Json(hole.freedAt) : Json()},
            {"pinned_by_site", isPinned ? Json(sites.site(sites.of(pin)).key) : Json()},
            {"pinned_by_bytes", isPinned ? Json(allocations.bytes(pin)) : Json()},
            {"pinned_since_event", isPinned ? Json(allocations.birth(pin)) : Json()}});
    }
    return rows;
}

Json answerJson(const Trace& trace, const AllocatorMoment& answer)
{
    const SegmentState& state = answer.state;
    Json lists = Json::array();
    for (const FreeListFigures& list : answer.figures.lists)
        lists.push_back(listJson(trace, list));
    Json holes = Json::array();
    for (const HoleClass& size : answer.figures.holes)
        holes.push_back({{"from_bytes", size.from}, {"below_bytes", size.below ? Json(size.below) : Json()},
            {"holes", size.holes}, {"bytes", size.bytes}});
    return {{"event", state.event}, {"segments", state.segments.size()},
        {"reserved_bytes", state.reservedBytes}, {"active_bytes", state.activeBytes},
        {"pending_free_bytes", state.pendingBytes}, {"free_bytes", state.freeBytes},
        {"requested_bytes", state.requestedBytes}, {"blocks", state.liveBlocks}, {"holes", state.holes},
        {"largest_free_bytes", answer.figures.all.largestFree},
        {"releasable_bytes", answer.figures.releasableBytes}, {"exact", state.isExact()},
        {"reservations", reservations(state)}, {"out_of_memory", verdictJson(trace, answer.verdict)},
        {"pools", lists}, {"holes_by_size", holes}, {"pinned_segments", answer.figures.pinned.size()},
        {"pinned_free_bytes", answer.figures.pinnedFreeBytes}};
}

void printTables(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const AllocatorMoment& answer, const std::vector<FreeBlockOrigin>& holes, std::size_t top)
{
    printOut("\n");
    printTable(withoutColumns(freeListTable(trace, answer), {"unused_bytes"}));
    if (!answer.figures.holes.empty()) {
        printOut("\n");
        printTable(freeBlockTable(answer));
    }
    if (!holes.empty()) {
        printOut("\n");
        printTable(freeBlockOriginTable(allocations, sites, answer.state, holes));
    }
    const std::size_t pinned = answer.figures.pinned.size();
    if (pinned == 0)
        return;
    Table table
        = withoutColumns(pinnedTable(allocations, sites, answer, top), {"birth_event", "largest_site"});
    table.caption
        = fmt::format("{} more than a quarter free, {} free in {}", counted(pinned, "segment", "segments"),
            formatBytes(answer.figures.pinnedFreeBytes), pinned == 1 ? "it" : "them");
    printOut("\n");
    printTable(table);
}

void printMoment(const Trace& trace, const Device& device, const AllocatorMoment& answer,
    const AllocationTable& allocations, const CallSites& sites, const std::vector<FreeBlockOrigin>& holes,
    std::size_t top)
{
    const Style style = Style::forStdout();
    const SegmentState& state = answer.state;
    printOut("{}  {}: {}\n", style.strong(device.label()), formatMoment(state.event), headlineOf(answer));
    if (answer.verdict) {
        printOut("  {} {}\n", style.warning("out of memory,"), sentenceOf(trace, *answer.verdict));
        if (const std::string obstacle = obstacleOf(*answer.verdict, state); !obstacle.empty())
            printOut("  {}\n", obstacle);
    }
    if (answer.figures.releasableBytes > 0)
        printOut("  {} in unused segments, which empty_cache would return\n",
            formatBytes(answer.figures.releasableBytes));
    for (const std::string& sentence : reservations(state))
        printOut("  {}\n", style.quiet(sentence));
    printTables(trace, allocations, sites, answer, holes, top);
}

/// The analyses of one device.
struct DeviceSegments
{
    const Trace& trace;
    DeviceIndex device;
    AllocationTable allocations;
    LiveIndex live;
    CallSites sites;
    SegmentHistory history;

    DeviceSegments(const Trace& of, DeviceIndex chosen)
        : trace(of)
        , device(chosen)
        , allocations(of, chosen)
        , live(allocations)
        , sites(of, allocations)
        , history(of, allocations, live)
    {
    }
    const Device& about() const { return trace.devices[device]; }
};

/// Returns the requested moment, else the last out-of-memory event, else the peak.
AllocatorMoment allocatorMomentOf(const LoadedInput& input, const DeviceSegments& segments,
    const std::vector<DeviceFigures>& figures, const SegmentsOptions& options)
{
    const std::int64_t events = segments.trace.eventCount(segments.device);
    const std::int64_t event = options.at.value_or(firstMomentOf(figures[segments.device]));
    if (event < -1 || event >= events)
        refuse(input.path,
            fmt::format("has no event {} on {}; events are numbered 0 to {}; -1 is before the first", event,
                segments.about().label(), events - 1));
    return allocatorMomentAt(segments.history, event);
}

/// Calls `use` with the chosen device and the state of its allocator at the requested event.
template <typename Use>
auto withMoment(const LoadedInput& input, const SegmentsOptions& options, Use use)
{
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const DeviceSegments segments(trace, need(input.path, chooseDevice(trace, figures, options.device)));
    return use(segments, allocatorMomentOf(input, segments, figures, options));
}

std::vector<FreeBlockOrigin> holesOf(
    const DeviceSegments& segments, const AllocatorMoment& answer, const SegmentsOptions& options)
{
    return largestHoles(
        segments.allocations, answer.state, options.top > 0 ? options.top : answer.state.blocks.size());
}

Json segmentsJson(const LoadedInput& input, const SegmentsOptions& options)
{
    return withMoment(input, options, [&](const DeviceSegments& segments, const AllocatorMoment& answer) {
        const Device& device = segments.about();
        Json document = {{"path", input.path}, {"device", device.ordinal}, {"kind", toText(device.kind)}};
        document.update(answerJson(segments.trace, answer));
        document["segment_events"] = segmentEvents(segments.trace, segments.device);
        document["skipped_actions"] = skippedNames(segments.trace, segments.device);
        document["largest_holes"] = holesJson(
            answer.state, holesOf(segments, answer, options), segments.allocations, segments.sites);
        document["pinned"] = pinnedJson(answer, segments.allocations, segments.sites, options.top);
        return document;
    });
}

void printSegments(const LoadedInput& input, const SegmentsOptions& options)
{
    withMoment(input, options, [&](const DeviceSegments& segments, const AllocatorMoment& answer) {
        printMoment(segments.trace, segments.about(), answer, segments.allocations, segments.sites,
            holesOf(segments, answer, options), options.top);
        const std::vector<std::string> skipped = skippedNames(segments.trace, segments.device);
        if (!skipped.empty())
            printOut("  recorded without {}, since the recorder was set to skip {}\n",
                fmt::join(skipped, " and "), skipped.size() == 1 ? "it" : "them");
    });
}

} // namespace

int runSegments(const SegmentsOptions& options)
{
    return answerForRun(options.common.json ? keepingFiles(options.common) : options.common,
        {options.device, [&](const LoadedInput& input) { return segmentsJson(input, options); },
            [&](const LoadedInput& input) { printSegments(input, options); }, true});
}

} // namespace highwater::cli
