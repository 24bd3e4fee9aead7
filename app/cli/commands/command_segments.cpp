#include "app/cli/commands/commands.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/file_answers.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/output/allocation_rows.h"
#include "app/loading/device_choice.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/device/skipped_actions.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/segment_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Returns the pool's id as in the file; null if the file does not name the pool.
Json poolIdJson(const Trace& trace, PoolId pool)
{
    if (pool.isNone())
        return nullptr;
    return {trace.pools[pool.index()].first, trace.pools[pool.index()].second};
}

std::vector<std::string> skippedActionNames(const Trace& trace, DeviceIndex device)
{
    std::vector<std::string> names;
    for (const Action action : skippedActions(trace, device))
        names.emplace_back(trace.actionName(action));
    return names;
}

/// Counts the events that reserve or release segments.
std::int64_t segmentEvents(const Trace& trace, DeviceIndex device)
{
    const RowRange rows = trace.devices[device].events;
    return std::count_if(trace.events.action.begin() + rows.first, trace.events.action.begin() + rows.last,
        [](Action action) { return isReservingAction(action) || isReleasingAction(action); });
}

Json listJson(const Trace& trace, const FreeListFigures& list)
{
    return {{"pool", trace.poolLabel(list.key.pool)}, {"pool_id", poolIdJson(trace, list.key.pool)},
        {"pool_recorded", !list.key.pool.isNone()}, {"stream", trace.streamLabel(list.key.stream)},
        {"size_class", sizeClassText(list.key.type)}, {"segments", list.segmentCount},
        {"reserved_bytes", list.reservedBytes}, {"active_bytes", list.activeBytes},
        {"pending_free_bytes", list.pendingBytes}, {"free_bytes", list.freeBytes},
        {"holes", list.freeBlockCount}, {"largest_free_bytes", list.largestFree},
        {"unused_segments", list.unusedSegmentCount}, {"unused_bytes", list.unusedBytes}};
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
    Json json = {{"verdict", toText(verdict->cause)}, {"sentence", sentenceOf(trace, *verdict)},
        {"requested_bytes", verdict->requestedBytes}, {"device_free_bytes", verdict->deviceFreeBytes},
        {"pool", trace.poolLabel(verdict->key.pool)}, {"pool_id", poolIdJson(trace, verdict->key.pool)},
        {"pool_recorded", !verdict->key.pool.isNone()}, {"stream", trace.streamLabel(verdict->key.stream)},
        {"size_class", sizeClassText(verdict->key.type)}, {"serving_free_bytes", verdict->servingFreeBytes},
        {"serving_holes", verdict->servingFreeBlockCount},
        {"serving_largest_free_bytes", verdict->servingLargestFree},
        {"reachable_bytes", verdict->reachableBytes()}, {"missing_bytes", verdict->missingBytes},
        {"nearly_full", verdict->isNearlyFull()}, {"cheapest_run", nullptr},
        {"segment_bytes", verdict->segmentBytes}, {"limit_bytes", orNull(verdict->limit)},
        {"wanted_by", stackJson(trace, verdict->stack)}};
    if (const auto& cheapestRange = verdict->cheapest)
        json["cheapest_run"] = {{"bytes_in_the_way", cheapestRange->bytesInTheWay},
            {"blocks_in_the_way", cheapestRange->blocksInTheWay}};
    return json;
}

Json heldJson(const AllocatorMoment& moment, const AllocationTable& allocations, const CallSites& sites,
    std::size_t top)
{
    Json rows = Json::array();
    for (const HeldSegment& held : moment.figures.held) {
        if (top != 0 && rows.size() == top)
            break;
        const SegmentAt& segment = moment.state.segments[held.segment];
        rows.push_back({{"address", segment.range.begin}, {"bytes", segment.range.size},
            {"free_bytes", segment.freeBytes}, {"live_bytes", segment.liveBytes()},
            {"live_blocks", held.liveBlockCount}, {"oldest_alloc_event", allocations.birth(held.oldest)},
            {"oldest_site", sites.site(sites.of(held.oldest)).key},
            {"largest_site", sites.site(sites.of(held.largest)).key}});
    }
    return rows;
}

Json freeBlocksJson(const SegmentState& state, const std::vector<FreeBlockOrigin>& freeBlocks,
    const AllocationTable& allocations, const CallSites& sites)
{
    Json rows = Json::array();
    for (const FreeBlockOrigin& freeBlock : freeBlocks) {
        const BlockAt& block = state.blocks[freeBlock.block];
        const bool wasFreed = freeBlock.freed != AllocationTable::kNoAllocation;
        const AllocationIndex obstacle = freeBlock.obstacle(allocations);
        const bool hasObstacle = obstacle != AllocationTable::kNoAllocation;
        rows.push_back({{"address", block.address}, {"bytes", block.size},
            {"segment_bytes", state.segments[freeBlock.segment].range.size},
            {"freed_event", wasFreed ? Json(freeBlock.freedAt) : Json()},
            {"pinned_by_site", hasObstacle ? Json(sites.site(sites.of(obstacle)).key) : Json()},
            {"pinned_by_bytes", hasObstacle ? Json(allocations.bytes(obstacle)) : Json()},
            {"pinned_since_event", hasObstacle ? Json(allocations.birth(obstacle)) : Json()}});
    }
    return rows;
}

Json momentJson(const Trace& trace, const AllocatorMoment& moment)
{
    const SegmentState& state = moment.state;
    Json lists = Json::array();
    for (const FreeListFigures& list : moment.figures.lists)
        lists.push_back(listJson(trace, list));
    Json freeBlockSizes = Json::array();
    for (const FreeBlockClass& size : moment.figures.freeBlockClasses)
        freeBlockSizes.push_back(
            {{"from_bytes", size.from}, {"below_bytes", size.below ? Json(size.below) : Json()},
                {"holes", size.count}, {"bytes", size.bytes}});
    return {{"event", state.event}, {"segments", state.segments.size()},
        {"reserved_bytes", state.reservedBytes}, {"active_bytes", state.activeBytes},
        {"pending_free_bytes", state.pendingBytes}, {"free_bytes", state.freeBytes},
        {"requested_bytes", state.requestedBytes}, {"blocks", state.liveBlockCount},
        {"holes", state.freeBlockCount}, {"largest_free_bytes", moment.figures.all.largestFree},
        {"releasable_bytes", moment.figures.releasableBytes}, {"exact", state.isExact()},
        {"reservations", reservations(state)}, {"out_of_memory", verdictJson(trace, moment.verdict)},
        {"pools", lists}, {"holes_by_size", freeBlockSizes}, {"pinned_segments", moment.figures.held.size()},
        {"pinned_free_bytes", moment.figures.heldFreeBytes}};
}

/// True if each of the first `shown` segments has one block in use and the free block of the same row, so
/// that the table of segments would repeat that of free blocks.
bool repeatsFreeBlocks(
    const AllocatorMoment& moment, const std::vector<FreeBlockOrigin>& freeBlocks, std::size_t shown)
{
    for (std::size_t i = 0; i < shown; ++i) {
        const HeldSegment& held = moment.figures.partlyFree[i];
        if (i >= freeBlocks.size() || held.liveBlockCount != 1 || freeBlocks[i].segment != held.segment
            || moment.state.blocks[freeBlocks[i].block].size != moment.state.segments[held.segment].freeBytes)
            return false;
    }
    return true;
}

void printTables(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const AllocatorMoment& moment, const std::vector<FreeBlockOrigin>& freeBlocks, std::size_t top)
{
    printOut("\n");
    printTable(withoutColumns(freeListTable(trace, moment), {"unused_bytes"}));
    if (!freeBlocks.empty()) {
        printOut("\n");
        printTable(withoutColumns(
            freeBlockOriginTable(allocations, sites, moment.state, freeBlocks), {"pin_event"}));
    }
    const Table table
        = withoutColumns(partlyFreeTable(allocations, sites, moment, top), {"birth_event", "largest_site"});
    if (repeatsFreeBlocks(moment, freeBlocks, table.rows.size()))
        return;
    printOut("\n");
    printTable(table);
}

/// Returns the cause, its arithmetic, and the code that made the request, a line each.
std::vector<std::string> linesOf(const Trace& trace, const OomVerdict& verdict)
{
    std::vector<std::string> lines{
        fmt::format("{} {}", Style::forStdout().warning("out of memory,"), failureWithCause(verdict))};
    if (std::string detail = causeDetail(trace, verdict); !detail.empty())
        lines.push_back(std::move(detail));
    if (const std::string requester = requesterChain(trace, verdict); !requester.empty())
        lines.push_back("the request comes from " + requester);
    return lines;
}

void printMoment(const Trace& trace, const Device& device, const AllocatorMoment& moment,
    const AllocationTable& allocations, const CallSites& sites,
    const std::vector<FreeBlockOrigin>& freeBlocks, std::size_t top)
{
    const Style style = Style::forStdout();
    const SegmentState& state = moment.state;
    printOut(
        "{}  {}: {}\n", style.strong(device.words()), momentIn(trace, state.event), momentHeadline(moment));
    if (moment.verdict) {
        for (const std::string& line : linesOf(trace, *moment.verdict))
            printOut("  {}\n", line);
        if (const std::string obstacle = clearingSentence(*moment.verdict, state); !obstacle.empty())
            printOut("  {}\n", obstacle);
    }
    if (moment.figures.releasableBytes > 0)
        printOut("  {} in unused segments, which empty_cache would return\n",
            formatBytes(moment.figures.releasableBytes));
    for (const std::string& sentence : reservations(state))
        printOut("  {}\n", style.quiet(sentence));
    printTables(trace, allocations, sites, moment, freeBlocks, top);
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

    DeviceSegments(const Trace& ofTrace, DeviceIndex ofDevice)
        : trace(ofTrace)
        , device(ofDevice)
        , allocations(ofTrace, ofDevice)
        , live(allocations)
        , sites(ofTrace, allocations)
        , history(ofTrace, allocations, live)
    {
    }
    const Device& about() const { return trace.devices[device]; }
};

/// Returns the requested moment, else the last out-of-memory event, else the peak.
AllocatorMoment allocatorMomentOf(const LoadedInput& input, const DeviceSegments& segments,
    const std::vector<DeviceFigures>& figures, const SegmentsOptions& options)
{
    return allocatorMomentAt(segments.history,
        options.at ? need(input.path, eventOfMoment(*options.at, segments.trace, segments.device))
                   : initialEvent(figures[segments.device]));
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

/// Returns the largest free blocks, as many as are to be printed.
std::vector<FreeBlockOrigin> freeBlocksOf(
    const DeviceSegments& segments, const AllocatorMoment& moment, const SegmentsOptions& options)
{
    return largestFreeBlocks(
        segments.allocations, moment.state, options.top > 0 ? options.top : moment.state.blocks.size());
}

Json segmentsJson(const LoadedInput& input, const SegmentsOptions& options)
{
    return withMoment(input, options, [&](const DeviceSegments& segments, const AllocatorMoment& moment) {
        const Device& device = segments.about();
        Json document = {{"path", input.path}, {"device", device.ordinal}, {"kind", toText(device.kind)}};
        document.update(momentJson(segments.trace, moment));
        document["segment_events"] = segmentEvents(segments.trace, segments.device);
        document["skipped_actions"] = skippedActionNames(segments.trace, segments.device);
        document["largest_holes"] = freeBlocksJson(
            moment.state, freeBlocksOf(segments, moment, options), segments.allocations, segments.sites);
        document["pinned"] = heldJson(moment, segments.allocations, segments.sites, options.top);
        return document;
    });
}

void printSegments(const LoadedInput& input, const SegmentsOptions& options)
{
    withMoment(input, options, [&](const DeviceSegments& segments, const AllocatorMoment& moment) {
        printMoment(segments.trace, segments.about(), moment, segments.allocations, segments.sites,
            freeBlocksOf(segments, moment, options), options.top);
        const std::vector<std::string> skipped = skippedActionNames(segments.trace, segments.device);
        if (!skipped.empty())
            printOut("  the recorder was set to skip {}\n", fmt::join(skipped, " and "));
    });
}

} // namespace

int runSegments(const SegmentsOptions& options)
{
    if (options.address)
        return runAddressOwners(options);
    return answerForRun(options.common.json ? withKeptFiles(options.common) : options.common,
        {options.device, [&](const LoadedInput& input) { return segmentsJson(input, options); },
            [&](const LoadedInput& input) { printSegments(input, options); }, true});
}

} // namespace highwater::cli
