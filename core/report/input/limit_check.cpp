#include "core/report/input/limit_check.h"

#include <cmath>

#include <fmt/format.h>

#include "core/analysis/steps/growth.h"
#include "core/analysis/steps/phases.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Describes a figure of a truncated file that may or may not exceed the limit.
std::string notJudgedText(Bytes least)
{
    return fmt::format(
        " cannot be judged: the file is cut off and only shows that it was at least {}", formatBytes(least));
}

/// Returns "; the recording starts late, so it may be higher" for a peak of a part of the run, else nothing.
std::string doubtOfPeak(RecordedPart part)
{
    return part == RecordedPart::Whole ? std::string()
                                       : fmt::format("; {}, so it may be higher", reasonOf(part));
}

LimitResult peakResult(const Device& device, const DeviceFigures& figures, Bytes limit, RecordedPart part)
{
    const std::string place = formatMoment(figures.peakEvent);
    if (const Bytes least = peakLowerBound(device, figures);
        least <= limit && figureCertainty(device).peak != Certainty::Exactly)
        return {"max-peak", limit, {}, -1, false, "the peak" + notJudgedText(least)};
    return {"max-peak", limit, figures.peakBytes, figures.peakEvent, figures.peakBytes <= limit,
        fmt::format("peak {} ({}, {}) {}, allowed {}", formatBytes(figures.peakBytes),
            formatExactBytes(figures.peakBytes), inWords(device.quantity), place, formatBytes(limit))
            + doubtOfPeak(part)};
}

LimitResult reservedResult(const Device& device, const DeviceFigures& figures, Bytes limit)
{
    if (!device.recordsReserved())
        return {"max-reserved", limit, {}, -1, false,
            "reserved bytes cannot be judged: the file does not record them"};
    const Bytes reserved = figures.reservedPeakBytes;
    if (reserved <= limit && figureCertainty(device).reservedPeak != Certainty::Exactly)
        return {"max-reserved", limit, {}, -1, false, "the reserved peak" + notJudgedText(reserved)};
    return {"max-reserved", limit, reserved, -1, reserved <= limit,
        fmt::format("reserved {} ({}), allowed {}", formatBytes(reserved), formatExactBytes(reserved),
            formatBytes(limit))};
}

LimitResult growthResult(const Trace& trace, DeviceIndex device, Bytes limit)
{
    const AllocationTable allocations(trace, device);
    const UsageCurve curve(trace, allocations);
    const StepTable steps = findSteps(trace, allocations, curve, findPhases(allocations));
    const std::optional<StepGrowth> growth = growthPerStep(steps);
    LimitResult result{"max-growth-per-step", limit, {}, -1, false, {}};
    if (!growth) {
        const std::string why = steps.source == StepSource::Whole
            ? std::string("no steps were detected")
            : fmt::format("{}, and at least {} are needed after the first {}", steps.countText(),
                kFewestGrowthSteps, kWarmUpSteps);
        result.text = "growth per step cannot be judged: " + why;
        return result;
    }
    result.observed = growth->bytesPerStep;
    result.holds = growth->bytesPerStep <= limit;
    result.text = fmt::format("growth {} per step ({} B) over {} steps, from {} ({}), allowed {}",
        formatBytesDelta(growth->bytesPerStep), formatCount(growth->bytesPerStep),
        formatCount(growth->lastStep - growth->firstStep), inWords(steps.source), inWords(steps.grade),
        formatBytes(limit));
    return result;
}

} // namespace

std::vector<LimitResult> checkLimits(
    const Trace& trace, DeviceIndex device, const DeviceFigures& figures, const MemoryLimits& limits)
{
    std::vector<LimitResult> results;
    if (limits.peak)
        results.push_back(peakResult(
            trace.devices[device], figures, *limits.peak, recordedPart(AllocationTable(trace, device))));
    if (limits.reserved)
        results.push_back(reservedResult(trace.devices[device], figures, *limits.reserved));
    if (limits.growthPerStep)
        results.push_back(growthResult(trace, device, *limits.growthPerStep));
    return results;
}

LimitResult checkBaseline(
    const Device& device, const DeviceFigures& figures, const PeakBaseline& baseline, RecordedPart part)
{
    const auto allowed = static_cast<Bytes>(
        std::floor(static_cast<double>(baseline.peakBytes) * (1 + baseline.allowedPercent / 100)));
    LimitResult result{"max-peak-increase", allowed, {}, figures.peakEvent, false, {}};
    if (device.quantity != baseline.quantity) {
        result.text
            = fmt::format("the peak cannot be compared with {}: it counts {} bytes, this file {} bytes",
                baseline.name, inWords(baseline.quantity), inWords(device.quantity));
        return result;
    }
    if (const Bytes least = peakLowerBound(device, figures);
        least <= allowed && figureCertainty(device).peak != Certainty::Exactly) {
        result.text = "the peak" + notJudgedText(least);
        return result;
    }
    const Bytes difference = figures.peakBytes - baseline.peakBytes;
    const double percent = baseline.peakBytes > 0
        ? 100 * static_cast<double>(difference) / static_cast<double>(baseline.peakBytes)
        : 0;
    result.observed = figures.peakBytes;
    result.holds = figures.peakBytes <= allowed;
    result.text = fmt::format("peak {} ({}, {}), {} ({}%) against {} of {}, allowed +{:g}%",
        formatBytes(figures.peakBytes), formatExactBytes(figures.peakBytes), inWords(device.quantity),
        formatBytesDelta(difference), withoutZeros(fmt::format("{:+.2f}", percent)),
        formatBytes(baseline.peakBytes), baseline.name, baseline.allowedPercent);
    result.text += doubtOfPeak(part);
    return result;
}

} // namespace highwater
