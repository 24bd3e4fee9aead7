#pragma once

#include <memory>
#include <vector>

#include "app/workspace/band_palette.h"
#include "core/analysis/allocations.h"
#include "core/analysis/band_groups.h"
#include "core/analysis/call_site.h"
#include "core/analysis/device_figures.h"
#include "core/analysis/event_scale.h"
#include "core/analysis/live_index.h"
#include "core/analysis/usage_curve.h"

namespace highwater::gui {

/// Everything that the window asks about one device, worked out once when the file is loaded and immutable
/// from then on. The tables refer to each other, so it neither moves nor copies.
struct DeviceAnalysis
{
    DeviceAnalysis(std::shared_ptr<const Trace> trace, DeviceIndex device);
    DeviceAnalysis(const DeviceAnalysis&) = delete;
    DeviceAnalysis& operator=(const DeviceAnalysis&) = delete;

    const Device& info() const { return trace->devices[device]; }

    /// Kept once: where times are irregular, making one costs a pass over them.
    const EventScale& scale(AxisKind axis) const { return axis == AxisKind::Event ? byEvent : byTime; }

    const std::shared_ptr<const Trace> trace;
    const DeviceIndex device;
    const DeviceFigures figures;
    const AllocationTable allocations;
    const UsageCurve curve;
    const CallSites sites;
    const LiveIndex live;
    const EventScale byEvent;
    const EventScale byTime; ///< of use only where the device has times
    const std::vector<BandMode> bandModes; ///< those that show more than one group; Allocations comes first
    const std::shared_ptr<const BandGroups> siteGroups;
    const std::shared_ptr<const BandPalette> sitePalette;
};

} // namespace highwater::gui
