#include "core/analysis/allocator/what_if.h"

#include <algorithm>
#include <optional>

namespace highwater {

Bytes WhatIfResult::leastSpareBytes() const
{
    std::optional<Bytes> least;
    for (const FailureOutcome& outcome : failures)
        if (outcome.fits)
            least = std::min(least.value_or(outcome.spareBytes), outcome.spareBytes);
    return least.value_or(0);
}

} // namespace highwater
