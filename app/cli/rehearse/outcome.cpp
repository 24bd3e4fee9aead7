#include "app/cli/rehearse/outcome.h"

#include <algorithm>

#include "app/cli/console/exit_code.h"
#include "app/cli/input/inputs.h"
#include "app/cli/input/run_diagnosis.h"
#include "core/analysis/steps/growth.h"

namespace highwater::cli {

namespace {

using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::RehearsalResult;
using rehearse::RehearsedProcess;

/// False for devices of other ranks, which have a context here but no memory.
bool isUsed(const Trace& trace, DeviceIndex device)
{
    for (std::int64_t event = 0; event < trace.eventCount(device); ++event)
        if (isAllocationAction(trace.events.action[trace.row(device, event)]))
            return true;
    return !trace.devices[device].outOfMemory.empty();
}

/// Judges the devices on which the process allocated.
std::vector<DeviceVerdict> judgeDevices(
    const Trace& trace, const RehearsalOutcome& outcome, const RehearsedProcess& process)
{
    std::vector<DeviceVerdict> verdicts;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        if (!isUsed(trace, i))
            continue;
        verdicts.push_back(rehearse::judge(
            DeviceStudy(trace, i), outcome.available, endOf(outcome.result, process), process.training));
        addWorkspaces(verdicts.back(), outcome.result.convolutionBytes);
    }
    return verdicts;
}

/// False for processes that allocated nothing and ended well, such as compilers.
bool isRelevant(const RehearsedProcess& process, const RehearsalResult& result)
{
    return !process.snapshotPath.empty() || process.isRunning || !process.threadError.empty()
        || (process.begin > 0 && endOf(result, process) == rehearse::End::Failed);
}

/// Returns what is left on the device that has least.
Bytes leastSpare(const RehearsalOutcome& outcome)
{
    Bytes least = outcome.available.most;
    for (const ProcessVerdict& process : outcome.processes)
        for (const DeviceVerdict& device : process.devices)
            least = std::min(least, device.spareBytes);
    return least;
}

/// Returns how many more steps these bytes last; nullopt if too few steps show what each keeps.
std::optional<std::int64_t> stepsLeft(const StepTable& steps, Bytes spare)
{
    const std::optional<StepGrowth> growth = growthPerStep(steps);
    return growth && growth->bytesPerStep > 0 ? std::optional(spare / growth->bytesPerStep) : std::nullopt;
}

/// Returns the verdict on a process without recorded allocations, by its end.
Fit fitWithoutSnapshot(rehearse::End end)
{
    return end == rehearse::End::Failed     ? Fit::Failed
        : end == rehearse::End::OutOfMemory ? Fit::DoesNotFit
                                            : Fit::Fits;
}

} // namespace

bool RehearsalOutcome::hasOtherTorch() const
{
    const auto installed = rehearse::torchVersionFrom(result.torchVersion);
    return target && installed && target->series() != installed->series();
}

bool RehearsalOutcome::hasRecorded() const
{
    return std::ranges::any_of(processes, [](const auto& process) { return !process.devices.empty(); });
}

bool RehearsalOutcome::hasUnknownReads() const
{
    return std::ranges::any_of(
        processes, [](const auto& process) { return !process.process.unsteered.empty(); });
}

bool RehearsalOutcome::fitsForNow() const
{
    const bool isEndedEarly = result.isInterrupted || std::ranges::any_of(processes, [](const auto& process) {
        return process.process.endedAfterSteps.has_value();
    });
    return fit == Fit::Fits && isEndedEarly && growth && growth->isFault;
}

bool RehearsalOutcome::isWorthRepeating() const
{
    if (!hasUnknownReads() || !hasRecorded() || result.isInterrupted)
        return false;
    return result.exitCode == 0 ? fit == Fit::Fits || fit == Fit::TooClose : fit == Fit::Failed;
}

std::vector<std::string> RehearsalOutcome::snapshots() const
{
    std::vector<std::string> paths;
    for (const ProcessVerdict& process : processes)
        if (!process.devices.empty())
            paths.push_back(process.process.snapshotPath);
    return paths;
}

int RehearsalOutcome::exitCode() const
{
    if (result.isInterrupted)
        return Interrupted;
    if (succeedsWithOtherValues())
        return Incomplete;
    if (!hasRecorded() || fit == Fit::Failed)
        return CannotRead;
    if (fit != Fit::Fits)
        return CheckFailed;
    return isIncomplete() ? Incomplete : Done;
}

RehearsalOutcome judgeRehearsal(const GpuModel& gpu, RehearsalResult result, const CommonOptions& options)
{
    RehearsalOutcome outcome{gpu, rehearse::availableMemory(gpu), std::move(result)};
    for (const RehearsedProcess& process : outcome.result.processes) {
        if (!isRelevant(process, outcome.result))
            continue;
        ProcessVerdict verdict{process, {}};
        if (const auto trace
            = process.snapshotPath.empty() ? nullptr : readSnapshot(process.snapshotPath, options))
            verdict.devices = judgeDevices(*trace, outcome, process);
        for (const DeviceVerdict& device : verdict.devices)
            outcome.fit = worse(outcome.fit, device.fit);
        if (verdict.devices.empty())
            outcome.fit = worse(outcome.fit, fitWithoutSnapshot(endOf(outcome.result, process)));
        outcome.processes.push_back(std::move(verdict));
    }
    if (!outcome.hasRecorded() && outcome.result.exitCode != 0 && !outcome.result.isInterrupted)
        outcome.fit = Fit::Failed;
    return outcome;
}

std::optional<MemoryGrowth> findMemoryGrowth(const RehearsalOutcome& outcome, const CommonOptions& options)
{
    const std::vector<std::string> snapshots = outcome.snapshots();
    const auto study = snapshots.empty() ? nullptr : studyOfRun(options, {{snapshots.front()}});
    if (!study)
        return std::nullopt;
    for (const char* const rule : {"growth", "still-rising"})
        if (const Finding* const finding = study->finding(rule)) {
            MemoryGrowth growth{finding->title, finding->remedy.action, finding->kind == FindingKind::Fault};
            if (study->device() && outcome.fit == Fit::Fits)
                growth.stepsLeft = stepsLeft(study->device()->steps, leastSpare(outcome));
            return growth;
        }
    return std::nullopt;
}

std::shared_ptr<const Trace> readSnapshot(const std::string& path, const CommonOptions& options)
{
    const LoadedInput input = loadInput(path, options);
    return input.imported ? input.imported->trace : nullptr;
}

} // namespace highwater::cli
