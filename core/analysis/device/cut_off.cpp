#include "core/analysis/device/cut_off.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/device/device_study.h"
#include "core/analysis/device/lost_start.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Returns up to which rows of a device a snapshot could be read: "within the events of GPU 0, after the
/// first 5".
std::string placeOfCut(const Device& device, const DeviceFigures& figures)
{
    if (device.eventsRead == Extent::Part)
        return fmt::format(
            "within the events of {}, after the first {}", device.words(), formatCount(figures.eventCount));
    if (device.eventsRead == Extent::None)
        return "before the events of " + device.words();
    if (device.segmentsRead == Extent::Whole)
        return "after the events and segments of " + device.words();
    return fmt::format("{} the segments of {}{}", device.segmentsRead == Extent::None ? "before" : "within",
        device.words(), figures.eventCount == 0 ? "" : ", after all of its events");
}

/// Returns " at byte 6,466" from "the file ends in the middle of the snapshot (at byte 6,466)"; empty if an
/// error has no place.
std::string placeOfError(std::string_view reason)
{
    const std::size_t begin = reason.rfind(" (at ");
    return begin == std::string_view::npos || !reason.ends_with(')')
        ? std::string()
        : fmt::format(" {}", reason.substr(begin + 2, reason.size() - begin - 3));
}

RecordedPart partOf(const AllocationTable& allocations, bool startsLate)
{
    const Trace& trace = allocations.trace();
    if (figureCertainty(trace.devices[allocations.device()]).peak != Certainty::Exactly)
        return RecordedPart::UpToCut;
    if (!trace.metadata.hasHistory)
        return RecordedPart::OneMoment;
    return trace.metadata.startLost || startsLate ? RecordedPart::LateStart : RecordedPart::Whole;
}

} // namespace

std::string_view toText(Certainty known)
{
    return known == Certainty::Exactly ? "exact" : known == Certainty::AtLeast ? "at-least" : "unknown";
}

FigureCertainty figureCertainty(const Device& device)
{
    FigureCertainty known;
    const auto knownBySegments = [&](Certainty withoutSegments) {
        return device.segmentsRead == Extent::Whole ? Certainty::Exactly
            : device.segmentsRead == Extent::Part   ? Certainty::AtLeast
                                                    : withoutSegments;
    };
    const bool hasAllEvents = device.eventsRead == Extent::Whole;
    known.final = knownBySegments(hasAllEvents ? Certainty::AtLeast : Certainty::NotAtAll);
    known.reservedFinal = known.final;
    if (hasAllEvents && device.segmentsRead == Extent::Whole)
        return known;
    known.initial = device.eventsRead == Extent::None ? Certainty::NotAtAll : Certainty::AtLeast;
    known.reservedInitial = known.initial;
    known.peak = Certainty::AtLeast;
    known.reservedPeak = Certainty::AtLeast;
    return known;
}

RecordedPart recordedPart(const AllocationTable& allocations)
{
    return partOf(allocations, lostStart(allocations).has_value());
}

RecordedPart recordedPart(const DeviceStudy& study)
{
    return partOf(study.allocations, study.steps.startsLate);
}

std::string_view inWords(RecordedPart part)
{
    switch (part) {
    case RecordedPart::UpToCut: return "up to the cut";
    case RecordedPart::LateStart: return "as far as recorded";
    case RecordedPart::OneMoment: return "at the snapshot's moment";
    case RecordedPart::Whole: break;
    }
    return {};
}

std::string_view reasonOf(RecordedPart part)
{
    switch (part) {
    case RecordedPart::UpToCut: return "the file is cut off";
    case RecordedPart::LateStart: return "the recording starts late";
    case RecordedPart::OneMoment: return "the file shows one moment";
    case RecordedPart::Whole: break;
    }
    return {};
}

Certainty peakCertainty(const DeviceStudy& study)
{
    return recordedPart(study) == RecordedPart::Whole ? Certainty::Exactly : Certainty::AtLeast;
}

bool totalsAreLowerBounds(const Device& device)
{
    return device.eventsRead == Extent::Part || device.segmentsRead != Extent::Whole;
}

std::string quantityLabel(const DeviceStudy& study)
{
    return fmt::format("{} bytes{}{}", inWords(study.allocations.quantity()),
        study.allocations.hasInferred() ? ", inferred" : "",
        totalsAreLowerBounds(study.about()) ? ", at least" : "");
}

Bytes peakLowerBound(const Device& device, const DeviceFigures& figures)
{
    const FigureCertainty known = figureCertainty(device);
    return known.peak == Certainty::Exactly || known.final == Certainty::NotAtAll
        ? figures.peakBytes
        : std::max(figures.peakBytes, figures.finalBytes);
}

bool isPeakAtEvent(const Device& device, const DeviceFigures& figures)
{
    return peakLowerBound(device, figures) == figures.peakBytes;
}

std::string knownPeakText(const DeviceStudy& study, const DeviceFigures& figures)
{
    const bool isExact
        = peakCertainty(study) == Certainty::Exactly || recordedPart(study) == RecordedPart::OneMoment;
    const std::string_view bound = isExact ? "" : "at least ";
    return fmt::format("{}{}", bound, formatBytes(peakLowerBound(study.about(), figures)));
}

std::string cutOffTitle(const Device* device, const DeviceFigures* figures, std::string_view reason)
{
    const std::string title = "The file is cut off" + placeOfError(reason);
    if (!device || !figures)
        return title;
    if (device->eventsRead == Extent::None)
        return title + ", before its events";
    const std::string events = counted(figures->eventCount, "event", "events");
    return device->eventsRead == Extent::Whole ? fmt::format("{}, after all of its {}", title, events)
                                               : fmt::format("{}, after {}", title, events);
}

std::string cutOffEffect(const Trace& trace, DeviceIndex device)
{
    const Device& info = trace.devices[device];
    if (!trace.metadata.cutOff)
        return "the figures cover only what could be read";
    if (info.eventsRead == Extent::Part)
        return "totals may lack memory allocated before the first event, and the peak may be after the cut";
    if (info.eventsRead == Extent::None
        || (info.segmentsRead != Extent::Whole && trace.eventCount(device) == 0))
        return info.segmentsRead == Extent::None ? "no total is known"
                                                 : "the peak was at least the memory in use at the end";
    return info.segmentsRead == Extent::Whole
        ? "totals are exact, but annotations and allocator settings may be missing"
        : "totals may lack memory allocated before the first event";
}

std::string memoryAtCutEnd(const Device& device, const DeviceFigures& figures)
{
    if (device.segmentsRead == Extent::None)
        return "The memory in use at the end could not be read.";
    return fmt::format("{}{} in {} was in use at the end.",
        device.segmentsRead == Extent::Part ? "At least " : "", formatBytes(figures.finalBytes),
        counted(figures.finalLiveCount, "allocation", "allocations"));
}

std::string cutOffText(const Trace& trace, DeviceIndex device, const DeviceFigures& figures)
{
    const Device& info = trace.devices[device];
    if (!trace.metadata.cutOff)
        return cutOffText();
    const std::string text
        = fmt::format("The file is cut off {}: {}.", placeOfCut(info, figures), cutOffEffect(trace, device));
    const bool hasAllEvents = info.eventsRead == Extent::Whole && figures.eventCount > 0;
    return hasAllEvents ? text : text + " " + memoryAtCutEnd(info, figures);
}

std::string cutOffText()
{
    return "The file ends early; its figures cover only what could be read.";
}

} // namespace highwater
