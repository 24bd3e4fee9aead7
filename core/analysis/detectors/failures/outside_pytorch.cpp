#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_rules.h"
#include "core/analysis/detectors/failures/logged_gpu.h"
#include "core/analysis/detectors/failures/message_advice.h"
#include "core/analysis/detectors/failures/message_title.h"
#include "core/analysis/detectors/failures/oom_cause_words.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Limit on the findings of all logs, and on the lines that one finding cites: some logs repeat a message
/// endlessly.
constexpr std::size_t kMaxOutsideFindings = 64;

/// Sets the title, remedy and disproof of a finding. `totalName` names the total that its bytes are a part
/// of.
void addTitleAndRemedy(
    Finding& finding, const std::string& totalName, std::string_view monitor = "nvidia-smi")
{
    finding.title
        = fmt::format("{} of {} is used outside PyTorch's allocator", formatBytes(finding.bytes), totalName);
    finding.wouldDisprove
        = "Wrong if the GPU is shared or split (MIG), or other processes and the CUDA context used less then";
    const bool isNvidia = monitor == "nvidia-smi";
    finding.remedy = {monitor.empty()
            ? "Find who holds this memory: another process, or libraries of this process"
            : fmt::format(
                "Find who holds this memory with {}: another process, or libraries{} of this process",
                monitor, isNvidia ? " (NCCL, cuDNN)" : ""),
        finding.bytes, true};
}

/// Adds the finding of an out-of-memory event: the bytes of the capacity that are neither reserved nor free.
/// The capacity must be exact, or come from a log.
void addFromEvent(const DetectorInput& input, std::vector<Finding>& findings)
{
    if (input.figures.ooms.empty() || input.figures.ooms.back().deviceFreeBytes < 0)
        return;
    std::optional<Bytes> capacity;
    if (input.capacity && !input.capacity->isLowerBound())
        capacity = input.capacity->bytes;
    else
        capacity = loggedGpu(*input.study, input.auxiliaryFiles).capacity;
    const OomEvent& oom = input.figures.ooms.back();
    if (oom.deviceFreeBytes >= segmentSize(oom.requestedBytes))
        return; // the memory outside did not cause the failure
    const std::optional<Bytes> reserved = input.study->curve.reservedAt(oom.event);
    if (!capacity || !reserved || !exceedsCudaContext(*capacity - *reserved - oom.deviceFreeBytes, *capacity))
        return;
    Finding finding = findingAt(input, oom.event, "outside-pytorch", Grade::A, FindingKind::Fault);
    finding.bytes = *capacity - *reserved - oom.deviceFreeBytes;
    finding.addEvidence(EventTarget{oom.event},
        "When memory ran out, {} was outside PyTorch: {} capacity − {} reserved − {} free",
        formatBytes(finding.bytes), formatBytes(*capacity), formatBytes(*reserved),
        formatBytes(oom.deviceFreeBytes));
    addTitleAndRemedy(finding, "the GPU's " + formatBytes(*capacity));
    findings.push_back(std::move(finding));
}

/// Ending the listed processes saves no more than they hold, whatever else is in use outside.
void limitSaving(const OomReading& reading, Finding& finding)
{
    if (!reading.foreign.empty())
        finding.remedy.savedBytes = std::min(finding.remedy.savedBytes, reading.foreignBytes);
}

/// Makes the finding of a message that lists other processes but lacks the totals of the device.
Finding listedFinding(const LogEvent& event, const OomReading& reading, std::size_t auxiliary)
{
    const OomFigures& figures = *event.figures;
    Finding finding{.rule = "outside-pytorch", .grade = Grade::B, .device = figures.device};
    finding.bytes = reading.listedProcessBytes;
    if (figures.outside)
        finding.bytes = figures.outside->bytes;
    addTitleAndRemedy(finding,
        figures.capacity ? "the GPU's " + formatBytes(figures.capacity->bytes) : "the GPU",
        monitorProgram(figures));
    finding.title = messageTitle(event, reading);
    limitSaving(reading, finding);
    finding.addEvidence(LogLineTarget{auxiliary, event.line}, messageLine(event));
    return finding;
}

/// Turns a finding into a fact about the libraries and the context of this process, since there is no other
/// process to end.
void turnIntoOwnMemory(Bytes ownBytes, Finding& finding)
{
    finding.kind = FindingKind::Fact;
    finding.bytes = ownBytes;
    finding.title = fmt::format("{} of this process is outside PyTorch's allocator", formatBytes(ownBytes));
    finding.remedy = {};
}

/// Makes the finding of a message. nullopt if a limit, the size of the request or impossible figures explain
/// the failure, if the device had room, or if little memory is outside and no other process is to blame.
std::optional<Finding> outsideFinding(const LogEvent& event, std::size_t auxiliary)
{
    const OomFigures& figures = *event.figures;
    const OomReading reading = readOom(event);
    if (reading.cause == OomCause::OtherProcess && (!figures.capacity || !figures.free || !reading.reserved))
        return listedFinding(event, reading, auxiliary);
    if (!figures.capacity || !figures.free || !reading.reserved || reading.notOnDevice
        || reading.cause == OomCause::Nonsense || reading.cause == OomCause::ProcessCap
        || reading.cause == OomCause::ReserveTooSmall || reading.cause == OomCause::AboveCapacity)
        return std::nullopt;
    if (figures.requested && figures.free->bytes >= segmentSize(figures.requested->bytes))
        return std::nullopt; // room was not missing, so the memory outside was not in the way
    const Bytes capacity = figures.capacity->bytes;
    const Bytes reserved = reading.reserved->bytes;
    const Bytes outsideBytes = capacity - figures.free->bytes - reserved;
    if (!exceedsCudaContext(outsideBytes, capacity))
        return std::nullopt;
    const Bytes ownBytes = reading.outsidePyTorch.value_or(0);
    Finding finding{.rule = "outside-pytorch", .grade = Grade::A, .device = event.figures->device};
    finding.bytes = reading.outsidePyTorch ? reading.otherProcessBytes.value_or(outsideBytes) : outsideBytes;
    const bool blamesOthers = reading.cause == OomCause::OtherProcess;
    if (blamesOthers)
        finding.title = messageTitle(event, reading);
    finding.addEvidence(LogLineTarget{auxiliary, event.line}, messageLine(event));
    finding.addEvidence(LogLineTarget{auxiliary, event.line},
        "{} is outside PyTorch: {} capacity − {} reserved − {} free", formatBytes(outsideBytes),
        formatBytes(capacity), formatBytes(reserved), formatBytes(figures.free->bytes));
    if (ownBytes > 0)
        finding.addEvidence(LogLineTarget{auxiliary, event.line},
            "{} of the memory outside PyTorch belongs to this process: the CUDA context and libraries",
            formatBytes(ownBytes));
    if (!reading.foreign.empty() && !blamesOthers)
        finding.addEvidence(LogLineTarget{auxiliary, event.line}, upperFirst(processesText(reading.foreign)));
    addTitleAndRemedy(finding, "the GPU's " + formatBytes(capacity), monitorProgram(figures));
    if (reading.outsidePyTorch && !exceedsCudaContext(finding.bytes, capacity))
        turnIntoOwnMemory(ownBytes, finding);
    else if (figures.requested && finding.bytes >= std::max(figures.requested->bytes, capacity / 4))
        finding.title = outsideTitle(event, finding.bytes); // enough to be what the request lacked
    if (blamesOthers) {
        finding.title = messageTitle(event, reading);
        limitSaving(reading, finding);
    }
    return finding;
}

/// Adds one finding per request of a log, since several ranks may report the same failure.
void addMessagesOfLog(const DetectorInput& input, std::size_t auxiliary, std::vector<Finding>& findings)
{
    const Trace& log = *input.auxiliaryFiles[auxiliary].trace;
    std::map<std::pair<Bytes, Bytes>, std::size_t> findingOfRequest;
    std::map<std::size_t, std::set<std::int64_t>> processes; // processes to end, by finding
    std::map<std::size_t, std::size_t> requests; // failed requests that need this, by finding
    for (const LogFailure& failure : logFailures(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        std::optional<Finding> finding = event.figures ? outsideFinding(event, auxiliary) : std::nullopt;
        if (!finding)
            continue;
        const Bytes requested = event.figures->requested ? event.figures->requested->bytes : 0;
        const auto [entry, isNew]
            = findingOfRequest.try_emplace({requested, finding->bytes}, findings.size());
        if (isNew && findings.size() == kMaxOutsideFindings)
            break;
        const OomReading reading = readOom(event);
        if (isNew)
            findings.push_back(std::move(*finding));
        else if (findings[entry->second].evidence.size() < kMaxOutsideFindings)
            findings[entry->second].addEvidence(LogLineTarget{auxiliary, event.line},
                "The same happens at {}{}{}", placeText(event), reading.foreign.empty() ? "" : ": ",
                processesText(reading.foreign));
        if (reading.cause != OomCause::OtherProcess)
            continue;
        if (reading.foreign.empty())
            continue; // the message gives only their sum
        std::set<std::int64_t>& named = processes[entry->second];
        for (const ProcessUse& process : reading.foreign)
            named.insert(process.process);
        ++requests[entry->second];
    }
    for (const auto& [finding, named] : processes)
        findings[finding].remedy.action = actionForProcesses(named, requests[finding]);
}

/// Adds the finding of a sampled file: the memory in use on the device at the peak, minus the bytes that
/// PyTorch reserves then. It is a fault only if a request failed: a run that has room may share its GPU.
void addFromSamples(const DetectorInput& input, const AuxiliaryFile& file, std::vector<Finding>& findings)
{
    const DeviceStudy& study = *input.study;
    const std::int64_t peak = input.figures.peakEvent;
    const ClockRelation clocks = clockRelation(study.trace.metadata.clock, file.trace->metadata.clock);
    const std::optional<Nanoseconds> offset = suggestedOffset(study.trace, *file.trace);
    if (peak < 0 || !study.trace.hasTimes(study.device) || clocks == ClockRelation::Unknown || !offset)
        return;
    const Nanoseconds time = study.trace.events.time[study.trace.row(study.device, peak)];
    for (const AuxiliaryLine& line :
        auxiliaryLines(study.trace, study.device, {file.trace, file.name, *offset})) {
        if (line.quantity != Quantity::DeviceUsed)
            continue;
        const MemoryLevels levels
            = memoryLevelsAt(study.curve, study.allocations.quantity(), peak, time, &line);
        if (!levels.outside() || !exceedsCudaContext(*levels.outside()))
            continue;
        const bool hasFailed = !input.figures.ooms.empty();
        Finding finding
            = findingAt(input, peak, "outside-pytorch", clocks == ClockRelation::Same ? Grade::B : Grade::C,
                hasFailed ? FindingKind::Fault : FindingKind::Fact);
        finding.bytes = *levels.outside();
        finding.addEvidence(EventTarget{peak}, toText(levels));
        addTitleAndRemedy(finding, fmt::format("the {} in use on the GPU", formatBytes(*levels.deviceUsed)));
        if (!hasFailed)
            finding.remedy = {};
        findings.push_back(std::move(finding));
        return;
    }
}

} // namespace

std::vector<Finding> findOutsidePyTorch(const DetectorInput& input)
{
    std::vector<Finding> findings;
    if (input.study)
        addFromEvent(input, findings);
    for (std::size_t i = 0; findings.empty() && i < input.auxiliaryFiles.size(); ++i)
        addMessagesOfLog(input, i, findings);
    for (std::size_t i = 0; findings.empty() && input.study && i < input.auxiliaryFiles.size(); ++i)
        addFromSamples(input, input.auxiliaryFiles[i], findings);
    return findings;
}

} // namespace highwater
