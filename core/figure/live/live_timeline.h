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
    std::int64_t begin = 0; ///< events [begin, end)
    std::int64_t end = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
};

struct LivePhase
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Phase phase = Phase::Unknown;
};

/// A device's memory over its events as data that a page can zoom, pan and look into on its own. Totals of
/// columns, steps and groups are exact; between columns nothing is known, which the page has to say.
struct LiveTimeline
{
    std::string name; ///< of the run
    std::string quantity; ///< "requested bytes"
    std::int64_t events = 0;
    std::vector<LiveGroup> groups; ///< from the bottom up
    LiveColumns columns;
    std::vector<LiveStep> steps; ///< empty: nothing tells them apart
    std::vector<LivePhase> phases; ///< without those too short to be seen at the deepest zoom
    CurvePeak peak;
    Bytes reservedPeak = 0; ///< 0: not told
    std::vector<OomEvent> ooms;
    std::optional<DeviceCapacity> capacity;
    std::vector<NoteFlag> flags;
    /// Where its events lie on the axis of the page; two runs beside each other share it.
    std::vector<EventStretch> stretches;
};

/// What does not follow from the study.
struct LiveTimelineExtras
{
    std::optional<DeviceCapacity> capacity;
    std::vector<NoteFlag> flags;
    const EventScale* scale = nullptr; ///< of two runs on one axis; null: events as they are
    std::size_t room = 0; ///< bytes that its columns may take, about
};

/// None where the device has no events. O(allocations + columns × log events).
std::optional<LiveTimeline> liveTimeline(
    const DeviceStudy& study, std::string name, const LiveTimelineExtras& extras);

} // namespace highwater
