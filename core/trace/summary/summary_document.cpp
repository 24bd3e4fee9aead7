#include "core/trace/summary/summary_document.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/base/whole_number.h"

namespace nlohmann {

template <typename T>
struct adl_serializer<std::optional<T>>
{
    static void to_json(json& written, const std::optional<T>& value)
    {
        written = value ? json(*value) : json(nullptr);
    }
    static void from_json(const json& written, std::optional<T>& value)
    {
        value.reset();
        if (!written.is_null())
            value = written.get<T>();
    }
};

} // namespace nlohmann

namespace highwater {

namespace {

using Json = nlohmann::json;

/// Names of the entries of TraceMetadata::unknownEntries that hold `SummaryNotes` and `SummaryStackFacts`.
constexpr std::string_view kNotesEntry = "highwater-summary";
constexpr std::string_view kStackFactsEntry = "highwater-summary-stacks";

} // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RankIdentity, rank, step, tp, pp, dp, ep, host, found)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummarySource, name, format, fileBytes, cutOff, otherDevices)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummaryDevice, kind, ordinal, label, name, quantity, events,
    segments, blocks, peakBytes, peakEvent, peakBlocks, tellsReserved, reservedPeakBytes, capacityBytes,
    peakReservedBytes, peakFreeBytes, peakLargestFreeBytes, peakPinnedFreeBytes, peakReleasableBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummaryStackFacts, noStacks, freesCarryAllocationStacks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    SummaryOom, event, time, requestedBytes, deviceFreeBytes, step, stack, site)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummaryFinding, rule, grade, isFault, title, bytes, event,
    step, evidence, action, savedBytes, isUpperBound, isLowerBound, wouldDisprove, mergedInto)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummaryStep, name, source, grade, peakPhase, isComplete,
    isCounted, begin, end, startBytes, peakBytes, peakEvent, endBytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummarySite, key, bytes, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ConfigurationEntry, name, value, origin, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SummaryNotes, stepReason, steps, findings)
// The members of the summary that are not tables.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RankSummary, identity, source, device, stackFacts, stepReason,
    growthPerStep, growthSteps, ooms, findings, producer, settings, configuration, limits, clock, categories,
    sites, restBytes, restCount)

namespace {

Json logJson(const std::vector<ImportLogEntry>& log)
{
    Json entries = Json::array();
    for (const ImportLogEntry& entry : log)
        entries.push_back({static_cast<int>(entry.severity), entry.code, entry.message, entry.count});
    return entries;
}

std::vector<ImportLogEntry> logFrom(const Json& entries)
{
    std::vector<ImportLogEntry> log;
    for (const Json& entry : entries)
        log.push_back({static_cast<Severity>(std::clamp(wholeNumber<int>(entry.at(0)), 0, 2)),
            entry.at(1).get<std::string>(), entry.at(2).get<std::string>(),
            wholeNumber<std::int64_t>(entry.at(3)), {}});
    return log;
}

/// Returns nullopt if the trace was not made from a summary, or the entry is missing or damaged.
template <typename T>
std::optional<T> readEntry(const TraceMetadata& metadata, std::string_view name)
{
    if (metadata.kind != TraceKind::RankSummary)
        return std::nullopt;
    const auto found = std::ranges::find(metadata.unknownEntries, name, &NamedText::first);
    if (found == metadata.unknownEntries.end())
        return std::nullopt;
    try {
        return parseIntegerJson(found->second).get<T>();
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

} // namespace

std::string summaryDocumentText(const RankSummary& summary)
{
    Json document = summary;
    document["importLog"] = logJson(summary.importLog);
    return jsonText(document);
}

Result<void> readSummaryDocument(std::string_view text, RankSummary& summary)
{
    try {
        const Json document = parseIntegerJson(text);
        RankSummary parsed = document.get<RankSummary>();
        parsed.importLog = logFrom(document.at("importLog"));
        parsed.steps = std::move(summary.steps);
        parsed.moments = std::move(summary.moments);
        parsed.allocations = std::move(summary.allocations);
        parsed.strings = std::move(summary.strings);
        parsed.frames = std::move(summary.frames);
        parsed.nodes = std::move(summary.nodes);
        summary = std::move(parsed);
        return {};
    } catch (const Json::exception&) {
        return fail(
            ErrorCode::Malformed, "is a damaged summary: its description is not JSON, or lacks fields");
    }
}

void addSummaryNotes(TraceMetadata& metadata, const SummaryNotes& notes)
{
    metadata.unknownEntries.emplace_back(kNotesEntry, jsonText(Json(notes)));
}

std::optional<SummaryNotes> readSummaryNotes(const TraceMetadata& metadata)
{
    return readEntry<SummaryNotes>(metadata, kNotesEntry);
}

void addSummaryStackFacts(TraceMetadata& metadata, const SummaryStackFacts& facts)
{
    metadata.unknownEntries.emplace_back(kStackFactsEntry, jsonText(Json(facts)));
}

std::optional<SummaryStackFacts> readSummaryStackFacts(const TraceMetadata& metadata)
{
    return readEntry<SummaryStackFacts>(metadata, kStackFactsEntry);
}

} // namespace highwater
