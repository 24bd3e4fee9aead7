#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace highwater {

/// Returns the middle value; for an even count the mean of the middle two, where integers are rounded down.
/// There must be a value. O(values).
template <typename Value>
Value median(std::vector<Value> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    const Value lower = *std::max_element(values.begin(), middle);
    return lower + (*middle - lower) / 2;
}

} // namespace highwater
