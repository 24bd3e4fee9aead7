#include "core/analysis/ranks/evidence_of_run.h"

#include <algorithm>

#include "core/analysis/logs/log_failures.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/hash.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// Different keys keep the hashes of marks, segments and code apart.
constexpr std::uint64_t kMarkKey = 0x6d61726b;
constexpr std::uint64_t kSegmentKey = 0x73656773;
constexpr std::uint64_t kCodeKey = 0x636f6465;

/// Keeps the `maxCount` smallest of the added values, each once. Removes the others only now and then, so
/// that adding costs O(log maxCount) on average.
template <typename Value, std::size_t maxCount = RunEvidence::kMaxMarks>
class LowestValues
{
public:
    void add(const Value& value)
    {
        if (m_values.size() >= 4 * maxCount)
            keepLowest();
        if (m_values.size() < maxCount || value < m_bound) {
            m_values.push_back(value);
            m_bound = std::max(m_bound, value);
        }
    }

    std::vector<Value> takeLowest()
    {
        keepLowest();
        return std::move(m_values);
    }

private:
    void keepLowest()
    {
        std::ranges::sort(m_values);
        m_values.erase(std::unique(m_values.begin(), m_values.end()), m_values.end());
        if (m_values.size() > maxCount)
            m_values.resize(maxCount);
        if (!m_values.empty())
            m_bound = m_values.back();
    }

    std::vector<Value> m_values;
    Value m_bound = {};
};

/// Extends a range to a time. Times up to 0 are unknown and ignored.
void widen(std::optional<TimeRange>& range, Nanoseconds time)
{
    if (time <= 0)
        return;
    if (!range)
        range = TimeRange{time, time};
    range->begin = std::min(range->begin, time);
    range->end = std::max(range->end, time);
}

std::uint64_t textHash(std::string_view text)
{
    std::uint64_t hash = text.size();
    for (const char c : text)
        hash = keyedHash(kCodeKey, hash, static_cast<unsigned char>(c));
    return hash;
}

using LowestCodeHashes = LowestValues<std::uint64_t, RunEvidence::kMaxFunctions>;

/// Adds a function of the user's own code; names that Python gives to code without a file identify nothing.
void addFunction(LowestCodeHashes& code, std::string_view function, std::string_view file)
{
    if (!file.empty() && !file.starts_with('<') && !isLibraryFile(file))
        code.add(keyedHash(kCodeKey, textHash(function), textHash(sourceFileName(file))));
}

std::vector<std::uint64_t> codeOfStacks(const Trace& trace)
{
    LowestCodeHashes code;
    for (std::size_t i = 0; i < trace.stacks.functionCount(); ++i) {
        const Frame& function = trace.stacks.function(i);
        if (function.kind == FrameKind::Python)
            addFunction(code, trace.text(function.function), trace.text(function.file));
    }
    return code.takeLowest();
}

std::vector<std::uint64_t> codeOfTracebacks(const Trace& trace)
{
    LowestCodeHashes code;
    for (const LogEvent& event : trace.logEvents)
        for (const LogFrame& frame : event.frames)
            if (!frame.function.isNone() && !frame.file.isNone())
                addFunction(code, trace.text(frame.function), trace.text(frame.file));
    return code.takeLowest();
}

void addRecording(
    const Trace& trace, const Device& device, const DeviceFigures& figures, RunEvidence& evidence)
{
    evidence.reservedPeakBytes = figures.reservedPeakBytes;
    for (const OomEvent& oom : figures.ooms)
        evidence.failedRequests.push_back({oom.requestedBytes, 0});
    LowestValues<EventMark> marks;
    for (std::size_t row = device.events.first; row < device.events.last; ++row) {
        const Nanoseconds time = trace.events.time[row];
        if (time <= 0)
            continue;
        widen(evidence.times, time);
        marks.add({keyedHash(kMarkKey ^ static_cast<std::uint64_t>(time), trace.events.address[row],
                       static_cast<std::uint64_t>(trace.events.size[row])),
            time});
    }
    if (trace.metadata.kind == TraceKind::RankSummary) // the events of a summary are made from its moments
        return;
    evidence.marks = marks.takeLowest();
    LowestValues<std::uint64_t> segments;
    for (std::size_t row = device.segments.first; row < device.segments.last; ++row) {
        const Segment& segment = trace.segments.segments[row];
        segments.add(keyedHash(kSegmentKey, segment.address, static_cast<std::uint64_t>(segment.totalSize)));
    }
    evidence.segments = segments.takeLowest();
    evidence.code = codeOfStacks(trace);
    evidence.isWhole = device.hasFinalSegments && device.eventsRead == Extent::Whole && figures.eventCount > 0
        && figures.initialBytes == 0 && figures.reservedInitialBytes == 0;
}

void addLog(const Trace& trace, RunEvidence& evidence)
{
    evidence.times = timeRange(trace);
    evidence.code = codeOfTracebacks(trace);
    for (const LogEvent& event : trace.logEvents) {
        widen(evidence.times, event.time);
        if (event.figures && event.figures->requested
            && evidence.failedRequests.size() < RunEvidence::kMaxMarks)
            evidence.failedRequests.push_back(*event.figures->requested);
    }
    evidence.capacityBytes = loggedCapacity(trace);
}

std::optional<std::int64_t> worldSizeOf(const std::vector<NamedText>& producer)
{
    for (const auto& [name, value] : producer)
        if (name == "world_size")
            if (const auto size = parsedNumber<std::int64_t>(value); size && *size > 0)
                return size;
    return std::nullopt;
}

} // namespace

RunEvidence runEvidence(const Trace& trace, const Device* device, const DeviceFigures* figures)
{
    RunEvidence evidence;
    evidence.kind = trace.metadata.kind;
    evidence.clock = trace.metadata.clock;
    evidence.worldSize = worldSizeOf(trace.metadata.producer);
    if (device && figures)
        addRecording(trace, *device, *figures, evidence);
    else
        addLog(trace, evidence);
    return evidence;
}

RunEvidence runEvidence(const RankSummary& summary)
{
    RunEvidence evidence;
    evidence.kind = TraceKind::RankSummary;
    evidence.clock = static_cast<Clock>(summary.clock);
    evidence.worldSize = worldSizeOf(summary.producer);
    for (const Nanoseconds time : summary.moments.time)
        widen(evidence.times, time);
    evidence.reservedPeakBytes = summary.device.reservedPeakBytes;
    for (const SummaryOom& oom : summary.ooms)
        evidence.failedRequests.push_back({oom.requestedBytes, 0});
    return evidence;
}

MainCandidate mainCandidate(const std::string& path, const RankSummary& summary)
{
    MainCandidate candidate;
    candidate.member = {path, summary.identity.rank, summary.identity.step, summary.identity.pp};
    candidate.content = FileContent::Allocations;
    candidate.peakBytes = summary.device.peakBytes;
    candidate.device = summary.device.ordinal;
    candidate.evidence = runEvidence(summary);
    if (const std::optional<RankFailure> failure = firstFailure(summary)) {
        candidate.ranOutOfMemory = true;
        candidate.failure = failure->at;
    }
    return candidate;
}

} // namespace highwater
