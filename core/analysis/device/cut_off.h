#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/device/device_figures.h"
#include "core/trace/trace.h"

/// Relates the figures of a truncated file to those of the complete file. A snapshot that ends within its
/// events records exactly what they changed, but not what was live before the first one: every total at an
/// event is too low by the bytes of the older allocations that no readable event frees.
namespace highwater {

class AllocationTable;
struct DeviceStudy;

/// How well a figure of the complete file is known.
enum class Certainty : std::uint8_t
{
    Exactly,
    AtLeast, ///< the complete file has at least this value
    NotAtAll,
};

/// Returns "exact", "at-least", "unknown".
std::string_view toText(Certainty known);

/// How well the totals in DeviceFigures are known. A count is as certain as its bytes.
struct FigureCertainty
{
    Certainty initial = Certainty::Exactly;
    Certainty peak = Certainty::Exactly;
    Certainty final = Certainty::Exactly;
    Certainty reservedInitial = Certainty::Exactly;
    Certainty reservedPeak = Certainty::Exactly;
    Certainty reservedFinal = Certainty::Exactly;
};

/// Returns Exactly for all figures, unless the device belongs to a truncated file.
FigureCertainty figureCertainty(const Device& device);

/// The part of a run that a recording shows, as far as its peak matters.
enum class RecordedPart : std::uint8_t
{
    Whole,
    UpToCut, ///< the file is cut off, or parts of it could not be read
    LateStart, ///< an earlier peak may have been higher
    OneMoment, ///< no history was recorded
};

/// Returns the part that the file of these allocations' device shows. O(allocations).
RecordedPart recordedPart(const AllocationTable& allocations);
/// Returns the same in O(1): the study knows whether the start is lost.
RecordedPart recordedPart(const DeviceStudy& study);
/// Returns for which part a statement holds: "up to the cut", "as far as recorded", "at the snapshot's
/// moment"; empty for the whole run.
std::string_view inWords(RecordedPart part);
/// Returns why more may have been needed: "the file is cut off", "the recording starts late", "the file shows
/// one moment"; empty for the whole run.
std::string_view reasonOf(RecordedPart part);

/// How well the peak of the whole run is known: exactly if the recording shows the whole run.
Certainty peakCertainty(const DeviceStudy& study);

/// True if totals at events are lower bounds.
bool totalsAreLowerBounds(const Device& device);

/// Names the bytes that totals count: "requested bytes"; "allocated bytes, inferred" if some are computed by
/// the rounding rule; "requested bytes, at least" if a truncated file has only lower bounds.
std::string quantityLabel(const DeviceStudy& study);

/// Returns a lower bound of the complete file's peak: the largest known total, at an event or at the end.
Bytes peakLowerBound(const Device& device, const DeviceFigures& figures);

/// True if the largest known total is at an event; false if more is known to have been in use at the end.
bool isPeakAtEvent(const Device& device, const DeviceFigures& figures);

/// Returns the peak as all front ends give it: "22.62 GiB", or "at least 9 MiB" if `peakCertainty` is not
/// exact. Of a file of one moment, these are the bytes then, which are exact.
std::string knownPeakText(const DeviceStudy& study, const DeviceFigures& figures);

/// Returns how far a truncated file was read, without a final full stop: "The file is cut off at byte 6,466,
/// after 5 events". `reason` is the error that ended reading; its place is used. `device` is null for a log.
std::string cutOffTitle(const Device* device, const DeviceFigures* figures, std::string_view reason);

/// The action that a truncated file calls for.
inline constexpr std::string_view kCutOffRemedy
    = "Copy the file again, or record it again with room on the disk";

/// Returns what the cut means for the figures of a device, as a clause: "totals may lack memory allocated
/// before the first event, and the peak may be after the cut".
std::string cutOffEffect(const Trace& trace, DeviceIndex device);
/// Returns the sentence "9 MiB in 5 allocations was in use at the end.", with "At least" if some segments of
/// the device are missing; "The memory in use at the end could not be read." if all are.
std::string memoryAtCutEnd(const Device& device, const DeviceFigures& figures);
/// Says up to where a device of a truncated snapshot could be read, and `cutOffEffect`; also
/// `memoryAtCutEnd`, unless the device has events and all were read. For a file that is no snapshot, returns
/// `cutOffText()`.
std::string cutOffText(const Trace& trace, DeviceIndex device, const DeviceFigures& figures);
/// Returns the sentence for a truncated file that is no snapshot.
std::string cutOffText();

} // namespace highwater
