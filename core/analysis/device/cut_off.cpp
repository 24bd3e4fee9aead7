#include "core/analysis/device/cut_off.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/device/device_study.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::string_view kTotalsNote = "totals are too low, all by the same amount";

std::string endText(const Device& device, const DeviceFigures& figures)
{
    const std::string live = fmt::format("{} in {}", formatBytes(figures.finalBytes),
        counted(figures.finalBlocks, "allocation", "allocations"));
    switch (device.segmentsRead) {
    case Extent::Whole: return fmt::format("In use at the end was {}.", live);
    case Extent::Part: return fmt::format("In use at the end was at least {}.", live);
    case Extent::None: break;
    }
    return "Memory in use at the end is missing, too.";
}

/// Describes a file that ends within its events.
std::string cutWithinEventsText(const Device& device, const DeviceFigures& figures)
{
    return fmt::format(
        "The file is cut off within the events of {}, after the first {}: {}, and the peak may be later. {}",
        device.words(), formatCount(figures.events), kTotalsNote, endText(device, figures));
}

/// Describes a file that ends before its events.
std::string cutBeforeEventsText(const Device& device, const DeviceFigures& figures)
{
    return fmt::format(
        "The file is cut off before the events of {}; its peak was at least the memory in use at the end. {}",
        device.words(), endText(device, figures));
}

/// Describes a file that ends before or within its segments, after all of its events.
std::string cutBeforeEndText(const Device& device, const DeviceFigures& figures)
{
    if (figures.events == 0)
        return fmt::format("The file is cut off within the segments of {}. {} The peak was at least that.",
            device.words(), endText(device, figures));
    return fmt::format("The file is cut off {} the segments of {}; all of its events could be read, but not "
                       "all live memory at the end, so {}.",
        device.segmentsRead == Extent::None ? "before" : "within", device.words(), kTotalsNote);
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

} // namespace

std::string_view toText(Known known)
{
    return known == Known::Exactly ? "exact" : known == Known::AtLeast ? "at-least" : "unknown";
}

KnownFigures knownFigures(const Device& device)
{
    KnownFigures known;
    const auto knownBySegments = [&](Known withoutSegments) {
        return device.segmentsRead == Extent::Whole ? Known::Exactly
            : device.segmentsRead == Extent::Part   ? Known::AtLeast
                                                    : withoutSegments;
    };
    const bool hasAllEvents = device.eventsRead == Extent::Whole;
    known.final = knownBySegments(hasAllEvents ? Known::AtLeast : Known::NotAtAll);
    known.reservedFinal = known.final;
    if (hasAllEvents && device.segmentsRead == Extent::Whole)
        return known;
    known.initial = device.eventsRead == Extent::None ? Known::NotAtAll : Known::AtLeast;
    known.reservedInitial = known.initial;
    known.peak = Known::AtLeast;
    known.reservedPeak = Known::AtLeast;
    return known;
}

Known knownPeak(const DeviceStudy& study)
{
    const Known known = knownFigures(study.about()).peak;
    return known == Known::Exactly && study.trace.metadata.startLost ? Known::AtLeast : known;
}

bool totalsAreAtLeast(const Device& device)
{
    return device.eventsRead == Extent::Part || device.segmentsRead != Extent::Whole;
}

std::string quantityLabel(const DeviceStudy& study)
{
    return fmt::format("{} bytes{}{}", inWords(study.allocations.quantity()),
        study.allocations.hasInferred() ? ", inferred" : "",
        totalsAreAtLeast(study.about()) ? ", at least" : "");
}

Bytes peakLowerBound(const Device& device, const DeviceFigures& figures)
{
    const KnownFigures known = knownFigures(device);
    return known.peak == Known::Exactly || known.final == Known::NotAtAll
        ? figures.peakBytes
        : std::max(figures.peakBytes, figures.finalBytes);
}

bool isPeakAtEvent(const Device& device, const DeviceFigures& figures)
{
    return peakLowerBound(device, figures) == figures.peakBytes;
}

std::string_view nameOfHighest(const Device& device, const DeviceFigures& figures)
{
    return isPeakAtEvent(device, figures) ? "peak" : "highest readable total";
}

std::string knownPeakText(const DeviceStudy& study, const DeviceFigures& figures)
{
    const std::string_view bound = knownPeak(study) == Known::Exactly ? "" : "at least ";
    return fmt::format("{}{}", bound, formatBytes(peakLowerBound(study.about(), figures)));
}

std::string cutOffTitle(const Device* device, const DeviceFigures* figures, std::string_view reason)
{
    const std::string title = "The file is cut off" + placeOfError(reason);
    if (!device || !figures)
        return title;
    if (device->eventsRead == Extent::None)
        return title + ", before its events";
    const std::string events = counted(figures->events, "event", "events");
    return device->eventsRead == Extent::Whole ? fmt::format("{}, after all of its {}", title, events)
                                               : fmt::format("{}, after {}", title, events);
}

std::string cutOffText(const Trace& trace, DeviceIndex device, const DeviceFigures& figures)
{
    const Device& row = trace.devices[device];
    if (!trace.metadata.cutOff)
        return cutOffText();
    if (row.eventsRead == Extent::Part)
        return cutWithinEventsText(row, figures);
    if (row.eventsRead == Extent::None)
        return cutBeforeEventsText(row, figures);
    if (row.segmentsRead != Extent::Whole)
        return cutBeforeEndText(row, figures);
    return fmt::format("The file is cut off after the events and segments of {}, so totals are exact. "
                       "Annotations and allocator settings may be missing.",
        row.label());
}

std::string cutOffText()
{
    return "The file ends early; its figures cover what could be read.";
}

} // namespace highwater
