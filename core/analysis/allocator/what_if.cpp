#include "core/analysis/allocator/what_if.h"

#include <algorithm>
#include <optional>

namespace highwater {

Bytes WhatIfResult::leastSpareBytes() const
{
    std::optional<Bytes> smallest;
    for (const FailureOutcome& outcome : failures)
        if (outcome.fits)
            smallest = std::min(smallest.value_or(outcome.spareBytes), outcome.spareBytes);
    return smallest.value_or(0);
}

} // namespace highwater
