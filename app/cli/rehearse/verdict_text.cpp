#include "app/cli/rehearse/verdict_text.h"

#include <cstdlib>

#include <fmt/format.h>

#include "app/cli/rehearse/target_torch.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using rehearse::DeviceVerdict;
using rehearse::Fit;
using rehearse::RehearsalResult;
using rehearse::RehearsedProcess;

/// Returns how a command ended: "failed with exit code 1", "was ended by signal 11".
std::string endPredicate(int exitCode)
{
    constexpr int kSignalExitCodeBase = 128;
    constexpr int kExitCodes = 256;
    return exitCode > kSignalExitCodeBase && exitCode < kExitCodes
        ? fmt::format("was ended by signal {}", exitCode - kSignalExitCodeBase)
        : fmt::format("failed with exit code {}", exitCode);
}

/// Returns the condition under which a figure is valid, " if values read back are 0", and the result with
/// other values. Empty if no value that is read back may decide a size.
std::string readsCondition(const RehearsalOutcome& outcome)
{
    if (!outcome.mayBeSizedByReads())
        return {};
    const std::optional<SecondRun>& second = outcome.second;
    if (second && second->ranOut)
        return fmt::format(" if values read back are 0, out of memory if they are {}", otherValues(*second));
    if (second && second->hasEnded())
        return fmt::format(" if values read back are 0, {} if they are {}",
            formatBytes(second->reservedPeakBytes), otherValues(*second));
    return " if values read back are 0";
}

/// Returns whether the device more likely fits or not: how far its peak is from the middle between the least
/// and the most memory that PyTorch may get.
std::string likelierText(const DeviceVerdict& device, const rehearse::AvailableMemory& available)
{
    const Bytes left = rehearse::spareInTheMiddle(device, available);
    return fmt::format("it more likely {}: {} {} the middle", left >= 0 ? "fits" : "does not fit",
        formatBytes(std::abs(left)), left >= 0 ? "below" : "above");
}

/// Returns "1.1 GiB", or "1.1 GiB to 1.2 GiB, by cuDNN's workspaces,".
std::string reservedText(const DeviceVerdict& device)
{
    const bool isRange = device.mostReservedBytes > device.reservedPeakBytes;
    return formatBytes(device.reservedPeakBytes)
        + (isRange ? " to " + formatBytes(device.mostReservedBytes) + ", by cuDNN's workspaces," : "");
}

std::string failureSentence(
    const DeviceVerdict& device, const RehearsedProcess& process, const RehearsalResult& result)
{
    const bool hasNoStep
        = device.steps == 0 || (process.training.optimizers > 0 && process.training.steps == 0);
    const std::string when = hasNoStep ? std::string("before its first training step was complete")
                                       : "after " + counted(device.steps, "training step", "training steps");
    return fmt::format("failed: {} {}; {} reserved until then", processEndClause(process, result), when,
        formatBytes(device.reservedPeakBytes));
}

} // namespace

std::string commandEndClause(const RehearsalResult& result)
{
    return result.exitCode == 0 ? "a part of the command failed"
                                : "the command " + endPredicate(result.exitCode);
}

std::string processEndClause(const RehearsedProcess& process, const RehearsalResult& result)
{
    if (result.isInterrupted)
        return "the command stopped";
    if (result.exitCode != 0)
        return commandEndClause(result);
    if (process.exception == rehearse::LastException::None && !process.hasEnded && !process.isRunning)
        return fmt::format("process {} was killed", process.pid);
    if (process.exception != rehearse::LastException::None)
        return fmt::format("process {} failed", process.pid);
    return process.isStopped ? fmt::format("process {} was stopped", process.pid) : "the command ended";
}

std::string otherValues(const SecondRun& second)
{
    return second.value == 1 ? "1" : "other numbers";
}

std::string verdictSentence(
    const DeviceVerdict& device, const RehearsedProcess& process, const RehearsalOutcome& outcome)
{
    const std::string reserved = reservedText(device);
    const std::string times = device.oomCount == 1 ? "once" : counted(device.oomCount, "time", "times");
    const std::string recovered = device.oomCount > 0 ? fmt::format("; recovered from {}",
                                      counted(device.oomCount, "out-of-memory error", "out-of-memory errors"))
                                                      : std::string();
    if (outcome.succeedsWithOtherValues())
        return fmt::format("undecided: {} if values read back are 0; {} reserved at the peak if they are {}",
            processEndClause(process, outcome.result), formatBytes(outcome.second->reservedPeakBytes),
            otherValues(*outcome.second));
    if ((device.fit == Fit::Fits || device.fit == Fit::TooClose) && outcome.isIncomplete())
        return fmt::format("undecided: {}{} reserved at the peak{}; PyTorch gets {} to {} of such a GPU{}",
            kernelGap(outcome).empty() ? "" : "this PyTorch cannot run on the GPU; ", reserved,
            readsCondition(outcome), formatBytes(outcome.available.least),
            formatBytes(outcome.available.most), recovered);
    switch (device.fit) {
    case Fit::DoesNotFit:
        return fmt::format("does not fit: ran out of memory {}; {} reserved at the peak, {} more requested",
            times, reserved, formatBytes(device.refusedBytes));
    case Fit::Failed: return failureSentence(device, process, outcome.result);
    case Fit::TooClose:
        return fmt::format(
            "too close to tell: {} reserved at the peak; PyTorch gets {} to {} of such a GPU, so {}{}",
            reserved, formatBytes(outcome.available.least), formatBytes(outcome.available.most),
            likelierText(device, outcome.available), recovered);
    default:
        return fmt::format("fits{}: {} reserved at the peak, at least {} left{}",
            outcome.fitsForNow() ? " for now" : "", reserved, formatBytes(device.spareBytes), recovered);
    }
}

std::string whyIncomplete(const std::optional<SecondRun>& second)
{
    if (!second)
        return "values read back from the GPU are 0 here and may have decided sizes";
    const std::string prefix
        = fmt::format("with {} in place of 0 for values read back, ", otherValues(*second));
    if (second->isOverLimit)
        return prefix + "the command does not end";
    if (second->ranOut)
        return prefix + "the command runs out of memory";
    if (second->exitCode != 0)
        return prefix + "the command " + endPredicate(second->exitCode)
            + (second->lastError.empty() ? "" : " (" + sanitizedText(second->lastError) + ")");
    if (!second->difference)
        return "the command needs values other than 0";
    if (second->control == Control::LikeNeither)
        return "runs of the command allocate differently even with the same values; threads or random "
               "numbers decide";
    const std::string& first = second->difference->requester;
    return fmt::format("values read back change allocations; with {} in place of 0, the first difference is "
                       "at {}",
        otherValues(*second), first.empty() ? "an allocation without a stack" : sanitizedText(first));
}

} // namespace highwater::cli
