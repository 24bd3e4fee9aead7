#include "core/analysis/detectors/failures/oom_cause_words.h"

#include <utility>

namespace highwater {

std::string_view ruleOf(OomCause cause)
{
    switch (cause) {
    case OomCause::Fragmentation: return "fragmentation";
    case OomCause::Divided:
    case OomCause::OtherPool: return "divided-free-memory";
    case OomCause::ProcessCap: return "process-cap";
    case OomCause::ReserveTooSmall: return "reserve-too-small";
    case OomCause::Full:
    case OomCause::TooBig: return "too-big";
    case OomCause::CorruptRequest: return "corrupt-request";
    case OomCause::AboveCapacity: return "above-capacity";
    case OomCause::AllocationLimit: return "allocation-limit";
    case OomCause::Nonsense:
    case OomCause::OtherProcess:
    case OomCause::Unexplained:
    case OomCause::Unknown: break;
    }
    return {};
}

std::string actionForCause(OomCause cause)
{
    switch (cause) {
    case OomCause::Fragmentation:
        return "Keep long-lived tensors out of the segments of large short-lived ones: make them first, or "
               "free the blocks that hold these segments";
    case OomCause::Divided: return "Free this much more: then the request fits in one piece";
    case OomCause::OtherPool:
        return "Make such tensors in the pool and on the stream whose memory is free, or give that back "
               "before: the allocator never lends it";
    case OomCause::ProcessCap:
        return "Raise the limit of this process (set_per_process_memory_fraction, "
               "per_process_memory_fraction), or free this much";
    case OomCause::ReserveTooSmall:
        return "Raise expandable_segments_reserve above the largest request: memory is not what is missing";
    case OomCause::CorruptRequest:
        return "Look for the size in the program: an index, a length or a file that is read as a number";
    case OomCause::AboveCapacity:
        return "Look at the shape of what is made there: no other setting, batch or GPU of that kind has "
               "room "
               "for it";
    case OomCause::AllocationLimit: return "Make it of smaller pieces: what is free does not matter";
    default: return "Free at least this much before this point";
    }
}

std::string disproofOf(OomCause cause)
{
    switch (cause) {
    case OomCause::Full:
    case OomCause::TooBig: return "Free bytes that the file does not show";
    case OomCause::ProcessCap:
    case OomCause::AllocationLimit:
    case OomCause::ReserveTooSmall: return "The same failure without that limit";
    case OomCause::CorruptRequest:
    case OomCause::AboveCapacity: return "A message with another size or capacity";
    default: return "A free run as large as the request in a segment of its pool and stream";
    }
}

std::string_view monitorOf(const OomFigures& figures)
{
    constexpr std::pair<std::string_view, std::string_view> kMonitors[] = {{"HIP", "amd-smi or rocm-smi"},
        {"ROCM", "amd-smi or rocm-smi"}, {"ROCm", "amd-smi or rocm-smi"}, {"NPU", "npu-smi"},
        {"CANN", "npu-smi"}, {"MLU", "cnmon"}, {"XPU", "xpu-smi"}, {"SYCL", "xpu-smi"},
        {"MUSA", "mthreads-gmi"}, {"MPS", "Activity Monitor"}, {"Metal", "Activity Monitor"}};
    for (const auto& [name, monitor] : kMonitors)
        if (figures.backend == name || figures.deviceKind == name)
            return monitor;
    const bool isNvidia = figures.backend.empty() || figures.backend == "CUDA" || figures.backend == "GPU";
    return isNvidia && figures.deviceKind != "TPU" ? "nvidia-smi" : "";
}

} // namespace highwater
