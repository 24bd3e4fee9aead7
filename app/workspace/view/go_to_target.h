#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/document/device_analysis.h"
#include "core/base/result.h"

namespace highwater::gui {

/// A position in the timeline, and what to pin there.
struct GoToTarget
{
    std::int64_t event = -1; ///< −1 for the moment before the first event
    AllocationIndex allocation = AllocationTable::kNoAllocation; ///< to pin; none for moments such as peaks
    std::optional<std::size_t> step = std::nullopt; ///< to select, where the text names a step
    bool operator==(const GoToTarget&) const = default;
};

/// A place to go to after loading, as given on the command line.
struct Goto
{
    enum class Kind
    {
        Nowhere,
        Peak,
        OutOfMemory,
        Event,
        Step
    };
    Kind kind = Kind::Nowhere;
    qint64 number = 0; ///< number of the event, or of the step in the list, counted from 0
};

/// Finds the places for a text that the user types:
///   "5701", "5,701", "event 5701", "e5701"   an event
///   "step 6", a step's name                   the peak of that step
///   "12.5ms", "+1.25 s", "800us", "40 ns"     a time since the first event
///   "0x7f3a00001400"                          the allocations whose memory contains that address
///   "peak", "oom"                             the peak; where memory ran out
/// Returns at least one place, the likeliest first: allocations live at the cursor, then by birth. Otherwise
/// fails with one sentence on what is wrong (BadRequest). O(allocations) for an address, O(steps) for a step,
/// O(events) for a time.
Result<std::vector<GoToTarget>> parseGoTo(
    const std::string& text, const DeviceAnalysis& analysis, std::optional<std::int64_t> cursor);

/// Returns "event 5,701 of 19,464 · +12.5 ms"; for an allocation its size, address and lifetime
/// instead.
std::string describe(const GoToTarget& target, const DeviceAnalysis& analysis);

} // namespace highwater::gui
