#include "app/cli/rehearse/outcome_output.h"

#include <algorithm>

#include <fmt/format.h>

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
        {"devices", devices}, {"unsteered_reads", unsteered}};
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
            "undecided: {} reserved at the peak where values that are read back are 0, of {} to "
            "{} that PyTorch gets of such a GPU{}",
            reserved, formatBytes(outcome.available.least), formatBytes(outcome.available.most), recovered);
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
    if (!outcome.hasUnknownReads() || outcome.fit == Fit::DoesNot || outcome.fit == Fit::Failed)
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
        {"processes", processes}, {"unknown_calls", outcome.result.unknownCalls}};
}

void printOutcome(const RehearsalOutcome& outcome)
{
    printOut("rehearsed on a simulated {}: real allocator and stacks, nothing computed\n", outcome.gpu.name);
    printVerdicts(outcome);
    printReads(outcome);
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
}

} // namespace highwater::cli
