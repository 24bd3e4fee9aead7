#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/packed_column.h"
#include "core/base/string_pool.h"
#include "core/base/units.h"
#include "core/trace/stack_table.h"

namespace highwater {

/// A stream of one trace, in order of first appearance; `Trace::streams` has its handle.
using StreamId = StrongId<struct StreamTag>;
/// A memory pool of one trace; `Trace::pools` has its key. None: not in the file.
using PoolId = StrongId<struct PoolTag>;

/// What the allocator did. The names are PyTorch's. Values from `FirstUnknown` on are names unknown to this
/// program; `Trace::actionName` returns them.
enum class Action : std::uint8_t
{
    Alloc, ///< a block was handed out; size: requested bytes
    FreeRequested, ///< the program released it; it still occupies memory
    FreeCompleted, ///< the block was returned to its pool
    Free, ///< both at once (older and post-processed files)
    SegmentAlloc, ///< cudaMalloc; size: reserved bytes
    SegmentFree, ///< cudaFree
    SegmentMap, ///< pages mapped into an expandable segment
    SegmentUnmap, ///< pages returned, address range kept
    Oom, ///< size: the rounded request that failed; address: free bytes on the device
    Snapshot, ///< a snapshot was taken; size: total active bytes at that moment
    Annotate, ///< text attached to a live allocation
    UserDefined, ///< a range marker of mid-2024 nightlies
    FirstUnknown,
};

/// "alloc", "free_requested", …; empty from `FirstUnknown` on.
std::string_view knownActionName(Action action);

inline bool isBirth(Action action)
{
    return action == Action::Alloc;
}
inline bool isDeath(Action action)
{
    return action == Action::FreeCompleted || action == Action::Free;
}
inline bool isReserve(Action action)
{
    return action == Action::SegmentAlloc || action == Action::SegmentMap;
}
inline bool isRelease(Action action)
{
    return action == Action::SegmentFree || action == Action::SegmentUnmap;
}

/// One row of the event table.
struct MemoryEvent
{
    Action action = Action::FirstUnknown;
    Address address = 0; ///< of the block or segment; for `Oom` the device's free bytes
    Bytes size = 0; ///< see the action
    Nanoseconds time = 0; ///< since the Unix epoch; 0: not recorded
    StreamId stream;
    StackId stack; ///< none: no stack was taken
    PoolId pool;
    StringId category; ///< category given by the recorder ("GRADIENT"); none: not recorded
    StringId details; ///< further fields as compact JSON text; none: nothing beyond the defaults
};

/// The events of all devices as columns of equal length. The rows of one device are contiguous and in file
/// order (`Device::events`).
struct MemoryEventTable
{
    Column<Action> action;
    PackedColumn<Address> address;
    PackedColumn<Bytes> size;
    PackedColumn<Nanoseconds> time;
    PackedColumn<StreamId> stream;
    PackedColumn<StackId> stack;
    SparseColumn<PoolId> pool;
    SparseColumn<StringId> category;
    SparseColumn<StringId> details;

    std::size_t rows() const { return action.size(); }
    std::size_t memoryBytes() const;
    void push(const MemoryEvent& event);
    MemoryEvent row(std::size_t index) const;
    /// How many bytes more are reserved after the event than before it.
    Bytes reservedChange(std::size_t index) const
    {
        return isReserve(action[index]) ? size[index] : isRelease(action[index]) ? -size[index] : 0;
    }
};

} // namespace highwater
