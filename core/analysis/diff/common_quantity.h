#pragma once

#include <optional>

#include "core/trace/trace.h"

namespace highwater {

/// The byte quantity in which two devices can be compared.
struct CommonQuantity
{
    Quantity quantity = Quantity::Requested;
    /// One of them is computed with the allocator's rounding rule.
    bool inferred = false;
    bool operator==(const CommonQuantity&) const = default;
};

/// The quantity that both devices record; allocated bytes where one records requested and the other allocated
/// bytes, and the rounding of the first is known. `wantsAllocated`: allocated bytes also where both record
/// requested ones, if the rounding of both is known. None: the two cannot be compared.
std::optional<CommonQuantity> commonQuantity(
    const Device& before, const Device& after, bool wantsAllocated = false);

} // namespace highwater
