#include "app/cli/rehearse/outcome_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;
using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::HostRead;
using rehearse::RehearsalResult;

Json deviceVerdictJson(const DeviceVerdict& device)
{
    return {{"device", device.device}, {"verdict", toText(device.fit)}, {"peak_bytes", device.peakBytes},
        {"reserved_peak_bytes", device.reservedPeakBytes}, {"spare_bytes", device.spareBytes},
        {"peak_step", orNull(device.peakStep)},
        {"peak_phase", device.peakPhase.empty() ? Json(nullptr) : Json(device.peakPhase)},
        {"ooms", device.ooms}, {"refused_bytes", device.refusedBytes}};
}

Json processJson(const ProcessVerdict& verdict)
{
    Json devices = Json::array();
    for (const DeviceVerdict& device : verdict.devices)
        devices.push_back(deviceVerdictJson(device));
    Json unsteered = Json::array();
    for (const HostRead& read : verdict.process.unsteered)
        unsteered.push_back({{"file", sanitizedText(read.file)}, {"line", read.line}, {"what", read.what},
            {"count", read.count}});
    return {{"path", verdict.process.snapshotPath}, {"rank", orNull(verdict.process.rank)},
        {"ended_after_steps", orNull(verdict.process.endedAfterSteps)}, {"devices", devices},
        {"unsteered_reads", unsteered}};
}

Json secondRunJson(const std::optional<SecondRun>& second)
{
    if (!second)
        return nullptr;
    const std::string first = second->difference ? second->difference->requester : std::string();
    return {{"equal", second->isEqual()}, {"command_exit_code", second->exitCode},
        {"first_difference", first.empty() ? Json(nullptr) : Json(sanitizedText(first))}};
}

std::string failure(const DeviceVerdict& device, const RehearsalResult& result)
{
    const std::string what = result.isInterrupted ? std::string("stopped")
        : result.exitCode != 0                    ? fmt::format("failed with exit code {}", result.exitCode)
                                                  : std::string("ended");
    const std::string when = device.steps == 0
        ? std::string("before its first training step was complete")
        : "after " + counted(device.steps, "training step", "training steps");
    return fmt::format("failed: the command {} {}; {} reserved until then", what, when,
        formatBytes(device.reservedPeakBytes));
}

std::string sentence(const DeviceVerdict& device, const RehearsalOutcome& outcome)
{
    const std::string reserved = formatBytes(device.reservedPeakBytes);
    const std::string times = device.ooms == 1 ? "once" : counted(device.ooms, "time", "times");
    const std::string recovered = device.ooms > 0 ? fmt::format("; recovered from {}",
                                      counted(device.ooms, "out-of-memory error", "out-of-memory errors"))
                                                  : std::string();
    const bool isOpen = device.fit == Fit::Fits || device.fit == Fit::TooClose;
    if (isOpen && outcome.isIncomplete())
        return fmt::format(
            "undecided: {} reserved at the peak{}, of {} to {} that PyTorch gets of such a GPU{}", reserved,
            outcome.mayBeSizedByReads() ? " where values that are read back are 0" : "",
            formatBytes(outcome.available.least), formatBytes(outcome.available.most), recovered);
    switch (device.fit) {
    case Fit::DoesNot:
        return fmt::format("does not fit: ran out of memory {}; {} reserved at the peak, {} more wanted",
            times, reserved, formatBytes(device.refusedBytes));
    case Fit::Failed: return failure(device, outcome.result);
    case Fit::TooClose:
        return fmt::format(
            "too close to tell: {} reserved at the peak, PyTorch gets {} to {} of such a GPU{}", reserved,
            formatBytes(outcome.available.least), formatBytes(outcome.available.most), recovered);
    default:
        return fmt::format("fits: {} reserved at the peak, at least {} to spare{}", reserved,
            formatBytes(device.spareBytes), recovered);
    }
}

std::string peakText(const DeviceVerdict& device)
{
    if (!device.peakStep)
        return {};
    return fmt::format("    peak of {} requested in {}{}\n", formatBytes(device.peakBytes),
        sanitizedText(*device.peakStep), device.peakPhase.empty() ? "" : " (" + device.peakPhase + ")");
}

std::string processName(const ProcessVerdict& process)
{
    return process.process.rank ? fmt::format("rank {}", *process.process.rank)
                                : sanitizedText(process.process.name);
}

/// Ranks that use one device each and come to the same, to the byte.
bool areAlike(const std::vector<ProcessVerdict>& processes)
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
    if (areAlike(outcome.processes)) {
        const DeviceVerdict& device = outcome.processes.front().devices.front();
        printOut("  all {} ranks alike, {}\n{}", outcome.processes.size(), sentence(device, outcome),
            peakText(device));
        return;
    }
    for (const ProcessVerdict& process : outcome.processes)
        for (const DeviceVerdict& device : process.devices) {
            const std::string who = outcome.processes.size() > 1 ? processName(process) + ", " : "";
            const std::string which
                = process.devices.size() > 1 ? fmt::format("cuda:{}, ", device.device) : "";
            printOut("  {}{}{}\n{}", who, which, sentence(device, outcome), peakText(device));
        }
}

std::string whyIncomplete(const std::optional<SecondRun>& second)
{
    if (!second)
        return "values read back from the device, which are 0 here, may have decided sizes. They are read at";
    if (second->exitCode != 0)
        return fmt::format("with 1 in place of 0 for values that are read back, the command fails "
                           "with exit code {}. They are read at",
            second->exitCode);
    const std::string& first = second->difference->requester;
    return fmt::format("values that are read back decide sizes: with 1 in place of 0, {} is the "
                       "first to allocate something else. They are read at",
        first.empty() ? "what has no stack" : sanitizedText(first));
}

/// Of what was read back: that it changes nothing, or where it may.
void printReads(const RehearsalOutcome& outcome)
{
    if (!outcome.hasUnknownReads())
        return;
    if (outcome.second && outcome.second->isEqual()) {
        printOut("  repeated with 1 in place of 0 for the values that were read back: no value changed an "
                 "allocation\n");
        return;
    }
    printOut("  {}\n", whyIncomplete(outcome.second));
    for (const ProcessVerdict& process : outcome.processes)
        for (const HostRead& read : process.process.unsteered)
            printOut("    {}:{}: {}, {}\n", sanitizedText(read.file), read.line, sanitizedText(read.what),
                counted(read.count, "time", "times"));
}

/// The command was ended on request.
void printEnd(const RehearsalOutcome& outcome)
{
    std::optional<int> steps;
    for (const ProcessVerdict& process : outcome.processes)
        if (process.process.endedAfterSteps)
            steps = std::max(steps.value_or(0), *process.process.endedAfterSteps);
    if (steps)
        printOut("  ended after {}: what comes later is not judged\n",
            counted(*steps, "optimizer step", "optimizer steps"));
}

/// Of what failed or was guessed on the simulated GPU alone.
void printDifferences(const RehearsalOutcome& outcome)
{
    const std::vector<std::string> missed = outcome.missedCalls();
    if (!missed.empty())
        printOut("  Highwater does not simulate {}: what the command did without is judged\n",
            fmt::join(missed, ", "));
    for (const std::string& what : outcome.result.inexact)
        printOut("  not exact: {}\n", sanitizedText(what));
}

/// What a command can do to go on without calls that Highwater does not simulate.
std::string wayAround(const std::vector<std::string>& missed)
{
    std::string text = fmt::format("Highwater does not simulate {}", fmt::join(missed, ", "));
    if (std::ranges::any_of(missed, [](const auto& call) { return call.starts_with("cudnn"); }))
        text += "; with torch.backends.cudnn.enabled = False PyTorch does without cuDNN";
    return text;
}

} // namespace

Json outcomeJson(const RehearsalOutcome& outcome)
{
    Json processes = Json::array();
    for (const ProcessVerdict& process : outcome.processes)
        processes.push_back(processJson(process));
    return {{"gpu", outcome.gpu.name}, {"available_least_bytes", outcome.available.least},
        {"available_most_bytes", outcome.available.most},
        {"verdict", outcome.knowsVerdict() ? Json(toText(outcome.fit)) : Json(nullptr)},
        {"complete", !outcome.isIncomplete()}, {"second_run", secondRunJson(outcome.second)},
        {"command_exit_code", outcome.result.exitCode}, {"torch", outcome.result.torchVersion},
        {"processes", processes}, {"unknown_calls", outcome.result.unknownCalls},
        {"inexact", outcome.result.inexact}};
}

void printOutcome(const RehearsalOutcome& outcome)
{
    printOut("rehearsed on a simulated {}: real allocator and stacks, nothing computed\n", outcome.gpu.name);
    printVerdicts(outcome);
    printEnd(outcome);
    if (outcome.fit != Fit::DoesNot && outcome.fit != Fit::Failed) {
        printReads(outcome);
        printDifferences(outcome);
    }
    for (const ProcessVerdict& process : outcome.processes)
        printOut("  snapshot: {}\n", sanitizedText(process.process.snapshotPath));
}

void printShortcomings(const RehearsalOutcome& outcome)
{
    if (!outcome.hasRecorded() && outcome.fit == Fit::Failed)
        printErr("highwater: the command failed with exit code {} before it used the simulated GPU\n",
            outcome.result.exitCode);
    else if (!outcome.hasRecorded())
        printErr("highwater: the command ended (exit code {}) and left no memory history: it did not use the "
                 "simulated GPU, or stopped the recording\n",
            outcome.result.exitCode);
    else if (outcome.result.isInterrupted)
        printErr("highwater: the command was interrupted: what it did until then is judged\n");
    else if (outcome.fit == Fit::Failed)
        printErr("highwater: the command failed with exit code {}: whether the rest would fit is unknown\n",
            outcome.result.exitCode);
    if (const auto missed = outcome.missedCalls(); outcome.fit == Fit::Failed && !missed.empty())
        printErr("highwater: {}\n", wayAround(missed));
    if (outcome.fit == Fit::Failed && !outcome.result.missingDevices.empty())
        printErr("highwater: it asked for {} simulated: --gpus N gives it more\n",
            fmt::join(outcome.result.missingDevices, " and for "));
}

} // namespace highwater::cli
