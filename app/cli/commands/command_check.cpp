#include "app/cli/commands/commands.h"

#include <algorithm>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/loading/device_choice.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/report/input/limit_check.h"
#include "core/report/json/diagnosis_json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

struct DeviceCheck
{
    const Device& device;
    std::vector<LimitResult> results;
};

/// The result for one file.
struct FileCheck
{
    std::string path;
    bool complete = true;
    std::optional<Error> error;
    std::vector<DeviceCheck> devices;
    std::shared_ptr<const RunStudy> study = nullptr; ///< null if it cannot be studied
};

/// Returns the requested device, or the main one; for "all", that one and all with events or segments.
Result<std::vector<DeviceIndex>> devicesToCheck(
    const Trace& trace, const std::vector<DeviceFigures>& figures, const std::optional<std::string>& wanted)
{
    const Result<DeviceIndex> chosen = chooseDevice(trace, figures, wanted == "all" ? std::nullopt : wanted);
    if (!chosen)
        return tl::unexpected(chosen.error());
    std::vector<DeviceIndex> devices{*chosen};
    for (DeviceIndex i = 0; wanted == "all" && i < trace.devices.size(); ++i)
        if (i != *chosen && (figures[i].eventCount > 0 || figures[i].segmentCount > 0))
            devices.push_back(i);
    std::sort(devices.begin(), devices.end());
    return devices;
}

/// Returns the peak of the run to compare with; nullopt if no such run is named.
std::optional<PeakBaseline> baselineOf(const CheckOptions& options)
{
    if (options.baseline.empty())
        return std::nullopt;
    const LoadedInput input = needInput(options.baseline, options.common);
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const DeviceIndex device = need(options.baseline,
        chooseDevice(trace, figures, options.device == "all" ? std::nullopt : options.device));
    return PeakBaseline{sanitizedText(fileName(options.baseline)), figures[device].peakBytes,
        trace.devices[device].quantity, options.maxPeakIncreasePercent.value_or(0)};
}

/// Checks one file. Prints an error if it lacks the device.
FileCheck checkFile(const LoadedInput& input, const CheckOptions& options, const MemoryLimits& limits,
    const std::optional<PeakBaseline>& baseline)
{
    FileCheck check{input.path, true, {}, {}};
    if (!input.imported) {
        check.error = input.imported.error();
        return check;
    }
    check.complete = !input.imported->incomplete;
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const Result<std::vector<DeviceIndex>> devices = devicesToCheck(trace, figures, options.device);
    if (!devices) {
        check.error = devices.error();
        printError(input.path, devices.error());
        return check;
    }
    for (const DeviceIndex device : *devices) {
        check.devices.push_back({trace.devices[device], checkLimits(trace, device, figures[device], limits)});
        if (baseline)
            check.devices.back().results.push_back(checkBaseline(trace.devices[device], figures[device],
                *baseline, recordedPart(AllocationTable(trace, device))));
    }
    check.study = studyOfInput(input, options.device == "all" ? std::nullopt : options.device);
    return check;
}

bool isWithinLimits(const FileCheck& check)
{
    for (const DeviceCheck& device : check.devices)
        for (const LimitResult& result : device.results)
            if (!result.holds)
                return false;
    return true;
}

Json limitJson(const LimitResult& result)
{
    Json json = {{"limit", result.limit}, {"limit_bytes", result.limitBytes}};
    json["observed_bytes"] = result.observed ? Json(*result.observed) : Json(nullptr);
    if (result.limit == "max-peak" || result.limit == "max-peak-increase")
        json["event"] = result.event;
    json["ok"] = result.holds;
    json["text"] = result.text;
    return json;
}

Json fileCheckJson(const FileCheck& check)
{
    if (check.error)
        return {{"path", check.path}, {"error", toText(*check.error)}};
    Json devices = Json::array();
    for (const DeviceCheck& device : check.devices) {
        Json results = Json::array();
        for (const LimitResult& result : device.results)
            results.push_back(limitJson(result));
        devices.push_back({{"device", device.device.ordinal}, {"kind", toText(device.device.kind)},
            {"quantity", toText(device.device.quantity)}, {"checks", results}});
    }
    return {{"path", check.path}, {"complete", check.complete}, {"ok", isWithinLimits(check)},
        {"diagnosis", check.study ? diagnosisJson(check.study->diagnosis()) : Json(nullptr)},
        {"devices", devices}};
}

void printFileCheck(const FileCheck& check, const Style& style)
{
    for (const DeviceCheck& device : check.devices)
        for (const LimitResult& result : device.results)
            printOut("{}  {}  {}  {}{}\n", result.holds ? style.quiet("ok  ") : style.warning("FAIL"),
                sanitizedText(check.path), device.device.words(), result.text,
                check.complete ? "" : " (incomplete file)");
    if (check.study)
        printOut("        {}{}\n", check.devices.empty() ? sanitizedText(check.path) + "  " : "",
            sanitizedText(check.study->diagnosis().text()));
}

} // namespace

int runCheck(const CheckOptions& options)
{
    const MemoryLimits limits{options.maxPeak, options.maxReserved, options.maxGrowthPerStep};
    if (options.baseline.empty() != !options.maxPeakIncreasePercent) {
        printErr("highwater: check: --baseline FILE and --max-peak-increase N% need each other\n");
        return WrongUsage;
    }
    if (limits.isEmpty() && options.baseline.empty()) {
        printErr("highwater: check needs a limit: --max-peak, --max-reserved, --max-growth-per-step or "
                 "--baseline (see highwater help check)\n");
        return WrongUsage;
    }
    const std::optional<PeakBaseline> baseline = baselineOf(options);
    Json files = Json::array();
    int worstCheck = Done;
    const Style style = Style::forStdout();
    const int inputsCode = forEachInput(options.common, [&](const LoadedInput& input) {
        const FileCheck check = checkFile(input, options, limits, baseline);
        if (check.error)
            worstCheck = worse(worstCheck, exitCodeOf(*check.error));
        else if (!isWithinLimits(check))
            worstCheck = worse(worstCheck, CheckFailed);
        if (options.common.json)
            files.push_back(fileCheckJson(check));
        else
            printFileCheck(check, style);
    });
    const bool allHold = worstCheck == Done && inputsCode != CannotRead;
    if (options.common.json)
        printDocument(Json({{"ok", allHold}, {"files", files}}));
    return worse(inputsCode, worstCheck);
}

} // namespace highwater::cli
