#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/rehearse/rehearsal.h"
#include "app/rehearse/verdict.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;
using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::RehearsalResult;
using rehearse::RehearsedProcess;

/// A process and what was judged of its snapshot.
struct ProcessVerdict
{
    RehearsedProcess process;
    std::vector<DeviceVerdict> devices;
};

struct Outcome
{
    GpuModel gpu;
    rehearse::AvailableMemory available;
    RehearsalResult result;
    std::vector<ProcessVerdict> processes;
    Fit fit = Fit::Fits;
    bool isIncomplete = false;
};

/// A size stands for no GPU: what only a GPU has is an A100's.
GpuModel withProfile(GpuModel gpu)
{
    if (gpu.profile.multiprocessors == 0)
        if (const auto known = chooseGpus({"A100 80"}); known && !known->empty())
            gpu.profile = known->front().profile;
    return gpu;
}

Result<GpuModel> gpuNamed(const std::string& name)
{
    const Result<std::vector<GpuModel>> gpus = chooseGpus({name});
    if (!gpus)
        return tl::unexpected(gpus.error());
    if (gpus->size() > 1)
        return fail(ErrorCode::BadRequest,
            fmt::format("\"{}\" is several GPUs: say {} or {}", sanitizedText(name), gpus->front().name,
                gpus->back().name));
    return withProfile(gpus->front());
}

rehearse::RehearsalRequest requestOf(const RehearseOptions& options, const GpuModel& gpu)
{
    rehearse::RehearsalRequest request;
    request.command = options.command;
    request.gpu = gpu;
    request.memoryBytes = gpu.mostReported;
    request.outsideBytes = gpu.profile.leastOutside;
    request.gpus = options.gpus;
    request.snapshotPath = options.out;
    request.tracePath = options.trace;
    request.labelsPath = options.labels;
    request.rulesPath = options.steering;
    request.cppStacks = options.stacks == "all";
    request.history = options.history == "whole" ? rehearse::History::Whole : rehearse::History::Script;
    request.addresses = *rehearse::addressOrderFrom(options.addresses);
    request.kernelNanoseconds = static_cast<std::int64_t>(options.kernelMicroseconds * 1000);
    request.force = options.force;
    request.outputToErrors = options.common.json;
    return request;
}

/// Those devices that the process used.
std::vector<DeviceVerdict> judgeProcess(
    const RehearsedProcess& process, const Outcome& outcome, const CommonOptions& options)
{
    std::vector<DeviceVerdict> verdicts;
    const LoadedInput input = loadInput(process.snapshotPath, options);
    if (!input.imported)
        return verdicts;
    const Trace& trace = *input.imported->trace;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        if (trace.eventCount(i) == 0)
            continue;
        const DeviceStudy study(trace, i);
        verdicts.push_back(rehearse::judge(study, outcome.available, endOf(outcome.result, process)));
    }
    return verdicts;
}

bool hasRecorded(const Outcome& outcome)
{
    return std::any_of(outcome.processes.begin(), outcome.processes.end(),
        [](const ProcessVerdict& process) { return !process.devices.empty(); });
}

bool knowsVerdict(const Outcome& outcome)
{
    return hasRecorded(outcome) || outcome.fit == Fit::Failed;
}

void judgeAll(Outcome& outcome, const CommonOptions& options)
{
    for (const RehearsedProcess& process : outcome.result.processes) {
        ProcessVerdict verdict{process, judgeProcess(process, outcome, options)};
        for (const DeviceVerdict& device : verdict.devices)
            outcome.fit = worse(outcome.fit, device.fit);
        outcome.isIncomplete = outcome.isIncomplete || !process.unsteered.empty();
        outcome.processes.push_back(std::move(verdict));
    }
    if (!hasRecorded(outcome) && outcome.result.exitCode != 0 && !outcome.result.isInterrupted)
        outcome.fit = Fit::Failed;
}

int exitCodeOfRehearsal(const Outcome& outcome)
{
    if (outcome.result.isInterrupted)
        return Interrupted;
    if (!hasRecorded(outcome) || outcome.fit == Fit::Failed)
        return CannotRead;
    if (outcome.fit != Fit::Fits)
        return CheckFailed;
    return outcome.isIncomplete ? Incomplete : Done;
}

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
    for (const rehearse::HostRead& read : verdict.process.unsteered)
        unsteered.push_back({{"file", sanitizedText(read.file)}, {"line", read.line}, {"what", read.what},
            {"count", read.count}});
    return {{"path", verdict.process.snapshotPath}, {"rank", verdict.process.rank}, {"devices", devices},
        {"unsteered_reads", unsteered}};
}

Json outcomeJson(const Outcome& outcome)
{
    Json processes = Json::array();
    for (const ProcessVerdict& process : outcome.processes)
        processes.push_back(processJson(process));
    return {{"gpu", outcome.gpu.name}, {"available_least_bytes", outcome.available.least},
        {"available_most_bytes", outcome.available.most},
        {"verdict", knowsVerdict(outcome) ? Json(toText(outcome.fit)) : Json(nullptr)},
        {"complete", !outcome.isIncomplete}, {"command_exit_code", outcome.result.exitCode},
        {"torch", outcome.result.torchVersion}, {"processes", processes},
        {"unknown_calls", outcome.result.unknownCalls}};
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

std::string sentence(const DeviceVerdict& device, const Outcome& outcome)
{
    const std::string reserved = formatBytes(device.reservedPeakBytes);
    const std::string times = device.ooms == 1 ? "once" : counted(device.ooms, "time", "times");
    const std::string recovered = device.ooms > 0 ? fmt::format("; recovered from {}",
                                      counted(device.ooms, "out-of-memory error", "out-of-memory errors"))
                                                  : std::string();
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

void printDeviceVerdict(const ProcessVerdict& process, const DeviceVerdict& device, const Outcome& outcome)
{
    std::string who;
    if (outcome.processes.size() > 1)
        who += fmt::format("rank {}, ", process.process.rank);
    if (process.devices.size() > 1)
        who += fmt::format("cuda:{}, ", device.device);
    printOut("  {}{}\n", who, sentence(device, outcome));
    if (device.peakStep)
        printOut("    peak of {} requested in {}{}\n", formatBytes(device.peakBytes),
            sanitizedText(*device.peakStep), device.peakPhase.empty() ? "" : " (" + device.peakPhase + ")");
}

void printIncomplete(const Outcome& outcome)
{
    if (!outcome.isIncomplete)
        return;
    printOut("  incomplete: values read back from the device, which are 0 here, may have decided sizes:\n");
    for (const ProcessVerdict& process : outcome.processes)
        for (const rehearse::HostRead& read : process.process.unsteered)
            printOut("    {}:{}: {}, {}\n", sanitizedText(read.file), read.line, sanitizedText(read.what),
                counted(read.count, "time", "times"));
}

void printOutcome(const Outcome& outcome)
{
    printOut("rehearsed on a simulated {}: real allocator and stacks, nothing computed\n", outcome.gpu.name);
    for (const ProcessVerdict& process : outcome.processes)
        for (const DeviceVerdict& device : process.devices)
            printDeviceVerdict(process, device, outcome);
    printIncomplete(outcome);
    for (const ProcessVerdict& process : outcome.processes)
        printOut("  snapshot: {}\n", sanitizedText(process.process.snapshotPath));
}

std::vector<std::string> snapshotsOf(const Outcome& outcome)
{
    std::vector<std::string> paths;
    for (const ProcessVerdict& process : outcome.processes)
        if (!process.devices.empty())
            paths.push_back(process.process.snapshotPath);
    return paths;
}

void complain(const Outcome& outcome)
{
    if (!hasRecorded(outcome) && outcome.fit == Fit::Failed)
        printErr("highwater: the command failed with exit code {} before it used the simulated GPU\n",
            outcome.result.exitCode);
    else if (!hasRecorded(outcome))
        printErr("highwater: the command ended (exit code {}) and left no memory history: it did not use the "
                 "simulated GPU, or stopped the recording\n",
            outcome.result.exitCode);
    else if (outcome.result.isInterrupted)
        printErr("highwater: the command was interrupted: what it did until then is judged\n");
    else if (outcome.fit == Fit::Failed)
        printErr("highwater: the command failed with exit code {}: whether the rest would fit is unknown\n",
            outcome.result.exitCode);
}

/// Before a run of hours that could not be saved.
void tryOutputs(const RehearseOptions& options)
{
    std::vector<std::string> inputs = options.command;
    inputs.push_back(options.steering);
    for (const std::string& out : {options.out, options.trace, options.labels})
        if (!out.empty())
            OutputFile::need(out, options.force, inputs);
}

} // namespace

int runRehearse(const RehearseOptions& options)
{
    const Result<GpuModel> gpu = gpuNamed(options.gpu);
    if (!gpu) {
        printErr("highwater: {}\n", gpu.error().message);
        return WrongUsage;
    }
    tryOutputs(options);
    Result<RehearsalResult> result = rehearse::rehearse(requestOf(options, *gpu));
    if (!result) {
        printErr("highwater: {}\n", sanitizedText(result.error().message));
        return exitCodeOf(result.error());
    }
    Outcome outcome{*gpu, rehearse::availableMemory(*gpu), std::move(*result), {}, Fit::Fits, false};
    judgeAll(outcome, options.common);
    complain(outcome);
    if (options.common.json) {
        Json document = outcomeJson(outcome);
        putFirst(document, diagnosisOfRun(options.common, {snapshotsOf(outcome)}));
        printDocument(document);
    } else if (hasRecorded(outcome)) {
        printOutcome(outcome);
    }
    if (options.open && hasRecorded(outcome))
        return runOpen({{outcome.processes.front().process.snapshotPath}});
    return exitCodeOfRehearsal(outcome);
}

} // namespace highwater::cli
