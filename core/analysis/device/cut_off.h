#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/analysis/device/device_figures.h"
#include "core/trace/trace.h"

/// What a file that is cut off still says of the whole one. A snapshot that ends within its events tells
/// exactly what they changed, but not what was live before the first of them: every total is short by the
/// same amount, that of what is older and not freed by an event that could be read.
namespace highwater {

/// What a figure says of the whole file's.
enum class Known : std::uint8_t
{
    Exactly,
    AtLeast, ///< the whole file's is as large or larger
    NotAtAll,
};

/// "exact", "at-least", "unknown".
std::string_view toText(Known known);

/// Of the figures in bytes that DeviceFigures has.
struct KnownFigures
{
    Known initial = Known::Exactly;
    Known peak = Known::Exactly;
    Known final = Known::Exactly;
    Known reservedInitial = Known::Exactly;
    Known reservedPeak = Known::Exactly;
    Known reservedFinal = Known::Exactly;
};

/// All Exactly, unless the device belongs to a snapshot that is cut off.
KnownFigures knownFigures(const Device& device);

/// Whether totals at events are the least that they can have been.
bool totalsAreAtLeast(const Device& device);

/// What the whole file's peak reaches at least: the largest total known, be it of an event or of the end.
Bytes leastPeak(const Device& device, const DeviceFigures& figures);

/// What is known of a device of a file that ends early, in sentences.
std::string cutOffText(const Trace& trace, DeviceIndex device, const DeviceFigures& figures);
/// The same where there is no device to speak of.
std::string cutOffText();

} // namespace highwater
