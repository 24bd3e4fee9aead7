#include "app/rehearse/verdict.h"

#include <algorithm>

#include "core/analysis/device/device_figures.h"

namespace highwater::rehearse {

std::string_view toText(Fit fit)
{
    switch (fit) {
    case Fit::Fits: return "fits";
    case Fit::TooClose: return "too-close";
    case Fit::Failed: return "failed";
    default: return "does-not-fit";
    }
}

std::string_view toText(End end)
{
    switch (end) {
    case End::Finished: return "finished";
    case End::Stopped: return "stopped";
    case End::OutOfMemory: return "out-of-memory";
    default: return "failed";
    }
}

AvailableMemory availableMemory(const GpuModel& gpu)
{
    return {std::max<Bytes>(0, gpu.leastReported - gpu.profile.mostOutside),
        std::max<Bytes>(0, gpu.mostReported - gpu.profile.leastOutside)};
}

End endOf(const RehearsalResult& result, const RehearsedProcess& process)
{
    if (process.exception == LastException::OutOfMemory)
        return End::OutOfMemory;
    if (result.isInterrupted)
        return End::Stopped;
    const bool wasKilled = process.begin > 0 && !process.hasEnded && !process.isRunning;
    const bool hasOtherException = process.exception == LastException::Other;
    if ((hasOtherException && process.begin > 0) || wasKilled)
        return End::Failed;
    if (result.exitCode != 0)
        return process.outOfMemory && !hasOtherException ? End::OutOfMemory : End::Failed;
    // A process that trains nothing, such as a server, is normally ended by SIGTERM.
    return process.isStopped && process.training.optimizers > 0 ? End::Stopped : End::Finished;
}

namespace {

/// Returns the first event of the part by which the device is judged: the first allocation after the last
/// out-of-memory error; until then the script only frees memory. −1 means the whole run; nullopt means that
/// nothing was allocated after the error.
std::optional<std::int64_t> firstJudgedEvent(const DeviceStudy& study)
{
    if (study.figures.ooms.empty())
        return -1;
    for (std::int64_t event = study.figures.ooms.back().event + 1; event < study.figures.eventCount; ++event)
        if (isAllocationAction(study.trace.events.action[study.trace.row(study.device, event)]))
            return event;
    return std::nullopt;
}

/// Returns the most that was reserved from this event on; −1 means in the whole run.
Bytes reservedPeak(const DeviceStudy& study, std::int64_t first)
{
    if (first < 0)
        return study.figures.reservedPeakBytes;
    Bytes peak = study.curve.reservedAt(first).value_or(0);
    for (const UsageCurve::ReservedChange& change : study.curve.reservedChanges())
        if (change.event > first)
            peak = std::max(peak, change.bytes);
    return peak;
}

/// Counts the steps that are complete and not guessed.
std::int64_t completeSteps(const StepTable& steps)
{
    return std::ranges::count_if(steps.steps, [](const Step& step) {
        return step.source != StepSource::Whole && step.grade != Grade::C && step.isCounted()
            && step.isComplete;
    });
}

Fit fitOf(const DeviceVerdict& verdict, bool hasGoneOn, End end, const OptimizerSteps& training)
{
    if (verdict.oomCount > 0 && (end == End::OutOfMemory || !hasGoneOn))
        return Fit::DoesNotFit;
    const bool hasTrainedNothing = training.optimizers > 0 && training.steps == 0;
    const bool isTooShort = end == End::Stopped && (hasTrainedNothing || verdict.steps == 0);
    if (end == End::OutOfMemory || end == End::Failed || isTooShort)
        return Fit::Failed;
    return verdict.spareBytes >= 0 ? Fit::Fits : Fit::TooClose;
}

/// Returns the missing bytes as a negative number: the least available memory minus what was reserved and
/// refused. The rehearsal had the most memory, so more than the range of the available memory is missing,
/// unless the script limited itself to less; then the range and the refused request are missing.
Bytes missingBytes(const DeviceVerdict& verdict, const AvailableMemory& available)
{
    const Bytes left = verdict.spareBytes - verdict.refusedBytes;
    const Bytes least = available.least - available.most;
    return left < least ? left : least - verdict.refusedBytes;
}

} // namespace

DeviceVerdict judge(
    const DeviceStudy& study, const AvailableMemory& available, End end, const OptimizerSteps& training)
{
    const DeviceFigures& figures = study.figures;
    const std::optional<std::int64_t> first = firstJudgedEvent(study);
    const bool isWhole = end == End::OutOfMemory || !first;
    const CurvePeak peak = study.curve.peak(isWhole ? -1 : *first, study.curve.eventCount());
    DeviceVerdict verdict;
    verdict.device = study.about().ordinal;
    verdict.peakBytes = peak.bytes;
    verdict.reservedPeakBytes = reservedPeak(study, isWhole ? -1 : *first);
    verdict.mostReservedBytes = verdict.reservedPeakBytes;
    verdict.spareBytes = available.least - verdict.reservedPeakBytes;
    verdict.steps = completeSteps(study.steps);
    verdict.oomCount = static_cast<std::int64_t>(figures.ooms.size());
    if (!figures.ooms.empty())
        verdict.refusedBytes = figures.ooms.back().requestedBytes;
    // A script that trains has continued only if it has made another optimizer step.
    const bool hasGoneOn = first && (training.optimizers == 0 || training.afterOutOfMemory.value_or(1) > 0);
    verdict.fit = fitOf(verdict, hasGoneOn, end, training);
    if (verdict.fit == Fit::DoesNotFit)
        verdict.spareBytes = missingBytes(verdict, available);
    if (const auto step = study.steps.stepOf(peak.event); step && study.steps.source != StepSource::Whole) {
        verdict.peakStep = study.steps.steps[*step].name;
        if (study.steps.steps[*step].peakPhase != Phase::Unknown)
            verdict.peakPhase = toText(study.steps.steps[*step].peakPhase);
    }
    return verdict;
}

bool DeviceVerdict::isSameAs(const DeviceVerdict& other) const
{
    DeviceVerdict renamed = other;
    renamed.device = device;
    return renamed == *this;
}

Bytes spareInTheMiddle(const DeviceVerdict& verdict, const AvailableMemory& available)
{
    const Bytes range = verdict.mostReservedBytes - verdict.reservedPeakBytes;
    return verdict.spareBytes + (range + available.most - available.least) / 2;
}

Bytes mostWorkspaceBytes(Bytes convolutionBytes, Bytes reservedBytes)
{
    // Engines convert the tensors to another layout in the workspace, which also splits the allocator's
    // blocks: 95% of the runs that were measured on real GPUs stay below 2.7 times the convolution,
    // and all below 42% of what is reserved (tests/bench/rehearse/workspaces.py). A convolution that
    // makes up most of a run has its own workspace all the same: of those measured alone, 9 in 10 stay
    // below 1.3 (samples/record/measured/cudnn-workspaces.tsv).
    const Bytes tenth = convolutionBytes / 10;
    return std::min(tenth * 27, std::max(reservedBytes / 100 * 42, tenth * 13));
}

void addWorkspaces(DeviceVerdict& verdict, Bytes convolutionBytes)
{
    if (verdict.fit != Fit::Fits && verdict.fit != Fit::TooClose)
        return;
    const Bytes workspaceBytes = mostWorkspaceBytes(convolutionBytes, verdict.reservedPeakBytes);
    verdict.mostReservedBytes += workspaceBytes;
    verdict.spareBytes -= workspaceBytes;
    verdict.fit = verdict.spareBytes >= 0 ? Fit::Fits : Fit::TooClose;
}

Fit worse(Fit a, Fit b)
{
    return std::max(a, b);
}

} // namespace highwater::rehearse
