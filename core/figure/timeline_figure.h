#pragma once

#include <optional>
#include <vector>

#include "core/analysis/device/device_capacity.h"
#include "core/analysis/usage/event_range.h"
#include "core/figure/sheet/figure_sheet.h"
#include "core/figure/sheet/note_flag.h"
#include "core/figure/stacked_groups.h"

namespace highwater {

/// What a timeline shows beside what follows from the study.
struct TimelineExtras
{
    std::vector<NoteFlag>
        flags; ///< `first` and `last` are events, whose states are meant; see note_flag_shapes.h
    std::optional<DeviceCapacity> capacity; ///< none: as the file tells
    Bytes leastTop = 0; ///< the axis reaches at least so high: for two pictures in one scale
};

/// How high the axis of a timeline reaches: the peaks of the range and, where it is near, the capacity.
Bytes timelineTop(
    const DeviceStudy& study, const EventRange& range, const std::optional<DeviceCapacity>& capacity = {});

/// Live bytes over the events of a range as stacked areas, with the reserved bytes, the device's capacity
/// where it is near, the highest moment, out-of-memory events, and the steps and phases above. Every column
/// of one pixel shows its highest moment: zooming out hides no spike. O(columns × live).
Figure timelineFigure(const DeviceStudy& study, const EventRange& range, const FigureOptions& options,
    std::optional<StackedBy> by = {}, const TimelineExtras& extras = {});

} // namespace highwater
