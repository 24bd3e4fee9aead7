#pragma once

#include <optional>
#include <vector>

#include "core/analysis/device/device_capacity.h"
#include "core/analysis/usage/event_range.h"
#include "core/figure/drawing/figure_sheet.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/stacked_groups.h"

namespace highwater {

/// Inputs of a timeline that are not in the study.
struct TimelineExtras
{
    std::vector<NoteFlag> flags; ///< `first` and `last` are events; see note_flag_shapes.h
    std::optional<DeviceCapacity> capacity; ///< Nullopt for the one that the recording shows
    Bytes leastTop = 0; ///< Least upper end of the axis, for two figures at the same scale
};

/// Returns the upper end of a timeline's axis in bytes: the highest of the live and the reserved peak of the
/// range and, if it is near, the capacity. `capacity` is as in `TimelineExtras`.
Bytes timelineTop(
    const DeviceStudy& study, const EventRange& range, const std::optional<DeviceCapacity>& capacity = {});

/// Draws live bytes over the events of a range as stacked areas, with the reserved bytes, the device's
/// capacity if it is near, the peak, out-of-memory events, and the steps and phases above. By default the
/// areas are the call sites as the window shows them first. By call site or category, memory kept from
/// earlier steps has areas of its own. Every column of one pixel shows its largest total, so zooming out
/// hides no spike; where steps are narrow, it shows them as `stepColumns` decides, like the window. The plot
/// takes at least half of the height unless the sheet is very low. O(columns × live).
Figure timelineFigure(const DeviceStudy& study, const EventRange& range, const FigureOptions& options,
    std::optional<StackedBy> by = {}, const TimelineExtras& extras = {});

} // namespace highwater
