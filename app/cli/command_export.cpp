#include "app/cli/commands.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/device_choice.h"
#include "app/cli/exit_code.h"
#include "app/cli/output_file.h"
#include "core/base/text_format.h"
#include "core/figure/band_raster.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

struct EventRange
{
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// "A:B" with −1 ≤ A < B ≤ events.
std::optional<EventRange> parseRange(const std::string& text, std::int64_t events)
{
    if (text.empty())
        return EventRange{0, events};
    EventRange range;
    const char* const end = text.data() + text.size();
    const auto [colon, error] = std::from_chars(text.data(), end, range.first);
    if (error != std::errc() || colon == end || *colon != ':')
        return std::nullopt;
    const auto [rest, errorLast] = std::from_chars(colon + 1, end, range.last);
    if (errorLast != std::errc() || rest != end || range.first < -1 || range.first >= range.last
        || range.last > events)
        return std::nullopt;
    return range;
}

Json bandJson(const AllocationTable& allocations, const Band& band)
{
    const std::int32_t birth = allocations.birth(band.allocation);
    Json json = {{"alloc_event", birth}, {"offset_bytes", band.offset}, {"bytes", band.bytes}};
    if (birth < 0)
        json["address"] = allocations.address(band.allocation);
    return json;
}

/// Writes column by column: whole documents of many live allocations would not fit comfortably in memory.
Result<void> writeColumns(const Trace& trace, DeviceIndex device, const EventRange& range,
    const ExportOptions& options, OutputFile& out)
{
    const AllocationTable allocations(trace, device);
    const UsageCurve curve(trace, allocations);
    const LiveIndex live(allocations);
    const CallSites sites(trace, allocations);
    const EventScale scale(trace, device, AxisKind::Event);
    const BandGroups groups
        = groupBands(trace, live, sites, curve.peak().event, *bandModeFromText(options.mode));
    out.write(fmt::format(
        "{{\"device\": {}, \"quantity\": \"{}\", \"mode\": \"{}\", \"range\": [{}, {}],\n\"columns\": [\n",
        trace.devices[device].ordinal, toText(trace.devices[device].quantity), options.mode, range.first,
        range.last));
    bool first = true;
    for (const PixelColumn& column : pixelColumns(curve, scale, static_cast<double>(range.first),
             static_cast<double>(range.last), options.width)) {
        Json bands = Json::array();
        for (const Band& band : bandsAt(live, column.event, &groups)) {
            bands.push_back(bandJson(allocations, band));
            if (!groups.isSingle())
                bands.back()["group"] = groups.groups[groups.rank(band.allocation)].key;
        }
        const Json json = {{"event", column.event}, {"bytes", column.bytes}, {"bands", std::move(bands)}};
        out.write((first ? "" : ",\n") + json.dump(-1, ' ', false, Json::error_handler_t::replace));
        first = false;
    }
    out.write("\n]}\n");
    return out.commit();
}

int usageError(const std::string& path, const Error& error)
{
    printError(path, error);
    return WrongUsage;
}

} // namespace

int runExport(const ExportOptions& options)
{
    const std::string& path = options.common.files.front();
    const LoadedInput input = loadInput(path, options.common);
    if (!input.imported)
        return exitCodeOf(input);
    const Trace& trace = *input.imported->trace;
    const Result<DeviceIndex> device = chooseDevice(trace, allFigures(trace), options.device);
    if (!device)
        return usageError(path, device.error());
    const std::int64_t events = trace.eventCount(*device);
    const std::optional<EventRange> range
        = events > 0 || !options.range.empty() ? parseRange(options.range, events) : EventRange{-1, 0};
    if (!range)
        return usageError(path,
            {ErrorCode::BadRequest,
                fmt::format("has no events {} (A:B with -1 <= A < B <= {})", options.range, events), {}});
    Result<OutputFile> out = OutputFile::create(options.out, options.force);
    if (!out)
        return usageError(options.out, out.error());
    if (const Result<void> done = writeColumns(trace, *device, *range, options, *out); !done) {
        printError(options.out, done.error());
        return CannotRead;
    }
    return exitCodeOf(input);
}

} // namespace highwater::cli
