#include "core/analysis/diff/common_quantity.h"

#include "core/analysis/usage/allocator_rounding.h"

namespace highwater {

std::optional<CommonQuantity> commonQuantity(const Device& before, const Device& after, bool wantsAllocated)
{
    const auto givesAllocated = [](const Device& device) {
        return device.quantity == Quantity::Allocated || hasKnownRounding(device);
    };
    const bool isOther = wantsAllocated && before.quantity != Quantity::Allocated && givesAllocated(before)
        && givesAllocated(after);
    if (before.quantity == after.quantity && !isOther)
        return CommonQuantity{before.quantity, false};
    if (givesAllocated(before) && givesAllocated(after))
        return CommonQuantity{Quantity::Allocated, true};
    return std::nullopt;
}

} // namespace highwater
