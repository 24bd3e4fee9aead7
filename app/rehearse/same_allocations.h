#pragma once

#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace highwater::rehearse {

/// Where two runs of one command part.
struct AllocationDifference
{
    std::string requester; ///< as `requesterText`; empty: there is no stack, or the rest is missing
    bool operator==(const AllocationDifference&) const = default;
};

/// The first allocation in which two recordings of one command differ, or nullopt: on every device the same
/// sizes are allocated in the same order, and the peaks of requested bytes are the same. The order in which
/// memory is freed may differ a little, as Python's garbage collector pleases. O(events).
std::optional<AllocationDifference> firstDifference(const Trace& first, const Trace& second);

} // namespace highwater::rehearse
