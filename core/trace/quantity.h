#pragma once

#include <cstdint>
#include <string_view>

namespace highwater {

/// The kind of bytes that a figure counts. Figures of different kinds are never subtracted from each other.
enum class Quantity : std::uint8_t
{
    Requested, ///< Asked for by the program
    Allocated, ///< Requested, rounded up to blocks of the allocator
    Reserved, ///< Obtained by the allocator from the driver
    DeviceUsed ///< In use on the device by all processes
};

/// Returns "requested", "allocated", "reserved", "device_used".
std::string_view toText(Quantity quantity);
/// Returns a display name: "device used".
std::string_view inWords(Quantity quantity);

} // namespace highwater
