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
struct CutTexts
{
    std::function<std::string(std::string_view)> file;
    std::function<std::string(std::string_view)> other;
};

struct CutTrace
{
    std::shared_ptr<const Trace> trace;
    /// The evidence for the state at the end of a range, one sentence each; empty if it is the file's own.
    std::vector<std::string> reservations;
    /// The largest difference of live bytes at a kept event; 0 unless the file's events contradict each
    /// other.
    Bytes largestDifference = 0;
};

/// Cuts a part out of a snapshot, as a snapshot of its own: the kept events, and the segments and blocks as
/// they were right after the last of them, because a snapshot is read backwards from those. An allocation
/// from before the first kept event that is still live is one of these blocks. Annotations are kept if they
/// overlap the times of the kept events. Only the stacks and texts that the kept rows need are kept. Devices
/// that no range names are left out.
///
/// Fails with BadRequest if the trace is no snapshot, or has lost its end. O(events × log live).
Result<CutTrace> cutTrace(
    const Trace& trace, const std::vector<CutRange>& ranges, const CutTexts& texts = {});

/// Explains in a sentence why `cutTrace` cannot cut the trace; empty if it can.
std::string whyNotCut(const Trace& trace);

} // namespace highwater
