#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/range_figures.h"

namespace highwater {

/// The way in which a set of allocations is derived from a moment or a range of events.
enum class LiveSetKind : std::uint8_t
{
    Alive, ///< alive right after an event
    Born, ///< allocated in a range
    Freed, ///< freed in a range, whenever allocated
    Survived, ///< allocated in a range and alive after its last event, or after that of a longer range
};

/// Parameters of a live set.
struct LiveSetSpec
{
    LiveSetKind kind = LiveSetKind::Alive;
    std::int64_t first = -1; ///< for Alive, the event (−1 for before the first); else the range's first event
    std::int64_t last = -1; ///< end of the range [first, last); ignored for Alive
    /// For Survived: the end of the events in which no member is freed; nullopt for `last`
    std::optional<std::int64_t> until = {};

    static LiveSetSpec aliveAt(std::int64_t event) { return {LiveSetKind::Alive, event, event}; }
    bool operator==(const LiveSetSpec&) const = default;
};

/// A set of allocations of one device. Its total equals that of `rangeFigures` for a range without `until`,
/// and that of the usage curve for a moment.
struct LiveSet
{
    LiveSetSpec spec;
    std::vector<AllocationIndex> allocations; ///< in the table's order
    CountedBytes total; ///< exact total of `allocations`
};

/// Makes the set. O(live + distance between checkpoints) for Alive, O(allocations born before the range's
/// end) for a range.
LiveSet liveSet(const LiveIndex& index, const LiveSetSpec& spec);

/// Returns the lifetime of an allocation within the trace, in events: from its birth (or the first event if
/// it is older) to its death (or the end of the trace if it is not freed).
std::int64_t lifetimeInTrace(const AllocationTable& allocations, AllocationIndex i);

} // namespace highwater
