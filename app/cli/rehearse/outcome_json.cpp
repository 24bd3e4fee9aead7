#include "app/cli/rehearse/outcome_output.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;
using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::HostRead;
using rehearse::RehearsalResult;
using rehearse::RehearsedProcess;

Json deviceVerdictJson(const DeviceVerdict& device, const rehearse::AvailableMemory& available)
{
    return {{"device", device.device}, {"verdict", toText(device.fit)}, {"peak_bytes", device.peakBytes},
        {"reserved_peak_bytes", device.reservedPeakBytes},
        {"reserved_peak_most_bytes", device.mostReservedBytes}, {"spare_bytes", device.spareBytes},
        {"spare_in_the_middle_bytes", spareInTheMiddle(device, available)},
        {"peak_step", orNull(device.peakStep)},
        {"peak_phase", device.peakPhase.empty() ? Json(nullptr) : Json(device.peakPhase)},
        {"ooms", device.oomCount}, {"refused_bytes", device.refusedBytes}};
}

std::string_view endName(const RehearsedProcess& process, const RehearsalResult& result)
{
    return process.isRunning ? "running" : toText(endOf(result, process));
}

Json processJson(const ProcessVerdict& verdict, const RehearsalOutcome& outcome)
{
    Json devices = Json::array();
    for (const DeviceVerdict& device : verdict.devices)
        devices.push_back(deviceVerdictJson(device, outcome.available));
    Json unsteered = Json::array();
    for (const HostRead& read : verdict.process.unsteered)
        unsteered.push_back({{"file", sanitizedText(read.file)}, {"line", read.line}, {"what", read.what},
            {"count", read.count}});
    return {{"path", verdict.process.snapshotPath}, {"rank", orNull(verdict.process.rank)},
        {"end", endName(verdict.process, outcome.result)},
        {"ended_after_steps", orNull(verdict.process.endedAfterSteps)}, {"devices", devices},
        {"unsteered_reads", unsteered}, {"listeners", verdict.process.listeners}};
}

Json secondRunJson(const std::optional<SecondRun>& second)
{
    if (!second)
        return nullptr;
    const std::string first = second->difference ? second->difference->requester : std::string();
    return {{"value", second->value}, {"equal", second->isEqual()}, {"command_exit_code", second->exitCode},
        {"out_of_memory", second->ranOut}, {"over_limit", second->isOverLimit},
        {"first_difference", first.empty() ? Json(nullptr) : Json(sanitizedText(first))}};
}

} // namespace

Json outcomeJson(const RehearsalOutcome& outcome)
{
    Json processes = Json::array();
    for (const ProcessVerdict& process : outcome.processes)
        processes.push_back(processJson(process, outcome));
    return {{"gpu", outcome.gpu.name}, {"available_least_bytes", outcome.available.least},
        {"available_most_bytes", outcome.available.most},
        {"verdict", outcome.hasVerdict() ? Json(toText(outcome.fit)) : Json(nullptr)},
        {"complete", !outcome.isIncomplete() && outcome.fit != Fit::Failed && !outcome.result.isInterrupted},
        {"second_run", secondRunJson(outcome.second)}, {"command_exit_code", outcome.result.exitCode},
        {"torch", outcome.result.torchVersion},
        {"target_torch", outcome.target ? Json(outcome.target->text()) : Json(nullptr)},
        {"torch_differs", outcome.hasOtherTorch()}, {"processes", processes},
        {"unknown_calls", outcome.result.unknownCalls}, {"gaps", outcome.gaps},
        {"inexact", outcome.result.inexact}, {"convolution_bytes", outcome.result.convolutionBytes},
        {"growth", outcome.growth ? Json(outcome.growth->title) : Json(nullptr)},
        {"steps_left", orNull(outcome.growth ? outcome.growth->stepsLeft : std::nullopt)}};
}

} // namespace highwater::cli
