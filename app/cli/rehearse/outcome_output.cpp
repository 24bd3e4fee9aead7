#include "app/cli/rehearse/outcome_output.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "app/cli/rehearse/gaps.h"
#include "app/cli/rehearse/target_torch.h"
#include "app/cli/rehearse/verdict_text.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::HostRead;

std::string peakText(const DeviceVerdict& device)
{
    if (!device.peakStep)
        return {};
    return fmt::format("    peak of {} in use in {}{}\n", formatBytes(device.peakBytes),
        sanitizedText(*device.peakStep), device.peakPhase.empty() ? "" : " (" + device.peakPhase + ")");
}

/// Returns "rank 0"; the process's name or number if it has no rank or shares the rank with another process.
std::string processName(const RehearsalOutcome& outcome, const ProcessVerdict& process)
{
    const std::optional<int> rank = process.process.rank;
    const auto same = std::ranges::count_if(
        outcome.processes, [&](const ProcessVerdict& other) { return other.process.rank == rank; });
    if (rank && same == 1)
        return fmt::format("rank {}", *rank);
    return process.process.name.empty() ? fmt::format("process {}", process.process.pid)
                                        : sanitizedText(process.process.name);
}

/// True if all processes are ranks that use one device each, with the same figures to the byte.
bool areRanksAlike(const std::vector<ProcessVerdict>& processes)
{
    const auto isLikeFirst = [&](const ProcessVerdict& process) {
        return process.process.rank && process.devices.size() == 1
            && process.devices.front().isSameAs(processes.front().devices.front());
    };
    return processes.size() > 1 && !processes.front().devices.empty()
        && std::ranges::all_of(processes, isLikeFirst);
}

void printVerdicts(const RehearsalOutcome& outcome)
{
    if (areRanksAlike(outcome.processes)) {
        const DeviceVerdict& device = outcome.processes.front().devices.front();
        printOut("  all {} ranks alike, {}\n{}", outcome.processes.size(),
            verdictSentence(device, outcome.processes.front().process, outcome), peakText(device));
        return;
    }
    for (const ProcessVerdict& process : outcome.processes) {
        const std::string processPrefix
            = outcome.processes.size() > 1 ? processName(outcome, process) + ", " : std::string();
        if (process.devices.empty() && !process.process.isRunning)
            printOut("  {}{}: {} and left no snapshot\n", processPrefix,
                endOf(outcome.result, process.process) == rehearse::End::OutOfMemory
                    ? "does not fit: out of memory"
                    : "failed",
                processEndClause(process.process, outcome.result));
        for (const DeviceVerdict& device : process.devices) {
            const std::string devicePrefix
                = process.devices.size() > 1 ? fmt::format("cuda:{}, ", device.device) : "";
            printOut("  {}{}{}\n{}", processPrefix, devicePrefix,
                verdictSentence(device, process.process, outcome), peakText(device));
        }
    }
}

/// True if the command or a process failed, rather than doing too little.
bool hasFailed(const RehearsalOutcome& outcome)
{
    return outcome.result.exitCode != 0
        || std::ranges::any_of(outcome.processes, [&](const ProcessVerdict& process) {
               return endOf(outcome.result, process.process) == rehearse::End::Failed;
           });
}

/// Prints that nothing was trained: inference is judged like training, and a script that never reached its
/// training looks the same.
void printThatNothingWasTrained(const RehearsalOutcome& outcome)
{
    const bool hasTrained = std::ranges::any_of(outcome.processes, [](const ProcessVerdict& process) {
        return process.process.training.optimizers > 0
            || std::ranges::any_of(
                process.devices, [](const DeviceVerdict& device) { return device.steps > 0; });
    });
    if (!hasTrained)
        printOut("  no optimizer was used, so a run without training is judged\n");
}

/// Prints what the verdict assumes about trained parameters in host memory, and about the user's functions
/// that get losses, metrics or tokens.
void printAssumptions(const RehearsalOutcome& outcome)
{
    std::set<std::string> listeners;
    bool areParametersOnHost = false;
    for (const ProcessVerdict& process : outcome.processes) {
        listeners.insert(process.process.listeners.begin(), process.process.listeners.end());
        areParametersOnHost = areParametersOnHost || process.process.training.areParametersOnHost;
    }
    if (areParametersOnHost)
        printOut("  the optimizer trains parameters in host memory; they take no GPU memory\n");
    if (!listeners.empty())
        printOut("  losses, metrics and tokens are not real; what {} decides by them is not judged\n",
            sanitizedText(fmt::format("{}", fmt::join(listeners, ", "))));
}

std::string placeOf(const HostRead& read)
{
    return read.line > 0 ? fmt::format("{}:{}", sanitizedText(read.file), read.line)
                         : sanitizedText(read.file);
}

/// Prints the first places where values are read back: the script may have failed because they are 0.
void printFirstReads(const RehearsalOutcome& outcome)
{
    constexpr int kMaxPlaces = 3;
    int count = 0;
    for (const ProcessVerdict& process : outcome.processes)
        for (const HostRead& read : process.process.unsteered)
            if (count++ < kMaxPlaces)
                printErr("highwater: values read back are 0 here, perhaps the reason: {} ({})\n",
                    placeOf(read), sanitizedText(read.what));
}

/// Prints that the values that were read back change nothing, or where they are read back. Prints nothing if
/// a rule decided all of them.
void printReadBacks(const RehearsalOutcome& outcome)
{
    if (!outcome.hasUnknownReads())
        return;
    if (outcome.second && outcome.second->isEqual() && !outcome.succeedsWithOtherValues()) {
        printOut("  repeated with {} in place of 0 for values read back; all allocations were the same, "
                 "which suggests that no value decides a size\n",
            otherValues(*outcome.second));
        if (outcome.second->difference)
            printOut("  the first run differs from both, since the command found files that it had written "
                     "before\n");
        return;
    }
    printOut("  {}. Places where values are read back:\n", whyIncomplete(outcome.second));
    for (const ProcessVerdict& process : outcome.processes)
        for (const HostRead& read : process.process.unsteered)
            printOut("    {}: {}, {}\n", placeOf(read), sanitizedText(read.what),
                counted(read.count, "time", "times"));
}

/// Prints that the command was ended early, by the user or by `--max-steps`.
void printEnd(const RehearsalOutcome& outcome)
{
    std::optional<std::int64_t> steps;
    for (const ProcessVerdict& process : outcome.processes)
        if (process.process.endedAfterSteps)
            steps = std::max(steps.value_or(0), *process.process.endedAfterSteps);
    if (outcome.result.isInterrupted)
        printOut("  interrupted; the rest is not judged\n");
    if (steps)
        printOut("  ended after {}; the rest is not judged\n",
            counted(*steps, "optimizer step", "optimizer steps"));
}

/// Prints what was not judged, and which sizes differ from those on a real GPU.
void printDifferences(const RehearsalOutcome& outcome)
{
    for (const ProcessVerdict& process : outcome.processes)
        if (process.process.isStopped && !outcome.result.isInterrupted)
            printOut("  process {} was stopped by another process after {} of its optimizer; the rest is not "
                     "judged\n",
                process.process.pid, counted(process.process.training.steps, "step", "steps"));
    for (const std::string& gap : outcome.gaps)
        printOut("  not judged: {}\n", gap);
    for (const std::string& difference : outcome.result.inexact)
        printOut("  not exact: {}\n", sanitizedText(difference));
}

} // namespace

void printGrowth(const MemoryGrowth& growth)
{
    printOut("  {}{}\n  {}\n", sanitizedText(growth.title),
        growth.stepsLeft ? fmt::format(
            "; memory would run out after about {}", counted(*growth.stepsLeft, "more step", "more steps"))
                         : "",
        sanitizedText(growth.action));
}

void printDoubts(const RehearsalOutcome& outcome)
{
    if (outcome.fit == Fit::DoesNotFit || outcome.fit == Fit::Failed)
        return;
    if (outcome.growth)
        printGrowth(*outcome.growth);
    printThatNothingWasTrained(outcome);
    printAssumptions(outcome);
    printReadBacks(outcome);
    printDifferences(outcome);
}

void printOutcome(const RehearsalOutcome& outcome)
{
    printOut("rehearsed on a simulated {}: real allocator and stacks, nothing computed\n", outcome.gpu.name);
    printVerdicts(outcome);
    printOtherTorch(outcome);
    printEnd(outcome);
    if (outcome.succeedsWithOtherValues())
        printReadBacks(outcome);
    printDoubts(outcome);
    if (outcome.fit == Fit::DoesNotFit && outcome.growth)
        printGrowth(*outcome.growth);
    if (outcome.fit == Fit::DoesNotFit && outcome.hasUnknownReads())
        printOut("  values read back are 0 here; this may be why memory ran out (standard error lists the "
                 "places)\n");
    for (const std::string& path : outcome.snapshots())
        printOut("  snapshot: {}\n", sanitizedText(path));
}

void printShortcomings(const RehearsalOutcome& outcome)
{
    if (!outcome.hasRecorded() && outcome.fit == Fit::Failed)
        printErr("highwater: {} {}\n", commandEndClause(outcome.result),
            outcome.processes.empty() ? "before it used the simulated GPU" : "and left no snapshot");
    else if (!outcome.hasRecorded())
        printErr("highwater: the command ended (exit code {}) and left no memory history: {}\n",
            outcome.result.exitCode,
            outcome.result.processes.empty()
                ? "it did not use the simulated GPU"
                : "PyTorch's allocator recorded nothing (with --history script, the script must record)");
    else if (outcome.result.isInterrupted)
        printErr("highwater: the command was interrupted and is judged up to then\n");
    else if (outcome.fit == Fit::Failed && !outcome.succeedsWithOtherValues())
        printErr("highwater: {}; whether the rest would fit is unknown\n",
            hasFailed(outcome) ? commandEndClause(outcome.result) : "no training step was complete");
    if (const std::string missed = unsimulatedText(outcome); outcome.fit == Fit::Failed && !missed.empty())
        printErr("highwater: {}\n", missed);
    const bool mayFailByReads = outcome.fit == Fit::DoesNotFit
        || (outcome.fit == Fit::Failed && !outcome.result.isInterrupted
            && !outcome.succeedsWithOtherValues());
    if (mayFailByReads)
        printFirstReads(outcome);
    if (outcome.fit == Fit::Failed || !outcome.hasRecorded())
        for (const std::string& remark : outcome.result.remarks)
            printErr("highwater: {}\n", sanitizedText(remark));
}

} // namespace highwater::cli
