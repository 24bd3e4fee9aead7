#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/categories/categories.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/allocations.h"

namespace highwater {

/// The property by which live allocations are grouped.
enum class GroupKey : std::uint8_t
{
    Stack,
    Site,
    Function,
    File,
    Size,
    Stream,
    Pool,
    Allocation,
    Module, ///< module in ModuleTable, or the reason why there is none
    Category,
};

/// Returns "stack", "site", …
std::string_view toText(GroupKey key);
std::optional<GroupKey> groupKeyFromText(std::string_view text);

/// One group of live allocations.
struct CompositionGroup
{
    std::string key; ///< text for people and for JSON; different groups have different keys
    Bytes bytes = 0;
    std::int64_t count = 0;
    AllocationIndex example = AllocationTable::kNoAllocation; ///< its largest allocation
    GradeBytes gradeBytes{}; ///< for a category, its bytes by grade; else 0
    std::vector<Bytes> reasonBytes{}; ///< for a category, its bytes by CategoryReason; else empty

    /// Returns how far the category can be trusted; nothing if the group is not a category.
    std::optional<Grade> grade() const { return overallGrade(gradeBytes); }
    /// Returns the reasons for the category, most bytes first; empty if the group is not a category.
    std::vector<std::pair<CategoryReason, Bytes>> reasons() const;
};

/// Live allocations at one moment in groups, largest first (ties: by key).
struct Composition
{
    std::int64_t event = -1;
    Bytes bytes = 0; ///< Σ groups, exactly
    std::int64_t count = 0;
    std::vector<CompositionGroup> groups;
};

/// Groups the allocations that are live right after `event` (−1: before the first). Only key Category uses
/// `categories`; if they are null, all are unknown. O(allocations + groups × log groups).
Composition compositionAt(const Trace& trace, const AllocationTable& allocations, const CallSites& sites,
    std::int64_t event, GroupKey key, const CategoryTable* categories = nullptr);

/// Some allocations in groups.
struct GroupedAllocations
{
    Composition composition; ///< its event is −1
    std::vector<std::uint32_t> groupOf; ///< by position in `given`: index into composition.groups
};

/// Returns a unique key for a stack that differs from another one only in C++ frames: the text with a number,
/// from 2.
std::string variantKey(std::string_view text, int number);
/// Returns the text of a key without its variant number.
std::string_view withoutVariant(std::string_view key);

/// Groups the given allocations. O(given + groups × log groups).
GroupedAllocations groupAllocations(const Trace& trace, const AllocationTable& allocations,
    const CallSites& sites, std::span<const AllocationIndex> given, GroupKey key,
    const CategoryTable* categories = nullptr);

/// Returns "event 5,701 at 0x7f064c000000" or "allocated before recording began at …": different for
/// different allocations.
std::string allocationText(const AllocationTable& allocations, AllocationIndex i);

/// Returns the frames of a stack for people: Python frames innermost first, one per line; C++ frames if there
/// is no Python frame.
std::string stackText(const Trace& trace, StackId stack);

} // namespace highwater
