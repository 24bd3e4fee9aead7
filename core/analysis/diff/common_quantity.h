#pragma once

#include <optional>

#include "core/trace/trace.h"

namespace highwater {

/// The bytes that two devices can be compared in.
struct CommonQuantity
{
    Quantity quantity = Quantity::Requested;
    /// Worked out for one of them by the allocator's rounding rule.
    bool inferred = false;
    bool operator==(const CommonQuantity&) const = default;
};

/// The quantity of both; allocated bytes where one counts requested and the other allocated ones, and the
/// rounding of the first is known. None: what they count cannot be set against each other.
std::optional<CommonQuantity> commonQuantity(const Device& before, const Device& after);

} // namespace highwater
