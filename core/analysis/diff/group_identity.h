#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "core/analysis/diff/run_diff.h"

namespace highwater {

/// What makes groups of two runs the same group: numbers where places of the program are meant, else a text.
struct GroupIdentity
{
    std::uint64_t number = 0;
    std::string text;
    auto operator<=>(const GroupIdentity&) const = default;
};

/// Which lines of a file are the same.
enum class LineRule : std::uint8_t
{
    Equal, ///< those with the same number
    Matched, ///< as `matchStacks` found them, where code has moved
};

/// Of the group that an allocation of one run is in.
GroupIdentity identityOf(const DiffInput& input, const StackClasses::Side& classes,
    AllocationIndex allocation, GroupKey key, LineRule lines);

/// Of all groups whose user code is the same; only for stacks.
GroupIdentity outlineOf(
    const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation);

} // namespace highwater
