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
    /// Bytes reserved by PyTorch's allocator: as written, else allocated + reserved but unallocated.
    std::optional<WrittenBytes> reserved;
    /// Reserved but unallocated: as written, else reserved − allocated.
    std::optional<WrittenBytes> unallocated;
    /// Bytes in use by this process, but not by PyTorch: in use − reserved; not set if that is negative.
    std::optional<Bytes> outsidePyTorch;
    Bytes listedProcessBytes = 0; ///< sum over all listed processes
    /// The listed processes, except those that are probably this one: in a container, a message may list its
    /// own process under another number, with slightly more than PyTorch holds.
    std::vector<ProcessUse> foreign;
    Bytes foreignBytes = 0; ///< sum over `foreign`
    /// True if the request would fit into the memory that `foreign` holds, with what is free on the device.
    bool fitsWithoutForeign = false;
    /// True if the request is no larger than the unallocated bytes, so that only their pieces are too small.
    bool fitsUnallocated = false;

    /// True if the message shows memory into which the request would fit, so that the GPU is not simply full.
    bool hasRoomElsewhere() const { return fitsWithoutForeign || fitsUnallocated; }

    OomCause cause = OomCause::Unknown;
    /// One sentence without a final full stop: the cause and its arithmetic.
    std::string verdict;
    std::vector<std::string> contradictions; ///< one sentence for each rule that the figures violate
    /// The largest count of PyTorch's or this process's bytes that exceeds the capacity; not set if none
    /// does. This is not a contradiction: PyTorch also counts host memory that Windows lends to the GPU, and
    /// memory that an inference engine has unmapped.
    std::optional<WrittenBytes> counted;
    /// The bytes of `counted` that cannot be on the GPU: `counted` − (capacity − free). Set with `counted`.
    std::optional<Bytes> notOnDevice;
    /// Bytes that other processes use, at least 0: capacity − free − in use by this process.
    std::optional<Bytes> otherProcessBytes;
};

/// Finds the cause of the failure from `event.figures`, which must be set. O(processes + text).
OomReading readOom(const LogEvent& event);

/// True if PyTorch refused the request by itself because of `throw_on_cudamalloc_oom`: its cache was not
/// emptied.
inline bool isRejection(const LogEvent& event)
{
    return event.text.find("preemptively rejected") != std::string::npos;
}

/// Returns "at least 26.56 GiB of the 100.77 GiB that PyTorch counts is not on the GPU"; `notOnDevice` must
/// be set.
std::string notOnDeviceText(const OomReading& reading);

/// Returns "process 592502 holds 96.66 GiB, …".
std::string processesText(const std::vector<ProcessUse>& processes);

/// Lists the figures: "1.45 GiB requested, 599.8 MiB free, 178.4 GiB capacity, …"; empty without figures.
std::string figuresText(const OomFigures& figures);

} // namespace highwater
