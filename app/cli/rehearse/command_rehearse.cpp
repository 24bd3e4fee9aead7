#include "app/cli/commands/commands.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/rehearse/every_gpu.h"
#include "app/cli/rehearse/failure_contents.h"
#include "app/cli/rehearse/find_largest.h"
#include "app/cli/rehearse/one_rehearsal.h"
#include "app/cli/rehearse/outcome_output.h"
#include "app/cli/rehearse/target_torch.h"
#include "app/cli/rehearse/tries.h"
#include "app/rehearse/command_python.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/base/json.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Completes a GPU that was given only by its size with the profile of an A100.
GpuModel withProfile(GpuModel gpu)
{
    if (gpu.profile.multiprocessors == 0)
        if (const auto known = chooseGpus({"A100 80"}); known && !known->empty())
            gpu.profile = known->front().profile;
    return gpu;
}

/// Returns the GPUs of `--gpu`, with their profiles. Fails with BadRequest.
Result<std::vector<GpuModel>> gpusFor(const RehearseOptions& options)
{
    const bool isAll = options.gpuNames == std::vector<std::string>{"all"};
    Result<std::vector<GpuModel>> gpus = chooseGpus(isAll ? std::vector<std::string>() : options.gpuNames);
    if (!gpus)
        return gpus;
    std::ranges::transform(*gpus, gpus->begin(), withProfile);
    if (gpus->size() > 1 && !options.find.empty())
        return fail(ErrorCode::BadRequest,
            fmt::format("only one GPU is possible with --find; give {} or {}", gpus->front().name,
                gpus->back().name));
    return gpus;
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

/// Returns the changes that were tried; nullopt if there is nothing to try.
std::optional<Tries> triesFor(const RehearseOptions& options, const RehearsalOutcome& outcome)
{
    if (outcome.fit != rehearse::Fit::DoesNotFit || outcome.result.isInterrupted
        || options.tries == std::vector<std::string>{"none"})
        return std::nullopt;
    auto tries = tryChanges(options, outcome);
    if (tries)
        return std::move(*tries);
    printErr("highwater: no change could be tried: {}\n", sanitizedText(tries.error().message));
    return std::nullopt;
}

int rehearseOnOneGpu(const RehearseOptions& options, const GpuModel& gpu)
{
    const Result<RehearsalOutcome> outcome = rehearseAndJudge(requestFor(options, gpu), options);
    if (!outcome) {
        printErr("highwater: {}\n", sanitizedText(outcome.error().message));
        return exitCodeOf(outcome.error());
    }
    printShortcomings(*outcome);
    const auto contents = contentsAtFailure(*outcome, options.common);
    if (!options.common.json && outcome->hasRecorded())
        printOutcome(*outcome);
    if (!options.common.json && contents)
        printFailureContents(*contents);
    const auto tries = triesFor(options, *outcome);
    if (!options.common.json && tries)
        printTries(*tries, gpu);
    if (options.common.json) {
        Json document = outcomeJson(*outcome);
        document["at_failure"] = contents ? failureContentsJson(*contents) : Json();
        document["tries"] = tries ? triesJson(*tries) : Json();
        putDiagnosisFirst(document, diagnosisOfRun(options.common, {outcome->snapshots()}));
        printDocument(document);
    }
    if (options.open && outcome->hasRecorded())
        return runOpen({{outcome->processes.front().process.snapshotPath}});
    return outcome->exitCode();
}

} // namespace

int runRehearse(const RehearseOptions& options)
{
    const Result<std::vector<GpuModel>> gpus = gpusFor(options);
    if (!gpus) {
        printErr("highwater: --gpu: {}\n", gpus.error().message);
        return WrongUsage;
    }
    if (!options.steering.empty() && ::access(options.steering.c_str(), R_OK) != 0) {
        printErr("highwater: --steering: {} cannot be read\n", sanitizedText(options.steering));
        return WrongUsage;
    }
    if (const auto torch = targetTorch(options.torch); !torch) {
        printErr("highwater: {}\n", torch.error().message);
        return WrongUsage;
    }
    if (const std::string twice = sameOutput(options); !twice.empty()) {
        printErr("highwater: {} is given for two outputs\n", sanitizedText(twice));
        return WrongUsage;
    }
    const bool isOneRehearsal = options.find.empty() && gpus->size() == 1;
    if (isOneRehearsal)
        tryOutputs(options);
    if (rehearse::startsPythonItself(options.command) && !options.common.quiet)
        printErr("highwater: {} starts Python itself, so it runs once up to the import of PyTorch to find "
                 "that Python\n",
            sanitizedText(options.command.front()));
    if (!options.find.empty())
        return findLargest(options, gpus->front());
    if (gpus->size() > 1)
        return rehearseOnEveryGpu(options, *gpus);
    return rehearseOnOneGpu(options, gpus->front());
}

} // namespace highwater::cli
