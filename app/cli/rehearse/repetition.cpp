#include "app/cli/rehearse/repetition.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/rehearse/rehearsal_folder.h"

namespace highwater::cli {

namespace {

using rehearse::AllocationDifference;
using rehearse::RehearsalFolder;
using rehearse::RehearsalRequest;
using rehearse::RehearsalResult;
using rehearse::RehearsedProcess;

constexpr int kLargeValue = 1000;
constexpr std::chrono::seconds kMoreTime{30};

/// Another run of the command, and the temporary folder with its snapshots.
struct Repetition
{
    RehearsalFolder folder;
    RehearsalResult result;
    std::string lastError; ///< last line on its standard error
};

/// Returns the last line, within the last 4 KiB, that is neither empty nor one of Highwater.
std::string lastLineOf(const std::string& path)
{
    constexpr std::streamoff kTail = 4096;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    file.seekg(std::max<std::streamoff>(0, file.tellg() - kTail));
    std::string last;
    for (std::string line; std::getline(file, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos && !line.starts_with("highwater:"))
            last = line;
    return last;
}

/// Repeats the command with this value in place of those read back, and without its output; nullopt if it
/// cannot be rehearsed or is interrupted.
std::optional<Repetition> runAgain(RehearsalRequest request, int value)
{
    std::error_code error;
    auto folder = RehearsalFolder::create(std::filesystem::temp_directory_path(error));
    if (!folder)
        return std::nullopt;
    request.snapshotPath = *folder / "again.pickle";
    request.tracePath.clear();
    request.labelsPath.clear();
    request.output = rehearse::ChildOutput::Discarded;
    request.errorsPath = *folder / "errors";
    request.reportsSteps = false;
    request.fill = value;
    Result<RehearsalResult> result = rehearse::rehearse(request);
    if (!result || (result->isInterrupted && !result->isOverLimit))
        return std::nullopt;
    std::string lastError = lastLineOf(request.errorsPath);
    return Repetition{std::move(*folder), std::move(*result), std::move(lastError)};
}

std::vector<std::string> pathsOf(const RehearsalResult& result)
{
    std::vector<std::string> paths;
    for (const RehearsedProcess& process : result.processes)
        if (!process.snapshotPath.empty())
            paths.push_back(process.snapshotPath);
    return paths;
}

/// Returns the first difference between snapshots of the same number; without a requester if one is missing.
std::optional<AllocationDifference> differenceOf(
    const RehearsalResult& firstRun, const RehearsalResult& secondRun, const CommonOptions& options)
{
    const std::vector<std::string> firstPaths = pathsOf(firstRun);
    const std::vector<std::string> secondPaths = pathsOf(secondRun);
    for (std::size_t i = 0; i < std::max(firstPaths.size(), secondPaths.size()); ++i) {
        const auto firstTrace = i < firstPaths.size() ? readSnapshot(firstPaths[i], options) : nullptr;
        const auto secondTrace = i < secondPaths.size() ? readSnapshot(secondPaths[i], options) : nullptr;
        if (!firstTrace || !secondTrace)
            return AllocationDifference{};
        if (auto difference = rehearse::firstDifference(*firstTrace, *secondTrace))
            return difference;
    }
    return std::nullopt;
}

/// Returns the most that a device of a process reserved.
Bytes mostReserved(const RehearsalResult& result, const CommonOptions& options)
{
    Bytes most = 0;
    for (const std::string& path : pathsOf(result))
        if (const auto trace = readSnapshot(path, options))
            for (DeviceIndex device = 0; device < trace->devices.size(); ++device)
                most = std::max(most, DeviceStudy(*trace, device).figures.reservedPeakBytes);
    return most;
}

SecondRun compareWithFirst(
    const RehearsalResult& first, const Repetition& repetition, int value, const CommonOptions& options)
{
    const RehearsalResult& second = repetition.result;
    SecondRun comparison;
    comparison.value = value;
    comparison.exitCode = second.exitCode;
    comparison.isOverLimit = second.isOverLimit;
    comparison.lastError = repetition.lastError;
    comparison.ranOut = std::ranges::any_of(second.processes, [](const RehearsedProcess& process) {
        return process.exception == rehearse::LastException::OutOfMemory;
    });
    if (!comparison.hasEnded())
        return comparison;
    comparison.reservedPeakBytes = mostReserved(second, options);
    comparison.difference = differenceOf(first, second, options);
    return comparison;
}

/// Runs the command a third time, with the values of the first run, and returns which of the two runs it
/// resembles.
Control compareThirdRun(const RehearsalRequest& request, const RehearsalResult& first,
    const Repetition& second, const CommonOptions& options)
{
    const auto third = runAgain(request, 0);
    if (!third || third->result.exitCode != 0 || third->result.isOverLimit)
        return Control::None;
    if (!differenceOf(first, third->result, options))
        return Control::LikeFirst;
    return differenceOf(second.result, third->result, options) ? Control::LikeNeither : Control::LikeSecond;
}

} // namespace

std::optional<SecondRun> repeat(RehearsalRequest request, const RehearsalOutcome& first,
    std::chrono::seconds duration, const CommonOptions& options)
{
    CommonOptions silent = options;
    silent.quiet = true;
    request.python = first.result.python;
    request.limit = 3 * duration + kMoreTime;
    std::optional<SecondRun> comparison;
    for (const int value : {kLargeValue, 1}) {
        const auto repetition = runAgain(request, value);
        if (!repetition)
            return comparison;
        comparison = compareWithFirst(first.result, *repetition, value, silent);
        if (comparison->difference && first.result.exitCode == 0)
            comparison->control = compareThirdRun(request, first.result, *repetition, silent);
        if (comparison->hasEnded() || comparison->ranOut || comparison->isOverLimit)
            return comparison;
    }
    return comparison;
}

} // namespace highwater::cli
