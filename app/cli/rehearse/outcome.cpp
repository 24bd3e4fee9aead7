#include "app/cli/rehearse/outcome.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/cli/console/exit_code.h"
#include "app/cli/input/inputs.h"

namespace highwater::cli {

namespace {

using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::RehearsalResult;
using rehearse::RehearsedProcess;

std::shared_ptr<const Trace> readSnapshot(const std::string& path, const CommonOptions& options)
{
    const LoadedInput input = loadInput(path, options);
    return input.imported ? input.imported->trace : nullptr;
}

/// Devices of other ranks have a context here and no memory.
bool isUsed(const Trace& trace, DeviceIndex device)
{
    for (std::int64_t event = 0; event < trace.eventCount(device); ++event)
        if (isBirth(trace.events.action[trace.row(device, event)]))
            return true;
    return !trace.devices[device].outOfMemory.empty();
}

std::vector<DeviceVerdict> judgeDevices(
    const Trace& trace, const RehearsalOutcome& outcome, rehearse::End end)
{
    std::vector<DeviceVerdict> verdicts;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i)
        if (isUsed(trace, i))
            verdicts.push_back(rehearse::judge(DeviceStudy(trace, i), outcome.available, end));
    return verdicts;
}

} // namespace

bool RehearsalOutcome::hasRecorded() const
{
    return std::ranges::any_of(processes, [](const auto& process) { return !process.devices.empty(); });
}

bool RehearsalOutcome::hasUnknownReads() const
{
    return std::ranges::any_of(
        processes, [](const auto& process) { return !process.process.unsteered.empty(); });
}

std::vector<std::string> RehearsalOutcome::missedCalls() const
{
    // Of these libraries nothing takes memory of the device that PyTorch's allocator gives.
    constexpr std::array<std::string_view, 4> kWatching{"nvml", "cupti", "nvtx", "cuFile"};
    std::vector<std::string> missed = result.unknownCalls;
    std::erase_if(missed, [&](const std::string& call) {
        return std::ranges::any_of(kWatching, [&](auto prefix) { return call.starts_with(prefix); });
    });
    return missed;
}

bool RehearsalOutcome::isWorthRepeating() const
{
    return hasUnknownReads() && hasRecorded() && result.exitCode == 0 && !result.isInterrupted
        && (fit == Fit::Fits || fit == Fit::TooClose);
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
        ProcessVerdict verdict{process, {}};
        if (const auto trace = readSnapshot(process.snapshotPath, options))
            verdict.devices = judgeDevices(*trace, outcome, endOf(outcome.result, process));
        for (const DeviceVerdict& device : verdict.devices)
            outcome.fit = worse(outcome.fit, device.fit);
        outcome.processes.push_back(std::move(verdict));
    }
    if (!outcome.hasRecorded() && outcome.result.exitCode != 0 && !outcome.result.isInterrupted)
        outcome.fit = Fit::Failed;
    return outcome;
}

SecondRun compareSecondRun(
    const RehearsalOutcome& first, const RehearsalResult& second, const CommonOptions& options)
{
    SecondRun found{second.exitCode, {}};
    if (second.exitCode != 0)
        return found;
    for (std::size_t i = 0; i < first.processes.size() && !found.difference; ++i) {
        const auto before = readSnapshot(first.processes[i].process.snapshotPath, options);
        const auto after
            = i < second.processes.size() ? readSnapshot(second.processes[i].snapshotPath, options) : nullptr;
        found.difference = before && after ? rehearse::firstDifference(*before, *after)
                                           : std::optional(rehearse::AllocationDifference{});
    }
    return found;
}

} // namespace highwater::cli
