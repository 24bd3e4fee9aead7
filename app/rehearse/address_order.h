#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A range of addresses [begin, end), relative to the lowest address of all regions of an order.
struct AddressRegion
{
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const AddressRegion&) const = default;
};

/// The regions of addresses that a driver fills, in this order and each from the bottom up. An empty order
/// means all addresses, from the top down. The order matters since PyTorch takes the lowest of the free
/// blocks that fit equally well.
using AddressOrder = std::vector<AddressRegion>;

/// Parses "down" (as Linux's driver fills memory), "up" (as the driver of Windows does), or the regions of
/// one recording, "0x710000000-0x775200000,0x704400000-0x710000000": at most 32 regions, which must not
/// overlap. Fails with BadRequest. O(n log n).
Result<AddressOrder> addressOrderFrom(std::string_view text);

/// Returns the text that the simulated GPU reads: "bc00000-70e00000,0-bc00000".
std::string toText(const AddressOrder& order);

} // namespace highwater::rehearse
