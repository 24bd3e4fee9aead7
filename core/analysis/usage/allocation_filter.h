#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/base/result.h"

namespace highwater {

/// What a person searches for. Every part that is given must hold.
struct FilterSpec
{
    /// In what a frame shows, "function file:line", or in the address ("0x7f…"); letter case does not matter.
    std::string text;
    bool isRegularExpression = false; ///< RE2 syntax: linear time whatever is typed
    std::optional<Bytes> minBytes;
    std::optional<Bytes> maxBytes;
    std::optional<std::int64_t> minLifetimeEvents; ///< to the end of the trace where it is not freed
    std::optional<std::int64_t> maxLifetimeEvents;

    enum class Window : std::uint8_t
    {
        Anywhere,
        BornIn,
        LiveIn
    };
    Window window = Window::Anywhere;
    std::int64_t firstEvent = 0; ///< of the window [firstEvent, lastEvent)
    std::int64_t lastEvent = 0;

    bool isEmpty() const;
    bool operator==(const FilterSpec&) const = default;
};

/// Reads what stands in a search box: words are text to find; "/…/" a regular expression; "size>=64MiB",
/// "size<1GiB", "size=512B", "life>100", "life<5" (events) bound size and lifetime. Fails with BadRequest and
/// the word that it does not understand.
Result<FilterSpec> parseFilter(const std::string& text);

struct FilterResult
{
    std::vector<bool> matches; ///< by allocation
    std::int64_t count = 0;
    Bytes bytes = 0; ///< Σ over all matches, whenever they lived

    /// Nearest match after or before an allocation in the table's order; none: kNoAllocation.
    AllocationIndex next(AllocationIndex from) const;
    AllocationIndex previous(AllocationIndex from) const;
};

/// Over all allocations, drawn or not. Each distinct stack is searched once. Fails with BadRequest when the
/// regular expression is none.
Result<FilterResult> filterAllocations(
    const Trace& trace, const AllocationTable& allocations, const FilterSpec& spec);

} // namespace highwater
