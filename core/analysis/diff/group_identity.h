#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/matching/stack_classes.h"

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

/// The user's own Python frames of a stack and its autograd node, innermost first, without what torch and the
/// standard library do below them.
struct StackOutline
{
    std::vector<std::uint32_t> code; ///< StackClasses::Side::code
    std::string text; ///< of the site where there is no stack
    auto operator<=>(const StackOutline&) const = default;
};

/// O(frames of the stack).
StackOutline outlineOf(const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation);

} // namespace highwater
