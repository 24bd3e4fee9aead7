#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/allocator/oom_verdict.h"
#include "core/trace/log_event.h"

namespace highwater {

/// What follows from the figures of an out-of-memory message. Figures are rounded as printed; differences
/// within the rounding are ignored.
struct OomReading
{
    /// Held by PyTorch's allocator: as written, else allocated + reserved but unallocated.
    std::optional<WrittenBytes> reserved;
    /// Reserved but unallocated: as written, else reserved − allocated.
    std::optional<WrittenBytes> unallocated;
    /// In use by this process but not held by PyTorch: in use − reserved.
    std::optional<Bytes> outsidePyTorch;
    Bytes otherProcesses = 0; ///< the sum of all that are listed
    /// Listed, and not probably this one: within a container a message may list its own process under another
    /// number, with a little more than PyTorch holds.
    std::vector<ProcessUse> foreign;
    OomCause cause = OomCause::Unknown;
    /// One sentence that begins with the cause, with its arithmetic, without a final full stop.
    std::string verdict;
    std::vector<std::string> contradictions; ///< one sentence for each rule that the figures violate
    /// How much more PyTorch or this process counts than the device has; none: not more. It is no error: host
    /// memory that Windows lends to the GPU is counted, and so is unmapped memory of a sleeping engine.
    std::optional<Bytes> notOnDevice;
    /// What is neither free nor this process's own: capacity − free − in use by this process.
    std::optional<Bytes> othersHold;
};

/// Compares the request with the free memory; the event must have figures. O(processes + text).
OomReading readOom(const LogEvent& event);

/// "process 592502 holds 96.66 GiB, …".
std::string processesText(const std::vector<ProcessUse>& processes);

/// "1.45 GiB requested, 599.8 MiB free, 178.4 GiB capacity, …": the figures that there are.
std::string figuresText(const OomFigures& figures);

} // namespace highwater
