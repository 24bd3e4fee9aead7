#include "app/cli/commands/commands.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/file_answers.h"
#include "app/loading/device_choice.h"
#include "core/analysis/allocator/replay.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/allocator/settings_advice.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/table/replay_table.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The requested change, also in words.
struct Question
{
    WhatIf change;
    std::string text; ///< empty if nothing is changed
};

Json settingJson(const WhatIfResult& result)
{
    Json failures = Json::array();
    for (const FailureOutcome& failure : result.failures)
        failures.push_back({{"event", failure.event}, {"requested_bytes", failure.requestedBytes},
            {"fits", failure.fits}, {"spare_bytes", failure.fits ? Json(failure.spareBytes) : Json()}});
    return {{"reserved_peak_bytes", result.reservedPeak}, {"reserved_peak_event", result.reservedPeakEvent},
        {"allocated_at_peak_bytes", result.allocatedAtPeak}, {"free_at_peak_bytes", result.freeAtPeak()},
        {"free_blocks_at_peak", result.freeBlocksAtPeak}, {"allocated_peak_bytes", result.allocatedPeak},
        {"allocated_peak_event", result.allocatedPeakEvent}, {"driver_allocations", result.calls.allocations},
        {"driver_releases", result.calls.releases}, {"flushes", result.calls.flushes},
        {"out_of_memory", failures}, {"new_failures", result.newFailures},
        {"first_new_failure_event", result.newFailures > 0 ? Json(result.firstNewFailure) : Json()}};
}

Json curveJson(const std::vector<ReservedChange>& changes)
{
    Json rows = Json::array();
    for (const ReservedChange& change : changes)
        rows.push_back({change.event, change.bytes});
    return rows;
}

Json fidelityJson(const ReplayFidelity& fidelity)
{
    return {{"trusted", fidelity.isTrusted()}, {"calls", fidelity.compared}, {"exact_calls", fidelity.exact},
        {"largest_deviation_bytes", fidelity.largestDeviation}, {"event", fidelity.event},
        {"recorded_bytes", fidelity.recordedAtDeviation}, {"largest_share", fidelity.share},
        {"allocations", fidelity.allocations}, {"placed_as_recorded", fidelity.placedAsRecorded},
        {"new_failures", fidelity.newFailures}, {"failures_hold", fidelity.failuresRepeat}};
}

Json adviceJson(const SettingsStudy& study)
{
    Json rows = Json::array();
    for (const SettingsAdvice& advice : study.advice)
        rows.push_back({{"change", advice.change}, {"configuration", advice.configuration},
            {"saved_bytes", advice.savedBytes}, {"fitting_requests", advice.fittingFailures},
            {"result", settingJson(advice.result)}});
    return rows;
}

Json optionsJson(const RecordedSettings& recorded)
{
    return {{"text", recorded.text}, {"without_effect", recorded.withoutEffect},
        {"not_replayed", recorded.notReplayed}, {"not_understood", recorded.notUnderstood},
        {"contradicted", recorded.contradicted}};
}

/// Returns all options in the file, including those that the replay ignores.
std::string recordedText(const RecordedSettings& recorded)
{
    const std::string text = configurationText(recorded.settings, recorded);
    return text.empty() ? "the allocator's defaults" : sanitizedText(text);
}

std::vector<std::string> assumptions(const AllocationScript& script)
{
    return replayAssumptions(*script.trace, script.allocations->device(), script.recorded);
}

/// Prints what limits the trust in a what-if.
void printReservations(const AllocationScript& script, const Question& question, const Style& style)
{
    const Bytes start = script.start.reservedBytes;
    if (start > 0)
        printOut("  {}\n",
            style.quiet(fmt::format(
                "{} of {} was reserved before the first event and stays as it was under any settings",
                formatBytes(start), formatBytes(script.recordedPeak()))));
    for (const std::string& sentence : reservations(script.start))
        printOut("  {}\n", style.quiet("before the first event: " + sentence));
    for (const std::string& sentence : sentencesOf(script.recorded))
        printOut("  {}\n", style.quiet(sentence));
    for (const std::string& sentence : assumptions(script))
        printOut("  {}\n", style.quiet("assumed: " + sentence));
    const AllocatorSettings& settings = question.change.settings;
    if (settings.garbageCollectionThreshold > 0 && !settings.collectsGarbage())
        printOut("  {}\n",
            style.quiet("garbage_collection_threshold has no effect without per_process_memory_fraction"));
    if (settings.memoryFraction > 0 && script.deviceMemory == 0)
        printOut("  {}\n",
            style.quiet("the GPU's capacity is unknown, so per_process_memory_fraction is ignored"));
    if (settings.segmentReserveShare > 0 && script.deviceMemory == 0)
        printOut("  {}\n",
            style.quiet("the GPU's capacity is unknown, so expandable_segments_reserve is ignored"));
}

void printResults(const AllocationScript& script, const Question& question, const SettingsStudy& study,
    const WhatIfResult* result)
{
    const Style style = Style::forStdout();
    const Device& device = script.trace->devices[script.allocations->device()];
    printOut("{}  at most {} is reserved with the recorded settings ({})\n", style.strong(device.words()),
        formatBytes(script.recordedPeak()), recordedText(script.recorded));
    const std::string fidelity = "the replay with these settings " + sentenceOf(study.fidelity);
    printOut("  {}\n", study.fidelity.isTrusted() ? fidelity : style.warning(fidelity));
    if (result && !study.fidelity.isTrusted())
        printOut("  {}\n", style.warning("a replay this far off says little about the results below"));
    if (script.hasLimit())
        printOut("  the replay assumes that the GPU has {}{}\n", formatBytes(script.limit),
            script.isLeastLimit ? ", the least that it can have" : "");
    printReservations(script, question, style);
    printOut("\n");
    printTable(replayTable(study, question.text, result));
    if (const std::string reason = reasonForNoAdvice(study); !result && !reason.empty())
        printOut("\n  {}\n", reason);
}

/// Converts `--set` and `--remove-site` into a change of the run.
Question questionFrom(const AllocationScript& script, const WhatIfOptions& options, const std::string& path)
{
    Question question;
    question.change.settings = script.settings;
    for (const std::string& text : options.settings) {
        const std::size_t equals = std::min(text.find('='), text.size());
        const std::string value = equals < text.size() ? text.substr(equals + 1) : "";
        question.change.settings
            = need("--set", withSetting(question.change.settings, text.substr(0, equals), value));
    }
    question.text = changeText(script.settings, question.change.settings);
    const CallSites sites(*script.trace, *script.allocations);
    for (const std::string& text : options.removedSites) {
        std::vector<bool> isRemovedSite;
        for (std::size_t number = 0; number < sites.size(); ++number) {
            const CallSite site = sites.site(SiteId(number));
            isRemovedSite.push_back(contains(site.key, text) || contains(site.label, text));
        }
        std::int64_t removedCount = 0;
        for (AllocationIndex i = 0; i < script.allocations->size(); ++i)
            if (isRemovedSite[sites.of(i).index()]) {
                question.change.removed.push_back(i);
                ++removedCount;
            }
        if (removedCount == 0)
            refuse(path,
                fmt::format(
                    "has no allocation from a call site with '{}' (highwater peaks --group site lists "
                    "them)",
                    sanitizedText(text)));
        question.text += fmt::format("{}without {} ({})", question.text.empty() ? "" : ", ", text,
            counted(removedCount, "allocation", "allocations"));
    }
    if (question.text.empty() && !options.settings.empty())
        question.text = "no change";
    return question;
}

Json whatIfJson(const std::string& path, const AllocationScript& script, const Question& question,
    const SettingsStudy& study, const WhatIfResult* result)
{
    const Device& device = script.trace->devices[script.allocations->device()];
    Json document = {{"path", path}, {"device", device.ordinal}, {"kind", toText(device.kind)},
        {"recorded_configuration", configurationText(script.settings)},
        {"recorded_options", optionsJson(script.recorded)}, {"assumptions", assumptions(script)},
        {"recorded_reserved_peak_bytes", script.recordedPeak()},
        {"limit_bytes", script.hasLimit() ? Json(script.limit) : Json()},
        {"reserved_before_bytes", script.start.reservedBytes}, {"reservations", reservations(script.start)},
        {"fidelity", fidelityJson(study.fidelity)}, {"replay", settingJson(study.recorded)},
        {"what_if", nullptr}, {"advice", adviceJson(study)}, {"advice_reason", reasonForNoAdvice(study)}};
    if (result) {
        Json json = {{"change", question.text},
            {"configuration", configurationText(question.change.settings, script.recorded)},
            {"removed_allocations", question.change.removed.size()},
            {"saved_bytes", study.recorded.reservedPeak - result->reservedPeak}};
        json.update(settingJson(*result));
        json["reserved"] = curveJson(result->reserved);
        document["what_if"] = json;
    }
    return document;
}

/// Answers the question for one file and passes the result to `use`.
template <typename Use>
auto answerQuestion(const LoadedInput& input, const WhatIfOptions& options, Use use)
{
    const std::string& path = input.path;
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const DeviceIndex device = need(path, chooseDevice(trace, figures, options.device));
    const AllocationTable allocations(trace, device);
    const LiveIndex live(allocations);
    const UsageCurve curve(trace, allocations);
    const SegmentHistory history(trace, allocations, live);
    const AllocationScript script = need(path,
        allocationScript(history, curve, knownCapacity(trace.devices[device], figures[device].ooms, curve)));
    const Question question = questionFrom(script, options, path);
    const bool hasQuestion = !question.text.empty();
    const SettingsStudy study = hasQuestion ? recordedReplay(script) : settingsAdvice(script);
    std::optional<WhatIfResult> result;
    if (hasQuestion) {
        result = replay(script, question.change);
        if (const std::string missing = reasonNotToTrust(script, question.change, *result); !missing.empty())
            refuse(path, fmt::format("cannot be replayed with this change: {}", missing));
    }
    return use(script, question, study, result ? &*result : nullptr);
}

} // namespace

int runWhatIf(const WhatIfOptions& options)
{
    const auto document = [&](const LoadedInput& input) {
        return answerQuestion(input, options,
            [&](const AllocationScript& script, const Question& question, const SettingsStudy& study,
                const WhatIfResult* result) {
                return whatIfJson(input.path, script, question, study, result);
            });
    };
    const auto print = [&](const LoadedInput& input) { answerQuestion(input, options, printResults); };
    return answerForRun(options.common, {options.device, document, print});
}

} // namespace highwater::cli
