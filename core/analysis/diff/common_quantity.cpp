#include "core/analysis/diff/common_quantity.h"

#include "core/analysis/usage/allocator_rounding.h"

namespace highwater {

std::optional<CommonQuantity> commonQuantity(const Device& before, const Device& after, bool wantsAllocated)
{
    const auto hasAllocatedBytes = [](const Device& device) {
        return device.quantity == Quantity::Allocated || hasKnownRounding(device);
    };
    const bool convertsBoth = wantsAllocated && before.quantity != Quantity::Allocated
        && hasAllocatedBytes(before) && hasAllocatedBytes(after);
    if (before.quantity == after.quantity && !convertsBoth)
        return CommonQuantity{before.quantity, false};
    if (hasAllocatedBytes(before) && hasAllocatedBytes(after))
        return CommonQuantity{Quantity::Allocated, true};
    return std::nullopt;
}

} // namespace highwater
