#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/device/device_study.h"

namespace highwater {

/// The moments at which a run is shown before the reader chooses one.
enum class KeyMomentKind : std::uint8_t
{
    Peak,
    HighestEvent, ///< The file is cut off, and more is known to have been in use at its end
    OutOfMemory, ///< The failure that ended the run
    Snapshot, ///< The only moment of a file without events
    Chosen, ///< A moment that the reader chose
};

/// Returns "at the peak", "at the highest readable total", "when memory ran out", "at the snapshot",
/// "at this moment".
std::string_view inWords(KeyMomentKind kind);

/// A moment with its totals, in the quantity of the study.
struct KeyMoment
{
    KeyMomentKind kind = KeyMomentKind::Peak;
    std::int64_t event = -1; ///< −1 is the moment before the first event
    Bytes bytes = 0; ///< Live right after the event
    std::optional<Bytes> reserved; ///< nullopt if the file does not record reserved bytes
};

/// Returns the moment of the failure that ended the run, else that of the peak. Figures that name no moment
/// are of this one. O(steps).
KeyMoment keyMoment(const DeviceStudy& study);

/// Returns the moment of the peak, whether or not the run failed.
KeyMoment peakMoment(const DeviceStudy& study);

/// Returns the moment right after an event that the reader chose.
KeyMoment momentAfter(const DeviceStudy& study, std::int64_t event);

} // namespace highwater
