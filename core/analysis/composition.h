#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/allocations.h"
#include "core/analysis/call_site.h"

namespace highwater {

/// What live allocations are grouped by.
enum class GroupKey : std::uint8_t
{
    Stack,
    Site,
    Function,
    File,
    Size,
    Stream,
    Pool,
    Allocation
};

/// "stack", "site", …
std::string_view toText(GroupKey key);
std::optional<GroupKey> groupKeyFromText(std::string_view text);

struct CompositionGroup
{
    std::string key; ///< text for people and for JSON; different groups have different keys
    Bytes bytes = 0;
    std::int64_t count = 0;
    AllocationIndex example = AllocationTable::kNoAllocation; ///< its largest allocation
};

/// What was live at one moment, in groups, largest first (ties: by key).
struct Composition
{
    std::int64_t event = -1;
    Bytes bytes = 0; ///< Σ groups, exactly
    std::int64_t blocks = 0;
    std::vector<CompositionGroup> groups;
};

/// Right after `event` (−1: before the first). O(allocations).
Composition compositionAt(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    std::int64_t event, GroupKey key);

/// The frames of a stack for people: Python frames innermost first, one in each line; C++ frames where there
/// is no Python frame.
std::string stackText(const Trace& trace, StackId stack);

} // namespace highwater
