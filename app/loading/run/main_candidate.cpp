#include "app/loading/run/main_candidate.h"

#include <utility>

#include "app/loading/device_choice.h"
#include "app/loading/run/run_inputs.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/analysis/ranks/evidence_of_run.h"

namespace highwater {

namespace {

/// Adds a log's first failure and its largest memory figure.
void addLogFacts(const Trace& trace, MainCandidate& candidate)
{
    for (const LogEvent& event : trace.logEvents) {
        if (event.kind != LogEvent::Kind::Oom && event.kind != LogEvent::Kind::DriverOom)
            continue;
        if (!std::exchange(candidate.ranOutOfMemory, true)) {
            if (event.time > 0 && trace.metadata.clock == Clock::Unix)
                candidate.failure.time = event.time;
            if (event.step != LogEvent::kNoStep)
                candidate.failure.step = event.step;
        }
    }
    if (const std::optional<SeriesPair> series = bestMemorySeries(trace))
        candidate.peakBytes = wholeBytes(series->beforeFigures.largest);
}

/// Returns the absolute time of the failure at this event, or its step if the time is unknown.
FailureTime failureTime(const Trace& trace, DeviceIndex device, std::int64_t event)
{
    FailureTime failure;
    const bool isOrdered = trace.devices[device].times == TimeQuality::Ordered;
    const Nanoseconds time = isOrdered && event >= 0 ? trace.events.time[trace.row(device, event)] : 0;
    if (time > 0 && trace.metadata.clock == Clock::Unix) {
        failure.time = time;
        return failure;
    }
    const DeviceStudy study(trace, device);
    if (const std::optional<std::size_t> step = study.steps.stepOf(event))
        failure.step = static_cast<std::int64_t>(*step);
    return failure;
}

} // namespace

MainCandidate mainCandidate(
    const std::string& path, const Trace& trace, const std::optional<std::string>& requested)
{
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const Result<DeviceIndex> device = chooseDevice(trace, figures, requested);
    return mainCandidate(
        path, trace, device ? std::optional(*device) : std::nullopt, device ? &figures[*device] : nullptr);
}

MainCandidate mainCandidate(const std::string& path, const Trace& trace, std::optional<DeviceIndex> device,
    const DeviceFigures* figures)
{
    MainCandidate candidate;
    candidate.member = runMember(path, trace);
    candidate.content = FileContent::Messages;
    candidate.evidence = runEvidence(trace, device ? &trace.devices[*device] : nullptr, figures);
    if (device) {
        candidate.device = trace.devices[*device].ordinal;
        candidate.content = recordsAllocations(trace) ? FileContent::Allocations : FileContent::Devices;
        candidate.peakBytes = figures->peakBytes;
        candidate.ranOutOfMemory = !figures->ooms.empty();
        if (candidate.ranOutOfMemory)
            candidate.failure = failureTime(trace, *device, figures->ooms.front().event);
    } else if (trace.devices.empty()) {
        addLogFacts(trace, candidate);
    }
    return candidate;
}

} // namespace highwater
