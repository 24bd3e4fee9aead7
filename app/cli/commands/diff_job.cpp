#include "app/cli/commands/diff_job.h"

#include <memory>

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/input/rules_option.h"
#include "app/loading/background.h"
#include "app/loading/configuration_file.h"
#include "app/loading/device_choice.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/analysis/diff/log_diff_text.h"
#include "core/base/text_format.h"
#include "core/study/run_comparison.h"

namespace highwater::cli {

namespace {

int usageError(const std::string& path, const Error& error)
{
    printError(path, error);
    return WrongUsage;
}

/// One of the two files, and the device of it that is compared.
struct Chosen
{
    LoadedInput input;
    DeviceIndex device = 0;
    std::vector<ConfigurationEntry> configuration = {};

    const Trace& trace() const { return *input.imported->trace; }
    const Device& about() const { return trace().devices[device]; }
    bool hasDevices() const { return input.imported && !trace().devices.empty(); }
    /// It could be read, and has series and messages only.
    bool isLogFile() const { return input.imported && isLog(trace()) && !isEmptyLog(trace()); }
};

/// What was asked for of one run; none: nothing.
Result<std::optional<std::int64_t>> wantedMoment(const DeviceStudy& study,
    const std::optional<std::int64_t>& event, const std::optional<std::size_t>& step)
{
    if (step && *step < study.steps.steps.size())
        return study.steps.steps[*step].peakEvent;
    if (step)
        return fail(ErrorCode::BadRequest,
            fmt::format(
                "has no step {} on {} (it has {})", *step, study.about().label(), study.steps.steps.size()));
    if (!event || (*event >= -1 && *event < study.curve.eventCount()))
        return event;
    return fail(ErrorCode::BadRequest,
        fmt::format(
            "has no event {} on {} (-1 to {})", *event, study.about().label(), study.curve.eventCount() - 1));
}

struct Moments
{
    std::int64_t before = -1;
    std::int64_t after = -1;
};

/// The peaks, unless something else is asked for.
Moments momentsOf(const RunComparison& runs, const DiffOptions& options,
    const std::optional<std::int64_t>& beforeEvent, const std::optional<std::int64_t>& afterEvent)
{
    Moments moments{beforeEvent.value_or(runs.before().curve.peak().event),
        afterEvent.value_or(runs.after().curve.peak().event)};
    const std::optional<RunAxis> axis = runAxisFromText(options.align);
    if (!axis || beforeEvent.has_value() == afterEvent.has_value())
        return moments;
    const RunAlignment alignment = runs.align(*axis);
    if (beforeEvent)
        moments.after = alignment.afterEventFor(*beforeEvent);
    else
        moments.before = alignment.beforeEventFor(*afterEvent);
    return moments;
}

int compare(const DiffOptions& options, const Chosen& before, const Chosen& after,
    const std::vector<CategoryRule>& rules, const UseOfDiff& use)
{
    const std::optional<CommonQuantity> common = commonQuantity(before.about(), after.about());
    if (!common)
        return usageError(before.input.path,
            {ErrorCode::BadRequest,
                differentBytesText(before.about().quantity, after.input.path, after.about().quantity), {}});
    const auto studyOf = [&](const Chosen& run) {
        return std::make_shared<const DeviceStudy>(run.trace(), run.device, common->quantity, rules);
    };
    auto other = inBackground([&] { return studyOf(before); });
    const std::shared_ptr<const DeviceStudy> ofAfter = studyOf(after);
    const RunComparison runs({other.get(), before.configuration}, {ofAfter, after.configuration});
    const auto beforeEvent = wantedMoment(runs.before(), options.beforeEvent, options.beforeStep);
    if (!beforeEvent)
        return usageError(before.input.path, beforeEvent.error());
    const auto afterEvent = wantedMoment(runs.after(), options.afterEvent, options.afterStep);
    if (!afterEvent)
        return usageError(after.input.path, afterEvent.error());
    const Moments at = momentsOf(runs, options, *beforeEvent, *afterEvent);
    const DiffReport report{{before.input.path, runs.before(), at.before},
        {after.input.path, runs.after(), at.after}, options.group, common->inferred, runs,
        runs.diffAt(at.before, at.after, *groupKeyFromText(options.group))};
    return worse(use(report), worse(exitCodeOf(before.input), exitCodeOf(after.input)));
}

/// The exit code where it cannot be used.
std::optional<int> readConfiguration(const std::string& path, Chosen& chosen)
{
    if (path.empty())
        return std::nullopt;
    Result<std::vector<ConfigurationEntry>> read = loadConfiguration(path);
    if (!read) {
        printError(path, read.error());
        return exitCodeOf(read.error());
    }
    chosen.configuration = *std::move(read);
    return std::nullopt;
}

/// The exit code where it cannot be used.
std::optional<int> choose(Chosen& chosen, const std::optional<std::string>& device)
{
    if (!chosen.input.imported)
        return exitCodeOf(chosen.input);
    const Result<DeviceIndex> found = chooseDevice(chosen.trace(), allFigures(chosen.trace()), device);
    if (!found)
        return usageError(chosen.input.path, found.error());
    chosen.device = *found;
    return std::nullopt;
}

/// Options that choose what only snapshots and traces have.
bool asksForEvents(const DiffOptions& options)
{
    return options.beforeDevice || options.afterDevice || options.beforeEvent || options.afterEvent;
}

int compareLogs(
    const DiffOptions& options, const Chosen& before, const Chosen& after, const UseOfLogDiff& use)
{
    if (asksForEvents(options))
        return usageError(before.input.path,
            {ErrorCode::BadRequest, "is a log: it has no events, nor devices of its own to choose", {}});
    const LogDiffReport report{before.input.path, after.input.path, before.trace(), after.trace(),
        diffLogs({before.trace(), before.configuration}, {after.trace(), after.configuration})};
    return worse(use(report), worse(exitCodeOf(before.input), exitCodeOf(after.input)));
}

/// "the log's largest is 44.87 GiB, allocated peak (…)".
std::string logPeakText(const Trace& log)
{
    const std::optional<SeriesPair> best = bestMemorySeries(log);
    if (!best)
        return "the log has no series of device memory";
    const CounterSeries& series = log.counters[best->before];
    return fmt::format("the log's largest is {}, {}", formatBytes(wholeBytes(best->beforeFigures.largest)),
        measureText(series));
}

/// A log samples what PyTorch or the driver counted over the whole run; the events of a snapshot are a part
/// of it, in bytes of another kind. A difference of the two would be no change of the run.
int refuseKinds(const Chosen& before, const Chosen& after)
{
    const Chosen& log = before.isLogFile() ? before : after;
    const Chosen& other = before.isLogFile() ? after : before;
    return usageError(other.input.path,
        {ErrorCode::BadRequest,
            fmt::format(
                "tells allocations, and {} is a log: what they count cannot be subtracted ({}). Opened "
                "together they stand on one clock",
                log.input.path, logPeakText(log.trace())),
            {}});
}

} // namespace

int withDiff(const DiffOptions& options, const UseOfDiff& use, const UseOfLogDiff& useOfLogs)
{
    const Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return rulesError(options.rules, rules.error());
    if (options.common.files.size() != 2)
        return usageError("diff",
            {ErrorCode::BadRequest, "takes two files, BEFORE and AFTER, or more for a table of runs", {}});
    auto [inputBefore, inputAfter]
        = loadTwoInputs(options.common.files[0], options.common.files[1], options.common);
    Chosen before{std::move(inputBefore)};
    Chosen after{std::move(inputAfter)};
    if (const std::optional<int> code = readConfiguration(options.beforeConfig, before))
        return *code;
    if (const std::optional<int> code = readConfiguration(options.afterConfig, after))
        return *code;
    if (before.isLogFile() && after.isLogFile())
        return compareLogs(options, before, after, useOfLogs);
    if ((before.isLogFile() && after.hasDevices()) || (before.hasDevices() && after.isLogFile()))
        return refuseKinds(before, after);
    if (const std::optional<int> code = choose(before, options.beforeDevice))
        return *code;
    if (const std::optional<int> code = choose(after, options.afterDevice))
        return *code;
    return compare(options, before, after, *rules, use);
}

} // namespace highwater::cli
