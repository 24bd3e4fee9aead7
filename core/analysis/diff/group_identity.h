#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

/// What identifies a group across two runs: numbers for places of the program, else a text.
struct GroupIdentity
{
    std::uint64_t number = 0;
    std::string text;
    auto operator<=>(const GroupIdentity&) const = default;
};

/// Which lines of a file count as the same.
enum class LineRule : std::uint8_t
{
    Equal, ///< those with the same number
    Matched, ///< as `matchStacks` found them, where code has moved
};

/// Identity of the group that an allocation of one run belongs to.
GroupIdentity identityOf(const DiffInput& input, const StackClasses::Side& classes,
    AllocationIndex allocation, GroupKey key, LineRule lines);

/// The user's own Python frames of a stack and its autograd node, innermost first, without frames of torch
/// and the standard library.
struct StackOutline
{
    std::vector<std::uint32_t> code; ///< StackClasses::Side::code
    std::string text; ///< text of the site where there is no stack
    auto operator<=>(const StackOutline&) const = default;
};

/// O(frames of the stack).
StackOutline outlineOf(const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation);

} // namespace highwater
