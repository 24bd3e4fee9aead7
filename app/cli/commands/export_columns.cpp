#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/export_job.h"
#include "app/cli/input/arguments.h"
#include "core/figure/raster/band_raster.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json bandJson(const AllocationTable& allocations, const Band& band)
{
    const std::int32_t birth = allocations.birth(band.allocation);
    Json json = {{"alloc_event", birth}, {"offset_bytes", band.offset}, {"bytes", band.bytes}};
    if (birth < 0)
        json["address"] = allocations.address(band.allocation);
    return json;
}

/// None for the modes that do not ask for them.
std::unique_ptr<const CategoryTable> categoriesFor(
    BandMode mode, const ExportJob& job, const AllocationTable& allocations, const UsageCurve& curve)
{
    if (mode != BandMode::Category)
        return nullptr;
    const PhaseTable phases = findPhases(allocations);
    return std::make_unique<const CategoryTable>(categorize(
        job.trace, allocations, phases, findSteps(job.trace, allocations, curve, phases), job.rules));
}

/// Writes column by column: whole documents of many live allocations would not fit comfortably in memory.
bool writeColumns(const ExportJob& job, const EventRange& range)
{
    const AllocationTable allocations(job.trace, job.device);
    const UsageCurve curve(job.trace, allocations);
    const LiveIndex live(allocations);
    const CallSites sites(job.trace, allocations);
    const EventScale scale(job.trace, job.device, AxisKind::Event);
    const BandMode mode = *bandModeFromText(job.options.mode);
    const BandGroups groups = groupBands(
        job.trace, live, sites, curve.peak().event, mode, categoriesFor(mode, job, allocations, curve).get());
    const TextSink sink = job.sink();
    bool going = sink(fmt::format(
        "{{\"device\": {}, \"quantity\": \"{}\", \"mode\": \"{}\", \"range\": [{}, {}],\n\"columns\": [\n",
        job.about().ordinal, toText(job.about().quantity), job.options.mode, range.first, range.last));
    bool first = true;
    for (const PixelColumn& column : pixelColumns(curve, scale, static_cast<double>(range.first),
             static_cast<double>(range.last), job.options.width)) {
        Json bands = Json::array();
        for (const Band& band : bandsAt(live, column.event, &groups)) {
            bands.push_back(bandJson(allocations, band));
            if (!groups.isSingle())
                bands.back()["group"] = groups.groups[groups.rank(band.allocation)].key;
        }
        const Json json = {{"event", column.event}, {"bytes", column.bytes}, {"bands", std::move(bands)}};
        going
            = going && sink((first ? "" : ",\n") + json.dump(-1, ' ', false, Json::error_handler_t::replace));
        first = false;
    }
    return going && sink("\n]}\n");
}

} // namespace

void exportColumns(const ExportJob& job)
{
    job.finish(writeColumns(job,
        need(job.options.common.files.front(),
            parseEventRange(job.options.range, job.trace.eventCount(job.device)))));
}

} // namespace highwater::cli
