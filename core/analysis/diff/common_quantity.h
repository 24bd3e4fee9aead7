#pragma once

#include <optional>

#include "core/trace/trace.h"

namespace highwater {

/// The byte quantity in which two devices can be compared.
struct CommonQuantity
{
    Quantity quantity = Quantity::Requested;
    /// True if one of the two is computed with the allocator's rounding rule.
    bool inferred = false;
    bool operator==(const CommonQuantity&) const = default;
};

/// Returns the quantity that both devices record. If one records requested and the other allocated bytes,
/// that is allocated bytes, provided the rounding of the first is known. With `wantsAllocated` it is
/// allocated bytes even if both record requested ones, provided both roundings are known. nullopt if the two
/// cannot be compared.
std::optional<CommonQuantity> commonQuantity(
    const Device& before, const Device& after, bool wantsAllocated = false);

} // namespace highwater
