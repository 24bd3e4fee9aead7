#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/allocator/oom_verdict.h"
#include "core/trace/log_event.h"

namespace highwater {

/// The conclusions from the figures of an out-of-memory message. Figures are rounded as printed; differences
/// within the rounding are ignored.
struct OomReading
{
    /// Bytes of PyTorch's allocator: as written, else allocated + reserved but unallocated.
    std::optional<WrittenBytes> reserved;
    /// Reserved but unallocated: as written, else reserved − allocated.
    std::optional<WrittenBytes> unallocated;
    /// Bytes in use by this process, but not by PyTorch: in use − reserved.
    std::optional<Bytes> outsidePyTorch;
    Bytes otherProcesses = 0; ///< sum over all listed processes
    /// The listed processes, except those that are probably this one: in a container, a message may list its
    /// own process under another number, with slightly more than PyTorch holds.
    std::vector<ProcessUse> foreign;
    OomCause cause = OomCause::Unknown;
    /// One sentence without a final full stop: the cause and its arithmetic.
    std::string verdict;
    std::vector<std::string> contradictions; ///< one sentence for each rule that the figures violate
    /// How much more PyTorch or this process counts than the device has; not set if it is not more. It is no
    /// error: host memory that Windows lends to the GPU is counted, and so is unmapped memory of a sleeping
    /// engine.
    std::optional<Bytes> notOnDevice;
    /// Bytes that are neither free nor this process's own: capacity − free − in use by this process.
    std::optional<Bytes> othersHold;
};

/// Compares the request with the free memory; the event must have figures. O(processes + text).
OomReading readOom(const LogEvent& event);

/// Returns "process 592502 holds 96.66 GiB, …".
std::string processesText(const std::vector<ProcessUse>& processes);

/// Lists the figures that the message has: "1.45 GiB requested, 599.8 MiB free, 178.4 GiB capacity, …".
std::string figuresText(const OomFigures& figures);

} // namespace highwater
