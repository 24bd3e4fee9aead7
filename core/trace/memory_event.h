#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/packed_column.h"
#include "core/base/string_pool.h"
#include "core/base/units.h"
#include "core/trace/stack_table.h"

namespace highwater {

/// A stream of one trace, in order of first appearance; `Trace::streams` holds its handle.
using StreamId = StrongId<struct StreamTag>;
/// A memory pool of one trace; `Trace::pools` holds its key. None if the file does not record pools.
using PoolId = StrongId<struct PoolTag>;

/// An action of the allocator, with PyTorch's names. Values from `FirstUnknown` on are names unknown to this
/// program; `Trace::actionName` returns them.
enum class Action : std::uint8_t
{
    Alloc, ///< A block was handed out; size: requested bytes
    FreeRequested, ///< The program released the block; it still occupies memory
    FreeCompleted, ///< The block was returned to its pool
    Free, ///< Both at once, in files that do not record the two separately
    SegmentAlloc, ///< cudaMalloc; size: reserved bytes
    SegmentFree, ///< cudaFree
    SegmentMap, ///< Pages mapped into an expandable segment
    SegmentUnmap, ///< Pages unmapped; the address range is kept
    Oom, ///< size: the rounded request that failed; see `MemoryEvent::deviceFreeBytes`
    Snapshot, ///< A snapshot was taken; size: total active bytes at that time
    Annotate, ///< Text attached to a live allocation
    UserDefined, ///< A range marker of mid-2024 nightlies
    FirstUnknown,
};

/// Returns "alloc", "free_requested", …; empty from `FirstUnknown` on.
std::string_view knownActionName(Action action);

inline bool isAllocationAction(Action action)
{
    return action == Action::Alloc;
}
inline bool isFreeAction(Action action)
{
    return action == Action::FreeCompleted || action == Action::Free;
}
inline bool isReservingAction(Action action)
{
    return action == Action::SegmentAlloc || action == Action::SegmentMap;
}
inline bool isReleasingAction(Action action)
{
    return action == Action::SegmentFree || action == Action::SegmentUnmap;
}

/// One row of the event table.
struct MemoryEvent
{
    Action action = Action::FirstUnknown;
    Address address = 0; ///< Address of the block or segment; for `Oom` see `deviceFreeBytes`
    Bytes size = 0; ///< Depends on the action
    Nanoseconds time = 0; ///< On the clock of TraceMetadata::clock; 0 if not recorded
    StreamId stream;
    StackId stack; ///< None if no stack was captured
    PoolId pool;
    StringId category; ///< Category given by the recorder ("GRADIENT"); none if not recorded
    StringId details; ///< Further fields as compact JSON text; none if all have their defaults

    /// Returns the free bytes of the device at a failed request; only for `Oom`. 0 if not recorded.
    Bytes deviceFreeBytes() const { return static_cast<Bytes>(address); }
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
    /// Returns the free bytes of the device at a failed request, as `MemoryEvent::deviceFreeBytes`.
    Bytes deviceFreeBytes(std::size_t index) const { return static_cast<Bytes>(address[index]); }
    /// Returns the bytes by which the event changes the allocator's reserved memory; 0 for most actions.
    Bytes reservedChange(std::size_t index) const
    {
        return isReservingAction(action[index]) ? size[index]
            : isReleasingAction(action[index])  ? -size[index]
                                                : 0;
    }
};

} // namespace highwater
