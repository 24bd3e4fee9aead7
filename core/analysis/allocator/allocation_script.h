#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/allocator/caching_allocator.h"
#include "core/analysis/allocator/recorded_settings.h"
#include "core/analysis/device/device_capacity.h"
#include "core/analysis/segments/segment_state.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// One kind of call that a program makes to its allocator.
enum class ScriptAction : std::uint8_t
{
    Allocate,
    RequestFree, ///< freed, but another stream still reads it
    Free, ///< back in the pool
    OutOfMemory, ///< a request that failed in the recorded run
    EmptyCache, ///< cached memory was returned to the driver, and no rule of the allocator explains why
};

/// One call to the allocator.
struct ScriptStep
{
    /// Index of the event on its device; kBeforeTrace for a free that was requested before the trace.
    std::int32_t event = 0;
    /// Index into the table of allocations; into `failures` for OutOfMemory. kNoAllocation for EmptyCache.
    AllocationIndex allocation = AllocationTable::kNoAllocation;
    ScriptAction action = ScriptAction::Allocate;
};

/// The calls of a script, in order. Stored as columns to save memory, because nearly every event is a call.
class ScriptSteps
{
public:
    void push_back(const ScriptStep& step);
    ScriptStep operator[](std::size_t i) const { return {m_event[i], m_allocation[i], m_action[i]}; }
    /// Moves the last step to index `first`; the steps from `first` on move up by one. O(size − first).
    void moveLastTo(std::size_t first);
    std::size_t size() const { return m_action.size(); }
    IndexIterator<ScriptSteps> begin() const { return {*this, 0}; }
    IndexIterator<ScriptSteps> end() const { return {*this, size()}; }

private:
    void set(std::size_t i, const ScriptStep& step);

    PackedColumn<std::int32_t> m_event;
    PackedColumn<AllocationIndex> m_allocation;
    Column<ScriptAction> m_action;
};

/// Memory that the recorded run got from the driver.
struct RecordedSegment
{
    std::int64_t event = 0;
    DriverAddress memory;
};

/// A request that failed in the recorded run.
struct RecordedFailure
{
    std::int64_t event = 0;
    Bytes bytes = 0; ///< as recorded: already rounded
    StreamId stream;
    PoolId pool; ///< isNone() for the default pool
    /// The most that the allocator could have reserved at that moment: its reserved bytes plus the device's
    /// free bytes, which count as 0 if they are not recorded.
    Bytes limit = 0;
};

/// A private pool of which the run returned a segment to the driver, which shows that nothing uses the pool
/// any more.
struct ReleasedPool
{
    std::int64_t event = 0;
    PoolId pool;
};

/// An allocation for which the driver had no memory until the allocator returned its cache, although the
/// capacity was not reached or is unknown. `limit` is the most that the allocator could have reserved at that
/// moment: its reserved bytes after the call.
struct MemoryShortage
{
    std::int64_t event = 0;
    Bytes limit = 0;
};

/// A training run as its allocator saw it: the state before the first event, then every call of the program.
/// Segments and splits, which the allocator makes by itself, are left out, except for the addresses that the
/// driver returned. Refers to the trace and the table of allocations, which must outlive it.
struct AllocationScript
{
    const Trace* trace = nullptr;
    const AllocationTable* allocations = nullptr;
    SegmentState start; ///< before the first event
    ScriptSteps steps; ///< in the order of the calls
    std::vector<RecordedSegment> segments; ///< by event
    std::vector<RecordedFailure> failures; ///< by event
    std::vector<ReleasedPool> releasedPools; ///< by event
    std::vector<MemoryShortage> shortages; ///< by event
    std::vector<UsageCurve::ReservedChange> reserved; ///< as recorded; the first entry has event −1
    /// Private pool of each allocation, isNone() for the default pool; empty if all are in the default pool.
    std::vector<PoolId> pools;
    AllocatorSettings settings; ///< as recorded
    RecordedSettings recorded; ///< the same settings, with the options that a replay ignores
    /// The most bytes that the driver could hand out: the device's capacity, but at least the largest amount
    /// that was ever reserved. If the capacity is unknown, that amount where the driver refused more, else
    /// DriverFacts::kNoLimit.
    Bytes limit = DriverFacts::kNoLimit;
    bool isLeastLimit = false; ///< the device may have more than `limit`
    /// The smallest total that the driver refused to provide; kNoLimit if it refused none. The run may have
    /// reserved more at another time, if other processes released memory.
    Bytes smallestRefusedBytes = DriverFacts::kNoLimit;
    Bytes deviceMemory = 0; ///< 0 if unknown
    Bytes addressSpace = 0; ///< as in DriverFacts
    int direction = 0; ///< direction of the recorded segments' addresses, as in DriverFacts

    PoolId poolOf(AllocationIndex i) const { return pools.empty() ? PoolId() : pools[i]; }
    /// Returns the largest amount that the recorded run reserved. O(changes).
    Bytes recordedPeak() const;
    bool hasLimit() const { return limit != DriverFacts::kNoLimit; }
    /// Returns a device that provides `capacity` bytes, for a replay with the settings `replayed`. With the
    /// recorded settings, segments get their recorded addresses, so the direction is only used with other
    /// settings.
    DriverFacts driver(const AllocatorSettings& replayed, Bytes capacity) const
    {
        return {capacity, deviceMemory, addressSpace, replayed == settings ? 0 : direction};
    }
};

/// Requests with the same key are served from the same segments.
struct ServingKey
{
    PoolId pool; ///< as returned by `privatePool`
    StreamId stream;
    bool isSmall = false;
    auto operator<=>(const ServingKey&) const = default;
};

/// Returns the key of the requests that a segment serves. A segment of unknown type is small up to 2 MiB.
ServingKey servingKey(const Trace& trace, const MappedRange& range);
/// Returns the pool if it is private, else none, so that all IDs of the default pool are equal.
PoolId privatePool(const Trace& trace, PoolId pool);

} // namespace highwater
