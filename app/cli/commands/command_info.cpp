#include "app/cli/commands/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/output/cut_off_output.h"
#include "app/cli/output/log_output.h"
#include "app/cli/output/rank_report.h"
#include "app/loading/device_choice.h"
#include "app/loading/files/file_hash.h"
#include "app/loading/input_paths.h"
#include "app/loading/run/run_inputs.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/lost_start.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json logJson(const ImportLog& log)
{
    Json entries = Json::array();
    for (const ImportLogEntry& entry : log.entries()) {
        Json item = {{"severity", toText(entry.severity)}, {"code", entry.code}, {"message", entry.message},
            {"count", entry.count}};
        item["first_at"] = entry.firstAt ? Json(toText(*entry.firstAt)) : Json(nullptr);
        entries.push_back(std::move(item));
    }
    return entries;
}

/// Returns {"allocations_at_least", "whole_from_us"}; null if no event of the device is known to be lost.
Json lostStartJson(const Trace& trace, DeviceIndex index)
{
    const std::optional<LostStart> lost = lostStart(AllocationTable(trace, index));
    if (!lost)
        return nullptr;
    return {{"allocations_at_least", lost->allocationsAtLeast},
        {"whole_from_us", lost->wholeFrom ? Json(*lost->wholeFrom / 1000) : Json(nullptr)}};
}

Json deviceFiguresJson(const Trace& trace, DeviceIndex index, const DeviceFigures& figures, bool isIncomplete)
{
    const Device& device = trace.devices[index];
    const FigureCertainty known = figureCertainty(device);
    const auto orUnknown = [](Certainty certainty, auto value) {
        return certainty == Certainty::NotAtAll ? Json(nullptr) : Json(value);
    };
    Json ooms = Json::array();
    for (const OomEvent& oom : figures.ooms)
        ooms.push_back({{"event", oom.event}, {"requested_bytes", oom.requestedBytes},
            {"device_free_bytes",
                oom.deviceFreeBytes == OomEvent::kUnknown ? Json(nullptr) : Json(oom.deviceFreeBytes)}});
    const auto reserved = [&](Certainty certainty, Bytes bytes) {
        return orUnknown(
            device.recordsReserved() || device.endState ? certainty : Certainty::NotAtAll, bytes);
    };
    const bool hasBlockSizes
        = device.hasFinalSegments || device.endState || device.quantity == Quantity::Allocated;
    Json json = {{"device", device.ordinal}, {"kind", toText(device.kind)},
        {"process", orNull(device.process)}, {"quantity", toText(device.quantity)},
        {"events", figures.eventCount}, {"actions", figures.actions}, {"segments", figures.segmentCount},
        {"blocks", figures.blockCount}, {"initial_bytes", orUnknown(known.initial, figures.initialBytes)},
        {"initial_blocks", orUnknown(known.initial, figures.initialLiveCount)},
        {"peak_bytes", figures.peakBytes}, {"peak_event", figures.peakEvent},
        {"peak_blocks", figures.peakLiveCount}, {"final_bytes", orUnknown(known.final, figures.finalBytes)},
        {"final_blocks", orUnknown(known.final, figures.finalLiveCount)},
        {"final_allocated_bytes",
            orUnknown(hasBlockSizes ? known.final : Certainty::NotAtAll, figures.finalAllocatedBytes)},
        {"reserved_initial_bytes", reserved(known.reservedInitial, figures.reservedInitialBytes)},
        {"reserved_peak_bytes", reserved(known.reservedPeak, figures.reservedPeakBytes)},
        {"reserved_final_bytes", reserved(known.reservedFinal, figures.reservedFinalBytes)},
        {"capacity_bytes", orNull(device.capacity)}, {"ooms", ooms},
        {"span_us", figures.span ? Json(*figures.span / 1000) : Json(nullptr)}};
    if (isIncomplete || trace.metadata.cutOff)
        json["cut_off"] = cutOffJson(trace, index, figures);
    if (trace.metadata.startLost)
        json["lost_start"] = lostStartJson(trace, index);
    return json;
}

Json textsJson(const std::vector<NamedText>& texts)
{
    Json object = Json::object();
    for (const auto& [name, value] : texts)
        object[name] = value;
    return object;
}

Json spansJson(const Trace& trace)
{
    std::vector<StringId> steps;
    std::int64_t annotations = 0;
    for (const Span& span : trace.spans) {
        annotations += span.kind != SpanKind::Operator;
        if (span.kind == SpanKind::ProfilerStep)
            steps.push_back(span.name);
    }
    std::sort(steps.begin(), steps.end());
    const auto distinct = std::unique(steps.begin(), steps.end()) - steps.begin();
    return {{"steps", distinct}, {"annotations", annotations}, {"operators", trace.metadata.operatorCount}};
}

struct FileReport
{
    LoadedInput input;
    RunMember member;
    std::optional<std::string> hash;
    std::vector<DeviceFigures> figures;
};

Json fileReportJson(const FileReport& report)
{
    const LoadedInput& input = report.input;
    if (!input.imported)
        return {{"path", input.path}, {"error", toText(input.imported.error())}};
    const Trace& trace = *input.imported->trace;
    Json devices = Json::array();
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i)
        devices.push_back(
            deviceFiguresJson(trace, i, report.figures[i], input.imported->incomplete.has_value()));
    Json file = {{"path", input.path}, {"format", toText(trace.metadata.kind)},
        {"container", input.imported->containers}, {"bytes", input.imported->fileBytes}};
    file["sha256"] = orNull(report.hash);
    file["complete"] = !input.imported->incomplete;
    file["rank"] = orNull(report.member.rank);
    file["step"] = orNull(report.member.step);
    file["producer"] = textsJson(trace.metadata.producer);
    file["settings"] = textsJson(trace.metadata.settings);
    file["import_log"] = logJson(trace.log);
    file["devices"] = devices;
    file["spans"] = spansJson(trace);
    file["counters"] = countersJson(trace);
    file["log_events"] = logEventsJson(trace);
    file["oom_messages"] = failureMessagesJson(trace);
    file["configuration"] = configurationJson(trace);
    if (input.imported->incomplete)
        file["error"] = toText(*input.imported->incomplete);
    return file;
}

/// Makes a row: the name, the figure as far as it is known, exact bytes, number of allocations, event.
TableRow figureRow(std::string name, Certainty known, Bytes bytes, Cell allocations = {}, Cell event = {})
{
    if (known == Certainty::NotAtAll || (known == Certainty::AtLeast && bytes == 0))
        return {std::move(name), Cell().show("unknown"), {}, {}, {}};
    Cell figure = bytesCell(bytes);
    if (known == Certainty::AtLeast)
        figure.shown = "≥ " + cellText(figure);
    return {std::move(name), std::move(figure), formatExactBytes(bytes), std::move(allocations),
        std::move(event)};
}

/// Returns the row of the highest total at an event, which is no peak if the file has no history.
TableRow highestRow(const Device& device, const DeviceFigures& figures, bool hasHistory)
{
    const bool isAtEnd = peakLowerBound(device, figures) > figures.peakBytes;
    return figureRow(!hasHistory ? "in use at the snapshot"
            : isAtEnd            ? "highest readable total"
                                 : "in use at the peak",
        figureCertainty(device).peak, figures.peakBytes, countCell(figures.peakLiveCount),
        hasHistory ? eventCell(figures.peakEvent) : Cell());
}

void printDeviceFigures(
    const Device& device, const DeviceFigures& figures, bool hasHistory, const Style& style)
{
    const FigureCertainty known = figureCertainty(device);
    printOut("  {}  {}, {}, {}{}, in {} bytes\n", style.strong(device.words()),
        counted(figures.eventCount, "event", "events"), counted(figures.segmentCount, "segment", "segments"),
        counted(figures.blockCount, "block", "blocks"),
        figures.span ? ", over " + formatDuration(*figures.span) : std::string(), inWords(device.quantity));
    Table table{"figures", {},
        {{"Bytes", "name"}, {"Figure", "bytes", true}, {"Exactly", "exact", true},
            {"Allocations", "allocations", true}, {"Event", "event", true}}};
    const bool isAtEnd = peakLowerBound(device, figures) > figures.peakBytes;
    if (isAtEnd)
        table.rows.push_back(figureRow("in use at the peak", known.peak, figures.finalBytes,
            countCell(figures.finalLiveCount), "the end"));
    table.rows.push_back(highestRow(device, figures, hasHistory));
    table.rows.push_back(figureRow(
        "in use before recording", known.initial, figures.initialBytes, countCell(figures.initialLiveCount)));
    table.rows.push_back(
        figureRow("in use at the end", known.final, figures.finalBytes, countCell(figures.finalLiveCount)));
    if (device.hasFinalSegments || device.endState)
        table.rows.push_back(figureRow("with rounding at the end", known.final, figures.finalAllocatedBytes));
    if (device.recordsReserved() || device.endState) {
        table.rows.push_back(figureRow("peak reserved", known.reservedPeak, figures.reservedPeakBytes));
        table.rows.push_back(
            figureRow("reserved at the end", known.reservedFinal, figures.reservedFinalBytes));
    }
    printTable(table);
    for (const OomEvent& oom : figures.ooms)
        printOut("    {}\n",
            style.warning(fmt::format("out of memory {}: {} requested{}", formatMoment(oom.event, "at"),
                formatBytes(oom.requestedBytes),
                oom.deviceFreeBytes == OomEvent::kUnknown
                    ? std::string()
                    : fmt::format(" (rounded), {} free on the GPU", formatBytes(oom.deviceFreeBytes)))));
}

/// Prints what the file records besides memory: annotations, profiler steps and operator calls.
void printSpans(const Trace& trace)
{
    const Json spans = spansJson(trace);
    std::vector<std::string> counts;
    const auto add = [&](const char* key, std::string_view one, std::string_view many) {
        if (spans[key] != 0)
            counts.push_back(counted(spans[key].get<std::int64_t>(), one, many));
    };
    add("annotations", "annotation", "annotations");
    add("steps", "profiler step", "profiler steps");
    add("operators", "operator call", "operator calls");
    if (!counts.empty())
        printOut("  {}\n", fmt::format("{}", fmt::join(counts, ", ")));
}

void printFileReport(const FileReport& report, const Style& style, bool printsAll)
{
    const LoadedInput& input = report.input;
    if (!input.imported)
        return; // the error is already on standard error
    const Trace& trace = *input.imported->trace;
    std::string containers;
    for (const std::string& container : input.imported->containers)
        containers += ", " + container;
    printOut("{}  {}{}, {}{}{}\n", style.strong(sanitizedText(input.path)), toText(trace.metadata.kind),
        containers, formatBytes(static_cast<Bytes>(input.imported->fileBytes)),
        report.member.rank ? ", " + report.member.label() : std::string(),
        input.imported->incomplete ? style.warning(", INCOMPLETE") : std::string());
    if (report.hash)
        printOut("  sha256 {}\n", *report.hash);
    const bool isCutOff = input.imported->incomplete || trace.metadata.cutOff;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        printDeviceFigures(trace.devices[i], report.figures[i], trace.metadata.hasHistory, style);
        if (isCutOff)
            printOut("    {}\n", style.warning(cutOffText(trace, i, report.figures[i])));
        if (trace.metadata.startLost)
            if (const std::optional<LostStart> lost = lostStart(AllocationTable(trace, i)))
                printOut("    {}\n", style.warning(toText(*lost)));
    }
    if (trace.devices.empty() && trace.counters.empty() && trace.logEvents.empty())
        printOut("  no device has events or segments\n");
    printSpans(trace);
    printLog(trace, style, printsAll);
    for (const ImportLogEntry& entry : trace.log.entries())
        printOut("  {}\n",
            style.quiet(fmt::format("{}: {}{}", toText(entry.severity), entry.message,
                entry.count > 1 ? fmt::format(" ({} times)", formatCount(entry.count)) : "")));
}

/// Adds the out-of-memory failures that a log reports.
void addFailures(const Trace& log, RankFile& file)
{
    for (const LogFailure& failure : failuresOfEveryKind(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        if (!event.isMemoryFailure() || event.kind == LogEvent::Kind::Unclear)
            continue;
        if (file.failureCount++ == 0)
            file.firstFailureLine = event.line;
    }
}

/// Returns the file for the comparison of files, with its error if it cannot be read.
RankFile rankFileOf(const FileReport& report)
{
    if (!report.input.imported)
        return unreadableRank(report.member, toText(report.input.imported.error()));
    const Trace& trace = *report.input.imported->trace;
    std::vector<RankDevice> devices;
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        const AllocationTable allocations(trace, i);
        devices.push_back(rankDevice(trace, allocations, CallSites(trace, allocations), report.figures[i]));
    }
    RankFile file = rankFile(report.member, std::move(devices));
    file.isIncomplete = report.input.imported->incomplete.has_value();
    if (file.devices.empty())
        addFailures(trace, file);
    return file;
}

} // namespace

int runInfo(const InfoOptions& options)
{
    Json files = Json::array();
    const Style style = Style::forStdout();
    RankReport ranks;
    const bool isAlone = expandInputs(options.common.files).size() < 2;
    const int exitCode = forEachInput(options.common, [&](LoadedInput input) {
        RunMember member = runMember(input.path);
        FileReport report{std::move(input), std::move(member), {}, {}};
        if (report.input.imported) {
            const Trace& trace = *report.input.imported->trace;
            report.member = runMember(report.input.path, trace);
            report.figures = allFigures(trace);
            if (options.hash && identityAt(report.input.path) == report.input.imported->file)
                report.hash = sha256OfFile(report.input.path);
            interruptionPoint();
        }
        if (!isAlone)
            ranks.add(rankFileOf(report));
        if (options.common.json)
            files.push_back(fileReportJson(report));
        else
            printFileReport(report, style, options.all);
    });
    Json document{{"files", files}};
    if (ranks.hasSeveralFiles())
        document["ranks"] = ranks.json();
    if (options.common.json)
        printDocument(document);
    else if (ranks.hasSeveralRanks())
        ranks.print();
    return exitCode;
}

} // namespace highwater::cli
