#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/diff/diff_input.h"
#include "core/analysis/diff/matching/stack_classes.h"

namespace highwater {

/// The identity of a group across two runs: a number for a place in the program and, if that does not
/// suffice, a text.
struct GroupIdentity
{
    std::uint64_t number = 0;
    std::string text;
    auto operator<=>(const GroupIdentity&) const = default;
};

/// The rule by which lines of a file count as the same.
enum class LineRule : std::uint8_t
{
    Equal, ///< lines with the same number
    Matched, ///< lines as matched by `matchStacks`, for code that has moved
};

/// Returns the identity of the group that an allocation belongs to, for keys that are places or sizes; an
/// empty one for other keys, whose groups are identified by their text.
GroupIdentity identityOf(const DiffInput& input, const StackClasses::Side& classes,
    AllocationIndex allocation, GroupKey key, LineRule lines);

/// The frames by which stacks are compared loosely, innermost first: the user's own Python frames and the
/// autograd node, without frames of torch and the standard library.
struct StackOutline
{
    std::vector<std::uint32_t> code; ///< StackClasses::Side::code
    std::string text; ///< the site's key without a stack; "freed" for the stack of the free; else empty
    auto operator<=>(const StackOutline&) const = default;
};

/// Returns the outline of an allocation's stack. O(frames of the stack).
StackOutline outlineOf(const DiffInput& input, const StackClasses::Side& classes, AllocationIndex allocation);

} // namespace highwater
