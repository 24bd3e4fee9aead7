#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/categories/category_table.h"
#include "core/analysis/usage/allocations.h"
#include "core/base/result.h"

namespace highwater {

/// A search for allocations. All given conditions must hold.
struct FilterSpec
{
    /// Searched for in the text of each frame ("function file:line"), in the labels that the program recorded
    /// (RecordedLabels), and in the address if it begins with "0x"; case-insensitive. A complete address also
    /// finds every allocation that contained it (AddressOwners).
    std::string text;
    bool isRegularExpression = false; ///< RE2 syntax, so matching is always linear in time
    std::string pool; ///< part of the pool's label (PoolNames), case-insensitive; empty for any pool
    std::vector<Category> categories; ///< any of them; empty for all
    std::optional<Bytes> minBytes; ///< in the quantity of the table
    std::optional<Bytes> maxBytes;
    /// Bounds of the lifetime, which ends with the trace if the allocation is not freed.
    std::optional<std::int64_t> minLifetimeEvents;
    std::optional<std::int64_t> maxLifetimeEvents;

    enum class Window : std::uint8_t
    {
        Anywhere, ///< no condition
        BornIn, ///< allocated in the window
        LiveIn ///< alive at some moment of the window
    };
    Window window = Window::Anywhere;
    std::int64_t firstEvent = 0; ///< the window [firstEvent, lastEvent)
    std::int64_t lastEvent = 0;

    bool isEmpty() const;
    bool operator==(const FilterSpec&) const = default;
};

/// Parses the text of a search box. Words are text to find, and "/…/" is a regular expression; "size>=64MiB",
/// "size<1GiB", "size = 512 B", "life>100" and "life<5" (events) bound size and lifetime; "pool:nccl" selects
/// pools whose label contains that text; "category:activation" or "cat:optimizer" selects a category by the
/// beginning of its name in the legend ("weight" is another name of parameters). Fails with BadRequest and
/// the word that is not understood, such as "foo:bar", which "/foo:bar/" finds as a text.
Result<FilterSpec> parseFilter(const std::string& text);

/// Returns the text of a search box that finds the stacks with exactly this frame:
/// "/^forward /workspace/model\.py:39$/".
std::string frameFilterText(std::string_view function, std::string_view file, std::int32_t line);

/// The allocations that satisfy a filter.
struct FilterResult
{
    std::vector<bool> matches; ///< by allocation
    std::int64_t count = 0;
    Bytes bytes = 0; ///< sum of all matches, whenever they were alive
};

/// Searches all allocations of a device. Fails with BadRequest for an invalid regular expression.
/// O(allocations + length of the distinct frames and labels).
Result<FilterResult> filterAllocations(
    const AllocationTable& allocations, const CategoryTable& categories, const FilterSpec& spec);

} // namespace highwater
