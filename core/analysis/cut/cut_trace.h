#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace highwater {

/// A device that is kept, and its events [first, last).
struct CutRange
{
    DeviceIndex device = 0;
    std::int64_t first = 0;
    std::int64_t last = 0; ///< equals `first` if the device has no events, or none are kept
    bool operator==(const CutRange&) const = default;
};

/// Functions that change the texts of the new trace: file names, and all other texts. Empty to keep them.
/// If other texts change, the source code in the recording (source_code.h) is left out.
struct CutTexts
{
    std::function<std::string(std::string_view)> file;
    std::function<std::string(std::string_view)> other;
};

/// The new trace, and how well it agrees with the original.
struct CutTrace
{
    std::shared_ptr<const Trace> trace;
    /// Sentences that say how the segments at the end of a range were computed; empty if the file itself
    /// records them.
    std::vector<std::string> reservations;
    /// The largest difference of live bytes from the original at a kept event; 0 unless the file's events
    /// contradict each other.
    Bytes largestDifference = 0;
};

/// Makes a new snapshot from a part of a snapshot: the kept events, and the segments and blocks right after
/// the last kept event, because a snapshot is read backwards from its segments. Allocations from before the
/// first kept event are among these blocks if they are still live. Annotations are kept if they overlap the
/// times of the kept events, or if these have no times. Only the stacks and texts that the kept rows need are
/// kept. Devices that no range names are left out.
///
/// Fails with BadRequest if the trace is not a complete snapshot. O(events × log live).
Result<CutTrace> cutTrace(
    const Trace& trace, const std::vector<CutRange>& ranges, const CutTexts& texts = {});

/// Returns "events 10 to 19 of 5,701", both included; "no events of 5,701" for an empty range.
std::string rangeText(const Trace& trace, const CutRange& range);

/// Explains why `cutTrace` cannot cut the trace, in words that follow the file's name; empty if it can.
std::string reasonNotToCut(const Trace& trace);

} // namespace highwater
