#include "app/cli/rehearse/one_rehearsal.h"

#include <chrono>

#include "app/cli/console/output.h"
#include "app/cli/rehearse/gaps.h"
#include "app/cli/rehearse/repetition.h"
#include "app/cli/rehearse/target_torch.h"

namespace highwater::cli {

rehearse::RehearsalRequest requestFor(const RehearseOptions& options, const GpuModel& gpu)
{
    rehearse::RehearsalRequest request;
    request.command = options.command;
    request.gpu = gpu;
    request.memoryBytes = gpu.mostReported;
    request.outsideBytes = gpu.profile.leastOutside;
    request.gpusPerProcess = options.gpusPerProcess;
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
    request.output = options.common.json ? rehearse::ChildOutput::ToErrors : rehearse::ChildOutput::Kept;
    return request;
}

Result<RehearsalOutcome> rehearseAndJudge(
    const rehearse::RehearsalRequest& request, const RehearseOptions& options)
{
    const auto begin = std::chrono::steady_clock::now();
    Result<rehearse::RehearsalResult> result = rehearse::rehearse(request);
    if (!result)
        return tl::unexpected(result.error());
    const auto duration
        = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    RehearsalOutcome outcome = judgeRehearsal(request.gpu, std::move(*result), options.common);
    outcome.target = targetTorch(options.torch).value_or(std::nullopt);
    outcome.gaps = findGaps(outcome);
    if (outcome.isWorthRepeating() && !options.once) {
        if (!options.common.quiet)
            printErr("highwater: values were read back from the simulated GPU, so the command runs again "
                     "with values other than 0 to see whether they matter (--once prevents it)\n");
        outcome.second = repeat(request, outcome, duration, options.common);
    }
    if (outcome.fit == rehearse::Fit::Fits || outcome.fit == rehearse::Fit::DoesNotFit)
        outcome.growth = findMemoryGrowth(outcome, options.common);
    return outcome;
}

} // namespace highwater::cli
