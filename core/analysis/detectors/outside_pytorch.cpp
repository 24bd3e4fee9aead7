#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Findings of logs that repeat themselves without end.
constexpr std::size_t kMostOfALog = 64;

/// A CUDA context with its libraries takes up to about this much; on a small GPU its share of the capacity is
/// used instead.
constexpr Bytes kOrdinary = 2 * kGiB;
constexpr Bytes kOrdinaryShare = 10;

bool isMuch(Bytes outside, Bytes capacity)
{
    return outside > std::min(kOrdinary, capacity / kOrdinaryShare);
}

/// `whole`: what the bytes are a part of.
void finish(Finding& finding, const std::string& whole)
{
    finding.title = fmt::format(
        "{} of {} are in use outside of PyTorch's allocator", formatBytes(finding.bytes), whole);
    finding.wouldDisprove = "nvidia-smi at the same moment with less in use by other processes and by the "
                            "context; a GPU that is shared or split (MIG)";
    finding.remedy
        = {"Look with nvidia-smi at who holds it: another process, or libraries (NCCL, cuDNN) of this one",
            finding.bytes};
}

/// Of an out-of-memory event where another file or the user tells the capacity: what is neither reserved nor
/// free.
void addFromEvent(const DetectorInput& input, std::vector<Finding>& all)
{
    if (input.figures.ooms.empty() || input.figures.ooms.back().deviceFreeBytes < 0)
        return;
    std::optional<Bytes> capacity;
    if (input.capacity && !input.capacity->isLowerBound())
        capacity = input.capacity->bytes;
    for (const CompanionFile& file : input.companions)
        if (!capacity)
            capacity = loggedCapacity(*file.trace);
    const OomEvent& oom = input.figures.ooms.back();
    const Bytes reserved = input.study->curve.reservedAt(oom.event);
    if (!capacity || !isMuch(*capacity - reserved - oom.deviceFreeBytes, *capacity))
        return;
    Finding finding = findingAt(input, oom.event, "outside-pytorch", Grade::A, FindingKind::Fault);
    finding.bytes = *capacity - reserved - oom.deviceFreeBytes;
    finding.addEvidence(EventTarget{oom.event}, "capacity {} − reserved {} − free {} when memory ran out",
        formatBytes(*capacity), formatBytes(reserved), formatBytes(oom.deviceFreeBytes));
    finish(finding, "the device's " + formatBytes(*capacity));
    all.push_back(std::move(finding));
}

/// Within a container a message may list its own process under another number: one that uses a little more
/// than PyTorch holds.
bool isProbablyOwn(const OomFigures& figures, const ProcessUse& process, Bytes reserved)
{
    return !figures.processUsed && process.used.bytes >= reserved
        && process.used.bytes < reserved + kOrdinary;
}

std::string othersText(const OomFigures& figures, Bytes reserved)
{
    std::string text;
    for (const ProcessUse& process : figures.otherProcesses)
        text += fmt::format("{}process {} holds {}{}", text.empty() ? "" : ", ", process.process,
            formatBytes(process.used.bytes),
            isProbablyOwn(figures, process, reserved) ? " (probably this one)" : "");
    return text;
}

void addFromMessage(const LogEvent& event, std::size_t companion, std::vector<Finding>& all)
{
    const OomFigures& figures = *event.figures;
    const OomReading reading = readOom(figures);
    if (!figures.capacity || !figures.free || !reading.reserved || !reading.contradictions.empty())
        return;
    const Bytes capacity = figures.capacity->bytes;
    const Bytes reserved = reading.reserved->bytes;
    const Bytes outside = capacity - figures.free->bytes - reserved;
    if (!isMuch(outside, capacity))
        return;
    Finding finding{
        .rule = "outside-pytorch", .grade = Grade::A, .device = event.figures->device, .bytes = outside};
    finding.addEvidence(
        LogLineTarget{companion, event.line}, placeText(event) + ": " + figuresText(*event.figures));
    finding.addEvidence(LogLineTarget{companion, event.line}, "capacity {} − held by PyTorch {} − free {}",
        formatBytes(capacity), formatBytes(reserved), formatBytes(figures.free->bytes));
    if (reading.outsidePyTorch && *reading.outsidePyTorch > 0)
        finding.addEvidence(LogLineTarget{companion, event.line},
            "{} of it are of this process: the CUDA context and libraries",
            formatBytes(*reading.outsidePyTorch));
    if (const std::string others = othersText(figures, reserved); !others.empty())
        finding.addEvidence(LogLineTarget{companion, event.line}, others);
    finish(finding, "the device's " + formatBytes(capacity));
    all.push_back(std::move(finding));
}

/// What another file of the run says that the device holds at the peak, less what is reserved there.
void addFromSamples(const DetectorInput& input, const CompanionFile& file, std::vector<Finding>& all)
{
    const DeviceStudy& study = *input.study;
    const std::int64_t peak = input.figures.peakEvent;
    const ClockRelation clocks = clockRelation(study.trace.metadata.clock, file.trace->metadata.clock);
    const std::optional<Nanoseconds> offset = suggestedOffset(study.trace, *file.trace);
    if (peak < 0 || !study.trace.hasTimes(study.device) || clocks == ClockRelation::Unknown || !offset)
        return;
    const Nanoseconds time = study.trace.events.time[study.trace.row(study.device, peak)];
    for (const CompanionLine& line :
        companionLines(study.trace, study.device, {file.trace, file.name, *offset})) {
        if (line.quantity != Quantity::DeviceUsed)
            continue;
        const MemoryLevels levels
            = memoryLevelsAt(study.curve, study.allocations.quantity(), peak, time, &line);
        if (!levels.outside() || *levels.outside() <= kOrdinary)
            continue;
        Finding finding = findingAt(input, peak, "outside-pytorch",
            clocks == ClockRelation::Same ? Grade::B : Grade::C, FindingKind::Fault);
        finding.bytes = *levels.outside();
        finding.addEvidence(EventTarget{peak}, toText(levels));
        finish(finding, fmt::format("the {} in use on the device", formatBytes(*levels.deviceUsed)));
        all.push_back(std::move(finding));
        return;
    }
}

} // namespace

std::vector<Finding> findOutsidePyTorch(const DetectorInput& input)
{
    std::vector<Finding> all;
    if (input.study)
        addFromEvent(input, all);
    for (std::size_t i = 0; all.empty() && i < input.companions.size(); ++i) {
        const Trace& log = *input.companions[i].trace;
        for (const LogFailure& failure : logFailures(log))
            if (log.logEvents[failure.event].figures && all.size() < kMostOfALog)
                addFromMessage(log.logEvents[failure.event], i, all);
    }
    for (std::size_t i = 0; all.empty() && input.study && i < input.companions.size(); ++i)
        addFromSamples(input, input.companions[i], all);
    return all;
}

} // namespace highwater
