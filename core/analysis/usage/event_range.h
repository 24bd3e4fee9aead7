#pragma once

#include <cstdint>

namespace highwater {

/// The events [first, last) of a device. If `first` is −1, the moment before the first event is included.
struct EventRange
{
    std::int64_t first = 0;
    std::int64_t last = 0;

    bool operator==(const EventRange&) const = default;
};

} // namespace highwater
