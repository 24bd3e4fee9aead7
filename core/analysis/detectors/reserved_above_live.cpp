#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A finding needs an idle part of at least 1/kIdleDivisor of the reserved bytes.
constexpr std::int64_t kIdleDivisor = 4;
/// If at least half of the reserved memory and at least this much is idle, the finding is a fault. Segments
/// that wait for another phase of the step do not explain as much.
constexpr Bytes kIdleFaultBytes = kGiB;

FindingKind kindOfIdleMemory(Bytes idleBytes, Bytes reservedBytes)
{
    return idleBytes * 2 >= reservedBytes && idleBytes >= kIdleFaultBytes ? FindingKind::Fault
                                                                          : FindingKind::Fact;
}

/// Returns the total size of the segments without live blocks, at the end of the trace.
Bytes emptySegmentBytes(const DeviceStudy& study)
{
    const Trace& trace = study.trace;
    Bytes bytes = 0;
    for (const Segment& segment : trace.segmentsOf(study.device)) {
        bool isEmpty = true;
        for (const Block& block : trace.segments.blocksOf(segment))
            isEmpty = isEmpty && block.state == BlockState::Inactive;
        bytes += isEmpty ? segment.totalSize : 0;
    }
    return bytes;
}

std::vector<Finding> reservedAtOneMoment(const DetectorInput& input)
{
    const Bytes reservedBytes = input.figures.reservedFinalBytes;
    const Bytes idleBytes = reservedBytes - input.figures.finalBytes;
    if (reservedBytes == 0 || idleBytes * kIdleDivisor < reservedBytes || !isWorthReporting(input, idleBytes))
        return {};
    Finding finding = findingOf(input, "reserved-above-live", Grade::A, FindingKind::Fact);
    finding.bytes = idleBytes;
    finding.title = fmt::format("{} ({}) of the {} reserved is not in use", formatBytes(idleBytes),
        formatShare(idleBytes, reservedBytes), formatBytes(reservedBytes));
    if (const Bytes emptyBytes = emptySegmentBytes(*input.study); emptyBytes > 0)
        finding.addEvidence({}, "{} is in empty segments", formatBytes(emptyBytes));
    finding.remedy.action = "Record a history: it shows which code reserved the idle memory";
    finding.wouldDisprove = "Wrong if another process owns memory that the file counts as reserved";
    return {std::move(finding)};
}

} // namespace

std::vector<Finding> findReservedAboveLive(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (!input.hasHistory() && study.about().hasFinalSegments)
        return reservedAtOneMoment(input);
    const Bytes reservedBytes = input.figures.reservedPeakBytes;
    const Bytes idleBytes = reservedBytes - input.figures.peakBytes;
    if (study.curve.eventCount() == 0 || !input.figures.ooms.empty()
        || idleBytes * kIdleDivisor < reservedBytes || !isWorthReporting(input, idleBytes))
        return {};
    const CurvePeak peak = study.curve.peak();
    const std::optional<Bytes> reservedAtPeak = study.curve.reservedAt(peak.event);
    Finding finding = findingAt(
        input, peak.event, "reserved-above-live", Grade::A, kindOfIdleMemory(idleBytes, reservedBytes));
    finding.bytes = idleBytes;
    finding.title = fmt::format("PyTorch reserves up to {}, but at most {} is in use",
        formatBytes(reservedBytes), formatBytes(peak.bytes));
    finding.addEvidence(EventTarget{peak.event}, "The difference is {}, {} of the reserved peak{}",
        formatBytes(idleBytes), formatShare(idleBytes, reservedBytes),
        reservedAtPeak
            ? fmt::format("; {} is reserved when memory in use peaks", formatBytes(*reservedAtPeak))
            : "");
    finding.addEvidence({}, "At the end of the recording, {} is reserved and {} is in use",
        formatBytes(input.figures.reservedFinalBytes), formatBytes(input.figures.finalBytes));
    finding.remedy.action
        = "Compare allocator settings with highwater what-if, or keep sizes the same from step to step";
    finding.wouldDisprove = "Wrong if another process owns memory that the file counts as reserved";
    return {std::move(finding)};
}

} // namespace highwater
