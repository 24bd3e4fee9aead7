#include "app/cli/commands/commands.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/rehearse/gaps.h"
#include "app/cli/rehearse/outcome.h"
#include "app/cli/rehearse/outcome_output.h"
#include "app/cli/rehearse/repetition.h"
#include "app/rehearse/command_python.h"
#include "app/rehearse/rehearsal.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;
using rehearse::ChildOutput;
using rehearse::RehearsalResult;

/// Completes a GPU that was given only by its size with the profile of an A100.
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
            fmt::format("\"{}\" matches several GPUs; give {} or {}", sanitizedText(name), gpus->front().name,
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
    request.maxSteps = options.maxSteps;
    request.reportsSteps = !options.common.quiet;
    request.force = options.force;
    request.output = options.common.json ? ChildOutput::ToErrors : ChildOutput::Kept;
    return request;
}

/// Ends the command if an output cannot be written, before a run that may take hours.
void tryOutputs(const RehearseOptions& options)
{
    std::vector<std::string> inputs = options.command;
    inputs.push_back(options.steering);
    for (const std::string& out : {options.out, options.trace, options.labels})
        if (!out.empty())
            OutputFile::need(out, options.force, inputs);
}

/// Returns a file that is named for two outputs; empty if there is none.
std::string sameOutput(const RehearseOptions& options)
{
    const auto place = [](const std::string& path) {
        std::error_code error;
        return std::filesystem::weakly_canonical(path, error);
    };
    const std::vector<std::string> outputs{options.out, options.trace, options.labels};
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!outputs[i].empty() && !outputs[j].empty() && place(outputs[i]) == place(outputs[j]))
                return outputs[i];
    return {};
}

} // namespace

int runRehearse(const RehearseOptions& options)
{
    const Result<GpuModel> gpu = gpuNamed(options.gpu);
    if (!gpu) {
        printErr("highwater: {}\n", gpu.error().message);
        return WrongUsage;
    }
    if (!options.steering.empty() && ::access(options.steering.c_str(), R_OK) != 0) {
        printErr("highwater: {} cannot be read\n", sanitizedText(options.steering));
        return WrongUsage;
    }
    if (const std::string twice = sameOutput(options); !twice.empty()) {
        printErr("highwater: {} is given for two outputs\n", sanitizedText(twice));
        return WrongUsage;
    }
    tryOutputs(options);
    if (rehearse::startsPythonItself(options.command) && !options.common.quiet)
        printErr("highwater: {} starts Python itself, so it runs once up to the import of PyTorch to find "
                 "that Python\n",
            sanitizedText(options.command.front()));
    const auto begin = std::chrono::steady_clock::now();
    Result<RehearsalResult> result = rehearse::rehearse(requestOf(options, *gpu));
    if (!result) {
        printErr("highwater: {}\n", sanitizedText(result.error().message));
        return exitCodeOf(result.error());
    }
    const auto duration
        = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    RehearsalOutcome outcome = judgeRehearsal(*gpu, std::move(*result), options.common);
    outcome.gaps = gapsOf(outcome);
    if (outcome.isWorthRepeating() && !options.once) {
        if (!options.common.quiet)
            printErr("highwater: values were read back from the simulated GPU, so the command runs again "
                     "with values other than 0 to see whether they matter (--once prevents it)\n");
        outcome.second = repeat(requestOf(options, *gpu), outcome, duration, options.common);
    }
    if (outcome.fit == rehearse::Fit::Fits)
        outcome.growth = growthOf(outcome, options.common);
    printShortcomings(outcome);
    if (options.common.json) {
        Json document = outcomeJson(outcome);
        putDiagnosisFirst(document, diagnosisOfRun(options.common, {outcome.snapshots()}));
        printDocument(document);
    } else if (outcome.hasRecorded()) {
        printOutcome(outcome);
    }
    if (options.open && outcome.hasRecorded())
        return runOpen({{outcome.processes.front().process.snapshotPath}});
    return outcome.exitCode();
}

} // namespace highwater::cli
