#include "core/analysis/ranks/rank_figures.h"

#include <algorithm>

#include "core/analysis/composition/composition.h"
#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/pixel_columns.h"

namespace highwater {

namespace {

std::vector<Bytes> columnsOf(const UsageCurve& curve, const EventScale& scale)
{
    std::vector<Bytes> bytes;
    bytes.reserve(CurveOutline::kColumns);
    for (const PixelColumn& column :
        pixelColumns(curve, scale, scale.begin(), scale.end(), CurveOutline::kColumns))
        bytes.push_back(column.bytes);
    return bytes;
}

bool isHost(const RankDevice& device)
{
    return device.label == "host";
}

bool hasMemoryOrEvents(const RankDevice& device)
{
    return device.eventCount > 0 || device.peakBytes > 0 || device.reservedPeakBytes > 0;
}

} // namespace

CurveOutline curveOutline(const Trace& trace, DeviceIndex device, const UsageCurve& curve)
{
    CurveOutline outline;
    outline.byEvent = columnsOf(curve, EventScale(trace, device, AxisKind::Event));
    if (trace.hasTimes(device)) {
        const EventScale times(trace, device, AxisKind::Time);
        outline.byTime = columnsOf(curve, times);
        outline.begin = times.origin() + static_cast<Nanoseconds>(times.begin());
        outline.end = times.origin() + static_cast<Nanoseconds>(times.end());
    }
    return outline;
}

RankDevice rankDevice(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    const DeviceFigures& figures)
{
    const Device& info = trace.devices[allocations.device()];
    RankDevice device;
    device.device = allocations.device();
    device.ordinal = info.ordinal;
    device.label = info.label();
    device.quantity = allocations.quantity();
    device.eventCount = figures.eventCount;
    device.peakBytes = figures.peakBytes;
    device.peakEvent = figures.peakEvent;
    device.reservedPeakBytes = figures.reservedPeakBytes;
    device.oomCount = static_cast<std::int64_t>(figures.ooms.size());
    device.firstOom = figures.ooms.empty() ? -1 : figures.ooms.front().event;
    for (CompositionGroup& group :
        compositionAt(trace, allocations, sites, figures.peakEvent, GroupKey::Site).groups)
        device.peakSites.emplace_back(std::move(group.key), group.bytes);
    std::ranges::sort(device.peakSites);
    return device;
}

RankFile rankFile(RunMember member, const Trace& trace, bool outlines)
{
    std::vector<RankDevice> devices;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        const AllocationTable allocations(trace, i);
        const CallSites sites(trace, allocations);
        devices.push_back(rankDevice(trace, allocations, sites, deviceFigures(trace, i)));
        if (outlines)
            devices.back().outline = curveOutline(trace, i, UsageCurve(trace, allocations));
    }
    return rankFile(std::move(member), std::move(devices));
}

RankFile rankFile(RunMember member, std::vector<RankDevice> devices)
{
    // Keeps all devices if none would remain.
    const auto dropUnlessAll = [&](auto&& unwanted) {
        if (!std::ranges::all_of(devices, unwanted))
            devices.erase(std::remove_if(devices.begin(), devices.end(), unwanted), devices.end());
    };
    dropUnlessAll(isHost);
    dropUnlessAll([](const RankDevice& device) { return !hasMemoryOrEvents(device); });
    RankFile file{std::move(member), std::move(devices), 0, false, {}};
    for (std::size_t i = 1; i < file.devices.size(); ++i)
        if (file.devices[i].peakBytes > file.devices[file.main].peakBytes)
            file.main = i;
    return file;
}

RankFile unreadableRank(RunMember member, std::string error)
{
    return {std::move(member), {}, 0, false, std::move(error)};
}

} // namespace highwater
