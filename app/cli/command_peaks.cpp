#include "app/cli/commands.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/device_choice.h"
#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/analysis/composition.h"
#include "core/analysis/device_figures.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

struct LiveSets
{
    Composition composition;
    std::size_t shown = 0;
    Bytes restBytes = 0;
    std::int64_t restCount = 0;
};

LiveSets cutToTop(Composition composition, std::size_t top)
{
    LiveSets sets;
    sets.composition = std::move(composition);
    const std::vector<CompositionGroup>& groups = sets.composition.groups;
    sets.shown = top == 0 ? groups.size() : std::min(top, groups.size());
    for (std::size_t i = sets.shown; i < groups.size(); ++i) {
        sets.restBytes += groups[i].bytes;
        sets.restCount += groups[i].count;
    }
    return sets;
}

Json liveJson(const LiveSets& sets, const Device& device, const std::string& group)
{
    Json groups = Json::array();
    for (std::size_t i = 0; i < sets.shown; ++i) {
        const CompositionGroup& row = sets.composition.groups[i];
        groups.push_back({{"key", row.key}, {"bytes", row.bytes}, {"count", row.count}});
    }
    return {{"event", sets.composition.event}, {"quantity", toText(device.quantity)},
        {"bytes", sets.composition.bytes}, {"blocks", sets.composition.blocks}, {"group", group},
        {"groups", groups},
        {"rest",
            {{"groups", sets.composition.groups.size() - sets.shown}, {"bytes", sets.restBytes},
                {"count", sets.restCount}}}};
}

/// The key for a terminal: stacks take one line for each frame, indented under the first.
std::string keyForTable(const std::string& key)
{
    const std::size_t newline = key.find('\n');
    return newline == std::string::npos ? key : key.substr(0, newline);
}

void printLive(const LiveSets& sets, const Device& device, bool isPeak, const std::string& group)
{
    const Style style = Style::forStdout();
    const Composition& live = sets.composition;
    fmt::print("{}  {} {} ({}) in {} allocations {}{}, by {}\n", style.strong(device.label()),
        style.strong(formatBytes(live.bytes)), toText(device.quantity), formatExactBytes(live.bytes),
        formatCount(live.blocks),
        live.event < 0 ? "before the first event" : "after event " + formatCount(live.event),
        isPeak ? ", the peak" : "", group);
    TextTable table(
        {TextTable::Align::Right, TextTable::Align::Right, TextTable::Align::Right, TextTable::Align::Left});
    table.add({"bytes", "share", "count", group});
    for (std::size_t i = 0; i < sets.shown; ++i) {
        const CompositionGroup& row = live.groups[i];
        table.add({formatBytes(row.bytes), formatShare(row.bytes, live.bytes), formatCount(row.count),
            keyForTable(row.key)});
        std::size_t from = row.key.find('\n');
        while (from != std::string::npos) {
            const std::size_t to = row.key.find('\n', from + 1);
            table.add(
                {"", "", "", "  " + row.key.substr(from + 1, to == std::string::npos ? to : to - from - 1)});
            from = to;
        }
    }
    if (sets.shown < live.groups.size())
        table.add({formatBytes(sets.restBytes), formatShare(sets.restBytes, live.bytes),
            formatCount(sets.restCount),
            fmt::format(
                "({} more)", formatCount(static_cast<std::int64_t>(live.groups.size() - sets.shown)))});
    fmt::print("{}", table.text());
}

int usageError(const std::string& path, const Error& error)
{
    printError(path, error);
    return WrongUsage;
}

} // namespace

int runPeaks(const PeaksOptions& options)
{
    const std::string& path = options.common.files.front();
    const LoadedInput input = loadInput(path, options.common);
    if (!input.imported)
        return exitCodeOf(input);
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const Result<DeviceIndex> device = chooseDevice(trace, figures, options.device);
    if (!device)
        return usageError(path, device.error());
    const std::int64_t events = trace.eventCount(*device);
    const std::int64_t event = options.at.value_or(figures[*device].peakEvent);
    if (event < -1 || event >= events)
        return usageError(path,
            {ErrorCode::BadRequest,
                fmt::format(
                    "has no event {} on {} (-1 to {})", event, trace.devices[*device].label(), events - 1),
                {}});

    const AllocationTable allocations(trace, *device);
    const CallSites sites(trace, allocations);
    const LiveSets sets = cutToTop(
        compositionAt(trace, allocations, sites, event, *groupKeyFromText(options.group)), options.top);
    if (options.common.json) {
        const Json document = {{"path", path}, {"device", trace.devices[*device].ordinal},
            {"kind", toText(trace.devices[*device].kind)},
            {"live", liveJson(sets, trace.devices[*device], options.group)}};
        fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
    } else {
        printLive(sets, trace.devices[*device], event == figures[*device].peakEvent, options.group);
    }
    return exitCodeOf(input);
}

} // namespace highwater::cli
