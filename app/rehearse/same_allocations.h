#pragma once

#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace highwater::rehearse {

/// The first difference between the allocations of two runs of one command.
struct AllocationDifference
{
    std::string requester; ///< the code that allocated (`requesterText`); empty if unknown
    bool operator==(const AllocationDifference&) const = default;
};

/// Returns the first allocation in which two recordings of one command differ; without a requester if they
/// have other devices or only another peak. Returns nullopt if on every device the same sizes are allocated
/// in the same order and the peaks of requested bytes are the same. The order in which memory is freed may
/// differ, since it depends on Python's garbage collector. O(events).
std::optional<AllocationDifference> firstDifference(const Trace& first, const Trace& second);

} // namespace highwater::rehearse
