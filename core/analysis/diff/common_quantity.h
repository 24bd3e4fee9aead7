#pragma once

#include <optional>

#include "core/trace/trace.h"

namespace highwater {

/// The byte quantity in which two devices can be compared.
struct CommonQuantity
{
    Quantity quantity = Quantity::Requested;
    /// True if the bytes of at least one device are computed with the allocator's rounding rule.
    bool isInferred = false;
    bool operator==(const CommonQuantity&) const = default;
};

/// Returns the quantity that both devices record. If one records requested and the other allocated bytes,
/// returns allocated bytes, provided that the rounding of the first is known. With `wantsAllocated`, prefers
/// allocated bytes even if both record requested ones, provided that both roundings are known. nullopt if the
/// devices cannot be compared.
std::optional<CommonQuantity> commonQuantity(
    const Device& before, const Device& after, bool wantsAllocated = false);

} // namespace highwater
