#include "app/cli/commands/diff_job.h"

#include <memory>

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/output/step_output.h"
#include "app/loading/background.h"
#include "app/loading/configuration_file.h"
#include "app/loading/device_choice.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/text_format.h"
#include "core/study/run_comparison.h"

namespace highwater::cli {

namespace {

/// One of the two files, and the device in it that is compared.
struct ChosenRun
{
    LoadedInput input;
    DeviceIndex deviceIndex = 0;
    std::vector<ConfigurationEntry> configuration = {};

    const Trace& trace() const { return *input.imported->trace; }
    const Device& device() const { return trace().devices[deviceIndex]; }
    bool hasDevices() const { return input.imported && !trace().devices.empty(); }
    /// True if the file was read and is a log with series or messages, without allocations.
    bool isLogFile() const { return input.imported && isLog(trace()) && !isEmptyLog(trace()); }
};

int exitCodeOfBoth(const ChosenRun& before, const ChosenRun& after)
{
    return worse(exitCodeOf(before.input), exitCodeOf(after.input));
}

/// Returns the event of the requested moment, or the peak of the requested step; nullopt if neither is given.
std::optional<std::int64_t> requestedMoment(const std::string& path, const DeviceStudy& study,
    const std::optional<std::string>& moment, const std::optional<std::size_t>& step)
{
    if (step && *step < study.steps.steps.size())
        return study.steps.steps[*step].peakEvent;
    if (step)
        refuse(path, noSuchStepText(static_cast<std::int64_t>(*step), study.about().words(), study.steps));
    return moment ? std::optional(need(path, eventOfMoment(*moment, study.trace, study.device)))
                  : std::nullopt;
}

struct Moments
{
    std::int64_t before = -1;
    std::int64_t after = -1;
};

/// Returns the requested moments. A missing one is derived from the other by `--align`, or else is the peak.
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

/// Compares two recordings at the requested moments; ends the command if they count different bytes.
int compareRecordings(const DiffOptions& options, const ChosenRun& before, const ChosenRun& after,
    const std::vector<CategoryRule>& rules, const DiffHandler& handle)
{
    const std::optional<CommonQuantity> common = commonQuantity(before.device(), after.device());
    if (!common)
        refuse(before.input.path,
            differentBytesText(before.device().quantity, after.input.path, after.device().quantity));
    // Two moments of one file are moments of one run, not of an earlier and a later one.
    const bool isOneFile
        = before.input.imported->file && before.input.imported->file == after.input.imported->file;
    const auto studyOf = [&](const ChosenRun& run) {
        const Trace& trace = isOneFile ? before.trace() : run.trace();
        return std::make_shared<const DeviceStudy>(trace, run.deviceIndex, common->quantity, rules);
    };
    auto beforeStudy = inBackground([&] { return studyOf(before); });
    const std::shared_ptr<const DeviceStudy> afterStudy = studyOf(after);
    const RunComparison runs({beforeStudy.get(), before.configuration}, {afterStudy, after.configuration});
    const Moments moments = momentsOf(runs, options,
        requestedMoment(before.input.path, runs.before(), options.atBefore, options.beforeStep),
        requestedMoment(after.input.path, runs.after(), options.atAfter, options.afterStep));
    const DiffReport report{{before.input.path, runs.before(), moments.before},
        {after.input.path, runs.after(), moments.after}, options.group, common->isInferred, runs,
        runs.diffAt(moments.before, moments.after, *groupKeyFromText(options.group))};
    return worse(handle(report), exitCodeOfBoth(before, after));
}

void chooseDeviceOf(ChosenRun& chosen, const std::optional<std::string>& device)
{
    chosen.deviceIndex
        = need(chosen.input.path, chooseDevice(chosen.trace(), allFigures(chosen.trace()), device));
}

int compareLogs(
    const DiffOptions& options, const ChosenRun& before, const ChosenRun& after, const LogDiffHandler& handle)
{
    if (options.choosesDeviceOrMoment())
        refuse(before.input.path,
            "is a log, in which no device, event or step can be chosen; omit --device-…, --at-… and "
            "--step-…");
    const LogDiffReport report{before.input.path, after.input.path, before.trace(), after.trace(),
        diffLogs({before.trace(), before.configuration}, {after.trace(), after.configuration})};
    return worse(handle(report), exitCodeOfBoth(before, after));
}

/// Returns "the log's highest value is 44.87 GiB, allocated peak (…)".
std::string logPeakText(const Trace& log)
{
    const std::optional<SeriesPair> pair = bestMemorySeries(log);
    if (!pair)
        return "the log has no series of GPU memory";
    const CounterSeries& series = log.counters[pair->before];
    return fmt::format("the log's highest value is {}, {}",
        formatBytes(wholeBytes(pair->beforeFigures.largest)), measureText(series));
}

/// Refuses to compare a log with a recording. The log's figures come from counters and cover the whole run;
/// the recording's come from allocations and may cover a part. A difference would not show what changed.
[[noreturn]] void refuseLogAgainstRecording(const ChosenRun& before, const ChosenRun& after)
{
    const ChosenRun& log = before.isLogFile() ? before : after;
    const ChosenRun& recording = before.isLogFile() ? after : before;
    refuse(recording.input.path,
        fmt::format("records allocations and {} is a log, so they cannot be compared ({}). highwater report "
                    "shows both on one clock",
            log.input.path, logPeakText(log.trace())));
}

} // namespace

int compareTwoFiles(const DiffOptions& options, const DiffHandler& handle, const LogDiffHandler& handleLogs)
{
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    if (options.common.files.size() != 2)
        refuse("diff",
            "needs two files, BEFORE and AFTER, or more for a table of runs, as in highwater diff "
            "before.pickle after.pickle");
    auto [inputBefore, inputAfter]
        = loadTwoInputs(options.common.files[0], options.common.files[1], options.common);
    ChosenRun before{std::move(inputBefore)};
    ChosenRun after{std::move(inputAfter)};
    if (!options.beforeConfig.empty())
        before.configuration = need(options.beforeConfig, loadConfiguration(options.beforeConfig));
    if (!options.afterConfig.empty())
        after.configuration = need(options.afterConfig, loadConfiguration(options.afterConfig));
    if (before.isLogFile() && after.isLogFile())
        return compareLogs(options, before, after, handleLogs);
    if ((before.isLogFile() && after.hasDevices()) || (before.hasDevices() && after.isLogFile()))
        refuseLogAgainstRecording(before, after);
    if (!before.input.imported || !after.input.imported)
        return exitCodeOfBoth(before, after); // the errors have been printed
    chooseDeviceOf(before, options.beforeDevice);
    chooseDeviceOf(after, options.afterDevice);
    return compareRecordings(options, before, after, rules, handle);
}

} // namespace highwater::cli
