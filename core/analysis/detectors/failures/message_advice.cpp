#include "core/analysis/detectors/failures/message_advice.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "core/analysis/detectors/failures/oom_cause_words.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxProcessesNamed = 16;

/// True if the run sets expandable segments, or if one could not be mapped: the cache is then hardly in
/// pieces.
bool usesExpandableSegments(const Trace& log)
{
    static const re2::RE2 kExpandable("(?i)expandable_segments:\\s*true");
    const bool isSet = std::ranges::any_of(log.metadata.configuration,
        [](const ConfigurationEntry& entry) { return re2::RE2::PartialMatch(entry.value, kExpandable); });
    return isSet || std::ranges::count(log.logEvents, "torch.mapping", &LogEvent::pattern) > 0;
}

/// Returns the setting against fragmentation that this release of PyTorch names in its message.
std::string settingFor(const LogEvent& event)
{
    static const re2::RE2 kVariable("(PYTORCH_(?:\\w+_)?ALLOC_CONF)");
    std::string variable;
    if (!re2::RE2::PartialMatch(event.text, kVariable, &variable))
        variable = event.figures->backend == "HIP" ? "PYTORCH_HIP_ALLOC_CONF" : "PYTORCH_CUDA_ALLOC_CONF";
    const bool isOlder
        = contains(event.text, "max_split_size_mb") && !contains(event.text, "expandable_segments");
    return isOlder ? "max_split_size_mb in " + variable : variable + "=expandable_segments:True";
}

/// True if the allocator has a setting against fragmentation, which would help.
bool settingHelps(const Trace& log, const LogEvent& event, const OomReading& reading)
{
    const std::string& backend = event.figures->backend;
    const bool isPyTorchOnGpu = backend.empty() || backend == "CUDA" || backend == "HIP" || backend == "GPU";
    return isPyTorchOnGpu && !event.figures->largestFree
        && (reading.fitsUnallocated || reading.cause == OomCause::Divided) && !usesExpandableSegments(log);
}

} // namespace

bool isSettledByMessage(OomCause cause)
{
    return cause == OomCause::ProcessCap || cause == OomCause::ReserveTooSmall
        || cause == OomCause::CorruptRequest || cause == OomCause::AboveCapacity
        || cause == OomCause::AllocationLimit;
}

bool blamesProcesses(const OomReading& reading)
{
    const Bytes cachedBytes = reading.fitsUnallocated ? reading.unallocated->bytes : 0;
    return reading.fitsWithoutForeign && reading.foreignBytes > cachedBytes
        && !isSettledByMessage(reading.cause) && !reading.notOnDevice
        && reading.cause != OomCause::Unexplained && reading.cause != OomCause::Nonsense;
}

std::string actionForProcesses(const std::set<std::int64_t>& processes, std::size_t requests)
{
    const std::size_t named = std::min(processes.size(), kMaxProcessesNamed);
    const auto end = std::next(processes.begin(), static_cast<std::ptrdiff_t>(named));
    const bool isOne = processes.size() == 1;
    return fmt::format("Find out what process{} {}{} {}; if left over, end {}: the request{}",
        isOne ? "" : "es", fmt::join(processes.begin(), end, ", "),
        named < processes.size() ? fmt::format(" and {} more", formatCount(processes.size() - named)) : "",
        isOne ? "is" : "are", isOne ? "it" : "them", requests == 1 ? " then fits" : "s then fit");
}

Remedy remedyForMessage(const Trace& log, const LogEvent& event, const OomReading& reading)
{
    if (reading.cause == OomCause::ProcessCap && event.figures->backend == "MPS")
        return {"Close other programs that use the GPU, lower the batch, or raise "
                "PYTORCH_MPS_HIGH_WATERMARK_RATIO"};
    if (isRejection(event))
        return {actionForRefusal()};
    if (isSettledByMessage(reading.cause))
        return {actionForCause(reading.cause)};
    // Other frameworks have settings and recorders of their own.
    if (!event.speaker.empty())
        return {"Lower the batch, the sequence length, or what the compiler keeps"};
    if (blamesProcesses(reading)) {
        std::set<std::int64_t> processes;
        for (const ProcessUse& process : reading.foreign)
            processes.insert(process.process);
        return {actionForProcesses(processes, 1), reading.foreignBytes, true};
    }
    if (settingHelps(log, event, reading) && !reading.notOnDevice && reading.unallocated)
        return {fmt::format("Set {}: {} of PyTorch's cache is free, but in pieces{}", settingFor(event),
                    formatBytes(reading.unallocated->bytes),
                    reading.cause == OomCause::Full ? "; on a nearly full GPU it may only delay the failure"
                                                    : ""),
            reading.unallocated->bytes, true};
    return {"Record a memory snapshot of this run: it shows what is in use when the request fails"};
}

} // namespace highwater
