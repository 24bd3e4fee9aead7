#include "app/cli/rehearse/gaps.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/rehearse/outcome.h"
#include "app/cli/rehearse/target_torch.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::RehearsedProcess;

/// The use of one GPU by one process, from `begin` to `end` in seconds.
struct GpuUse
{
    double begin = 0, end = 0;
    Bytes reserved = 0;
};

/// Groups the uses by GPU. The key is the process's CUDA_VISIBLE_DEVICES and the device's number within it.
std::map<std::pair<std::string, std::int64_t>, std::vector<GpuUse>> usesByGpu(const RehearsalOutcome& outcome)
{
    std::map<std::pair<std::string, std::int64_t>, std::vector<GpuUse>> uses;
    for (const ProcessVerdict& verdict : outcome.processes)
        for (const rehearse::DeviceVerdict& device : verdict.devices)
            uses[{verdict.process.visibleDevices, device.device}].push_back(
                {verdict.process.begin, verdict.process.end, device.reservedPeakBytes});
    return uses;
}

/// Returns the number of uses that are under way when `chosen` begins, itself included, and the bytes that
/// they reserve together.
std::pair<std::size_t, Bytes> overlappingUses(const std::vector<GpuUse>& uses, const GpuUse& chosen)
{
    std::size_t count = 0;
    Bytes reserved = 0;
    for (const GpuUse& use : uses)
        if (use.begin <= chosen.begin && chosen.begin < use.end) {
            ++count;
            reserved += use.reserved;
        }
    return {count, reserved};
}

/// Reports GPUs that several processes use at once, since each process is judged alone on a GPU. Peaks need
/// not occur at the same time, so their sum is an upper bound.
void addSharedGpus(const RehearsalOutcome& outcome, std::vector<std::string>& gaps)
{
    for (const auto& [device, uses] : usesByGpu(outcome))
        for (const GpuUse& use : uses) {
            const auto [count, reserved] = overlappingUses(uses, use);
            if (count < 2 || reserved <= outcome.available.least)
                continue;
            gaps.push_back(fmt::format(
                "{} processes use cuda:{} at once and reserve up to {} together, but each is judged alone",
                count, device.second, formatBytes(reserved)));
            break;
        }
}

/// Reports processes that are still running and have not used the GPU so far, since they may use it later.
/// `addProcessGaps` names those that have used it.
void addRunningProcesses(const RehearsalOutcome& outcome, std::vector<std::string>& gaps)
{
    // If the command is ended early, its helper processes end a little later.
    const bool isNamedOrExpected = std::ranges::any_of(outcome.processes, [](const ProcessVerdict& verdict) {
        return verdict.process.isRunning || verdict.process.endedAfterSteps;
    });
    if (outcome.result.hasLeftProcesses && !isNamedOrExpected)
        gaps.emplace_back("processes that the command started are still running and are not judged");
}

void addProcessGaps(const RehearsedProcess& process, std::vector<std::string>& gaps)
{
    if (process.isRunning)
        gaps.push_back(
            fmt::format("process {} is still running; what it does from now on is not judged", process.pid));
    if (!process.threadError.empty())
        gaps.push_back(fmt::format(
            "{} ended a thread, whose further work is not judged", sanitizedText(process.threadError)));
    if (process.training.optimizers > 0 && process.training.steps == 0 && !process.outOfMemory)
        gaps.emplace_back("an optimizer made no step, so training is not judged");
    if (process.training.hasStepsBetweenErrors)
        gaps.emplace_back("memory ran out several times with optimizer steps in between; what was skipped "
                          "each time does not fit");
}

/// Returns the functions that failed because Highwater does not simulate them, and that matter on a real GPU.
std::vector<std::string> unsimulatedCalls(const RehearsalOutcome& outcome)
{
    // Functions of these libraries use no device memory from PyTorch's allocator.
    constexpr std::array<std::string_view, 4> kObservingLibraries{"nvml", "cupti", "nvtx", "cuFile"};
    std::vector<std::string> missed = outcome.result.unknownCalls;
    std::erase_if(missed, [&](const std::string& call) {
        return std::ranges::any_of(
            kObservingLibraries, [&](auto prefix) { return call.starts_with(prefix); });
    });
    return missed;
}

} // namespace

std::string unsimulatedText(const RehearsalOutcome& outcome)
{
    const std::vector<std::string> missed = unsimulatedCalls(outcome);
    if (missed.empty())
        return {};
    std::string text = fmt::format("Highwater does not simulate {}", fmt::join(missed, ", "));
    if (std::ranges::any_of(missed, [](const std::string& call) { return call.starts_with("cudnn"); }))
        text += "; torch.backends.cudnn.enabled = False avoids cuDNN";
    return text;
}

std::vector<std::string> findGaps(const RehearsalOutcome& outcome)
{
    std::vector<std::string> gaps;
    if (std::string gap = kernelGap(outcome); !gap.empty())
        gaps.push_back(std::move(gap));
    if (const std::vector<std::string> missed = unsimulatedCalls(outcome); !missed.empty())
        gaps.push_back(
            fmt::format("Highwater does not simulate {}; the command is judged without these calls",
                fmt::join(missed, ", ")));
    gaps.insert(gaps.end(), outcome.result.gaps.begin(), outcome.result.gaps.end());
    for (const ProcessVerdict& verdict : outcome.processes)
        addProcessGaps(verdict.process, gaps);
    addRunningProcesses(outcome, gaps);
    addSharedGpus(outcome, gaps);
    return gaps;
}

} // namespace highwater::cli
