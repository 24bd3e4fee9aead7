#include "importers/kineto/kineto_importer.h"

#include "core/base/text_parts.h"
#include "importers/conclude_import.h"
#include "importers/kineto/device_instants.h"
#include "importers/kineto/slice_stacks.h"
#include "importers/kineto/trace_event_reader.h"

namespace highwater {

namespace {

using namespace kineto;

/// Adds annotations and profiler steps as spans of all devices.
void addSpans(const Records& records, TraceBuilder& builder)
{
    for (const Slice& slice : records.slices) {
        if (slice.kind != SliceKind::Annotation)
            continue;
        Span span;
        span.kind = slice.isStep ? SpanKind::ProfilerStep : SpanKind::Annotation;
        span.name = slice.name;
        span.deviceOrdinal = Span::kAllDevices;
        span.begin = slice.begin;
        span.end = slice.end;
        builder.addSpan(span);
    }
}

void addActivities(const ActivityTable& activities, TraceBuilder& builder)
{
    for (std::size_t i = 0; i < activities.rows(); ++i)
        builder.addActivity(activities.row(i));
}

/// The profiler did not exist before this date, so smaller times do not count from the Unix epoch.
constexpr Nanoseconds kEarliestUnixTime = 1'400'000'000'000'000'000; // May 2014

/// Judges by the time of the first instant, or else of the first slice. Returns Unix if there is neither.
Clock clockOf(const Records& records)
{
    const Nanoseconds time = !records.instants.empty() ? records.instants[0].time
        : !records.slices.empty()                      ? records.slices[0].begin
                                                       : kEarliestUnixTime;
    return time >= kEarliestUnixTime ? Clock::Unix : Clock::Own;
}

void fillMetadata(const Records& records, TraceBuilder& builder)
{
    TraceMetadata& metadata = builder.metadata();
    metadata.kind = TraceKind::KinetoTrace;
    metadata.producer = records.producer;
    metadata.clock = clockOf(records);
    metadata.operatorCount = records.operatorCount();
    metadata.hasHistory = !records.instants.empty();
    if (records.unreadableEventCount > 0)
        builder.log().add(Severity::Warning, "event-unreadable",
            "an event that is not valid JSON or lacks a usable time or size is ignored",
            records.firstUnreadable, records.unreadableEventCount);
    if (records.instants.empty())
        builder.log().add(Severity::Warning, "no-memory-events",
            "the trace has no memory events; record it with profile_memory=True");
}

} // namespace

bool sniffKineto(std::string_view prefix)
{
    const std::size_t start = prefix.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const std::string_view text = start == std::string_view::npos ? std::string_view() : prefix.substr(start);
    if (text.starts_with('{'))
        return contains(text, "\"traceEvents\"")
            || (contains(text, "\"schemaVersion\"")
                && (contains(text, "\"deviceProperties\"") || contains(text, "\"distributedInfo\"")));
    return text.starts_with('[') && contains(text, "\"ph\"") && contains(text, "\"ts\"");
}

Result<ImportedTrace> importKineto(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    TraceBuilder builder;
    Records records;
    const std::optional<Error> error = readTraceEvents(
        *source, {options.maxMemoryBytes, options.stop, options.activities}, builder.strings(), records);
    if (error && !leavesUsablePart(*error))
        return tl::unexpected<Error>(*error);
    addSpans(records, builder);
    addActivities(records.activities, builder);
    fillMetadata(records, builder);
    attributeStacks(records, builder);
    addDevices(std::move(records.instants), records.gpus, builder);
    if (error)
        builder.markCutOff();
    const std::shared_ptr<const Trace> trace = builder.finish();
    return concludeImport(error, trace->events.rows() == 0 && trace->spans.empty(), [&] { return trace; });
}

} // namespace highwater
