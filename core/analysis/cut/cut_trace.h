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

/// A device of a trace that is kept, and its events [first, last).
struct CutRange
{
    DeviceIndex device = 0;
    std::int64_t first = 0;
    std::int64_t last = 0; ///< `first` where the device has no events, or none are kept
    bool operator==(const CutRange&) const = default;
};

/// Passes every text of the trace that is made: names of files, and all others. Empty: as they are.
struct CutTexts
{
    std::function<std::string(std::string_view)> file;
    std::function<std::string(std::string_view)> other;
};

struct CutTrace
{
    std::shared_ptr<const Trace> trace;
    /// What the state at the end of a range rests on, one sentence each; none where the file itself has it.
    std::vector<std::string> reservations;
    /// The largest difference of live bytes at a kept event; not 0 only where the file's events contradict
    /// each other.
    Bytes largestDifference = 0;
};

/// Part of a snapshot as a snapshot of its own: the kept events, and the segments and blocks as they were
/// right after the last of them, because a snapshot is read backwards from those. What was allocated before
/// the first kept event and lives on is a block of them. Annotations are kept if they overlap the kept
/// events' times. Stacks and texts are those that the kept rows need. Devices that no range names are left
/// out.
///
/// Fails with BadRequest where the trace is no snapshot, or has lost its end. O(events × log live).
Result<CutTrace> cutTrace(
    const Trace& trace, const std::vector<CutRange>& ranges, const CutTexts& texts = {});

/// Why `cutTrace` cannot cut the trace, a sentence; empty: it can.
std::string whyNotCut(const Trace& trace);

} // namespace highwater
