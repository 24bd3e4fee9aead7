#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/export_job.h"
#include "app/cli/input/arguments.h"
#include "core/analysis/composition/band_stack.h"
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

BandGroups groupsOf(const DeviceStudy& study, const LiveIndex& live, BandMode mode)
{
    const std::int64_t peak = study.curve.peak().event;
    if (mode != BandMode::Category && mode != BandMode::Site)
        return groupBands(study.trace, live, study.sites, peak, mode, &study.categories, &study.steps);
    const BandGroups sites = groupBands(study.trace, live, study.sites, peak, BandMode::Site);
    return stackBands(study, live, sites,
        std::make_shared<const HeldBlocks>(study.allocations, study.phases, study.steps, study.categories),
        peak, mode);
}

Json columnJson(const LiveIndex& live, const PixelColumn& column, const BandGroups& groups)
{
    Json bands = Json::array();
    for (const Band& band : bandsAt(live, column.event, &groups)) {
        bands.push_back(bandJson(live.allocations(), band));
        if (groups.isSingle())
            continue;
        const BandGroup& group = groups.groups[groups.rankAt(band.allocation, column.event)];
        bands.back()["group"] = group.key;
        if (group.held)
            bands.back()["held"] = true;
    }
    return {{"event", column.event}, {"bytes", column.bytes}, {"bands", std::move(bands)}};
}

/// Writes column by column: whole documents of many live allocations would not fit comfortably in memory.
bool writeColumns(const ExportJob& job, const EventRange& range)
{
    const DeviceStudy study(job.trace, job.device, job.rules);
    const LiveIndex live(study.allocations);
    const EventScale scale(job.trace, job.device, AxisKind::Event);
    const BandGroups groups = groupsOf(study, live, *bandModeFromText(job.options.mode));
    const TextSink sink = job.sink();
    bool going = sink(fmt::format(
        "{{\"device\": {}, \"quantity\": \"{}\", \"mode\": \"{}\", \"range\": [{}, {}],\n\"columns\": [\n",
        job.about().ordinal, toText(job.about().quantity), job.options.mode, range.first, range.last));
    bool first = true;
    for (const PixelColumn& column : pixelColumns(study.curve, scale, static_cast<double>(range.first),
             static_cast<double>(range.last), job.options.width)) {
        const Json json = columnJson(live, column, groups);
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
