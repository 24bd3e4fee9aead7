#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/device/device_capacity.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/usage/event_scale.h"
#include "core/figure/drawing/note_flag.h"
#include "core/figure/live/live_columns.h"

namespace highwater {

/// A step and its exact figures.
struct LiveStep
{
    std::string name;
    std::int64_t begin = 0; ///< Events [begin, end)
    std::int64_t end = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
    bool isWhole = true; ///< False if it is no step of the training, or not a complete one
};

/// A phase and its events [begin, end).
struct LivePhase
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Phase phase = Phase::Unknown;
};

/// A device's memory over its events, as data that a page can zoom, pan and inspect on its own. Totals of
/// columns, steps and groups are exact; the state between columns is unknown, and the page has to say so.
struct LiveTimeline
{
    std::string name; ///< Name of the run
    std::string quantity; ///< `quantityLabel`: "requested bytes"
    std::int64_t eventCount = 0;
    std::vector<LiveGroup> groups; ///< From the bottom up
    LiveColumns columns;
    std::vector<LiveStep> steps; ///< Empty if no steps were detected
    std::vector<LivePhase> phases; ///< The longest ones if there are more than 20,000
    CurvePeak peak;
    Bytes reservedPeak = 0; ///< 0 if not recorded
    std::vector<OomEvent> ooms;
    std::optional<DeviceCapacity> capacity;
    std::vector<NoteFlag> flags;
    /// Positions of the device's events on the page's axis; two runs side by side share the axis.
    std::vector<EventStretch> stretches;
};

/// Inputs that are not in the study.
struct LiveTimelineExtras
{
    std::optional<DeviceCapacity> capacity;
    std::vector<NoteFlag> flags;
    const EventScale* scale = nullptr; ///< Scale of two runs on one axis; null to place events by number
    std::size_t room = 0; ///< Approximate limit in bytes for LiveTimeline::columns
};

/// Returns the timeline; nullopt if the device has no events. O(allocations + columns × log events).
std::optional<LiveTimeline> liveTimeline(
    const DeviceStudy& study, std::string name, const LiveTimelineExtras& extras);

} // namespace highwater
