#include "core/analysis/detectors/failures/oom_cause_words.h"

#include <utility>

namespace highwater {

std::string_view causeRule(OomCause cause)
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
        return "Allocate long-lived tensors before large short-lived ones, or free the blocks that split "
               "these segments";
    case OomCause::OtherPool:
        return "Allocate such tensors in the pool and on the stream that has free memory, or release that "
               "memory first: pools and streams share none";
    case OomCause::ProcessCap:
        return "Raise the process's limit (set_per_process_memory_fraction, per_process_memory_fraction)";
    case OomCause::ReserveTooSmall:
        return "Raise expandable_segments_reserve above the largest request: there is enough memory";
    case OomCause::CorruptRequest:
        return "Find where the size comes from: an index, a length or a file read as a number";
    case OomCause::AboveCapacity:
        return "Check the shape of the requested tensor: no GPU of this kind has room for it";
    case OomCause::AllocationLimit: return "Allocate smaller pieces: free memory does not help";
    case OomCause::Unexplained:
        return "Check the allocator's settings and the limits of the process: enough memory was free";
    case OomCause::Nonsense:
        return "Record the failure again: the figures of its message contradict each other";
    default: return "Free some of what is in use before this point";
    }
}

std::string actionForRefusal()
{
    return "Set throw_on_cudamalloc_oom:False, so that PyTorch empties its cache and tries again, or free "
           "enough "
           "for the request";
}

std::string causeDisproof(OomCause cause)
{
    switch (cause) {
    case OomCause::AllocationLimit:
    case OomCause::ReserveTooSmall: return "Wrong if the run also fails without that limit";
    default: return {}; // the figures decide
    }
}

std::string_view monitorProgram(const OomFigures& figures)
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
