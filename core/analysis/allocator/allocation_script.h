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

struct ScriptStep
{
    std::int32_t event = 0; ///< of the device
    AllocationIndex allocation = AllocationTable::kNoAllocation; ///< OutOfMemory: index into `failures`
    ScriptAction action = ScriptAction::Allocate;
};

/// Calls as columns: there is one for nearly every event.
class ScriptSteps
{
public:
    void push_back(const ScriptStep& step);
    ScriptStep operator[](std::size_t i) const { return {m_event[i], m_allocation[i], m_action[i]}; }
    /// The steps from `first` on come after the one that is the last.
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
    Bytes bytes = 0; ///< as recorded, which is rounded
    StreamId stream;
    PoolId pool; ///< none: the default pool
    Bytes limit
        = 0; ///< what the allocator could have had then: its reserved bytes and what the device had free
};

/// A private pool that the run released: from this event on nothing uses it.
struct ReleasedPool
{
    std::int64_t event = 0;
    PoolId pool;
};

/// An allocation that the driver could not serve although the capacity was not reached, or is not known.
/// Holds what the allocator could have had at that moment, judging by what it held after the call.
struct ShortMemory
{
    std::int64_t event = 0;
    Bytes limit = 0;
};

/// A run from its allocator's point of view: the state before the first event, and what the program asked for
/// from then on. What the allocator did by itself (segments, splits) is left out, except for the addresses
/// that the driver returned. Refers to the trace and the table of allocations, which must outlive it.
struct AllocationScript
{
    const Trace* trace = nullptr;
    const AllocationTable* allocations = nullptr;
    SegmentState start; ///< before the first event
    ScriptSteps steps; ///< in the order of the calls
    std::vector<RecordedSegment> segments; ///< by event
    std::vector<RecordedFailure> failures; ///< by event
    std::vector<ReleasedPool> releasedPools; ///< by event
    std::vector<ShortMemory> shortages; ///< by event
    std::vector<UsageCurve::ReservedChange> reserved; ///< as recorded; the first entry: event −1
    std::vector<PoolId>
        pools; ///< private pool of each allocation, or none; empty: all are in the default one
    AllocatorSettings settings; ///< as recorded
    RecordedSettings recorded; ///< the same, with what the file says about them
    /// Most bytes that the driver could hand out: the device's capacity, but at least the largest amount that
    /// was ever reserved; DriverFacts::kNoLimit: unknown.
    Bytes limit = DriverFacts::kNoLimit;
    /// What the driver refused to hold; kNoLimit: nothing is known of that. Where the capacity is not known,
    /// it lies between `limit` and this.
    Bytes limitBelow = DriverFacts::kNoLimit;
    Bytes deviceMemory = 0; ///< 0: unknown
    Bytes addressSpace = 0; ///< as DriverFacts has it
    int direction = 0; ///< of the recorded segments' addresses, as DriverFacts has it

    PoolId poolOf(AllocationIndex i) const { return pools.empty() ? PoolId() : pools[i]; }
    Bytes recordedPeak() const;
    bool hasLimit() const { return limit != DriverFacts::kNoLimit; }
    /// With settings that were not recorded, segments lie elsewhere.
    DriverFacts driver(const AllocatorSettings& with, Bytes within) const
    {
        return {within, deviceMemory, addressSpace, with == settings ? 0 : direction};
    }
};

/// Requests with the same key are served from the same segments.
struct ServingKey
{
    PoolId pool; ///< none: the default pool, whatever its number
    StreamId stream;
    bool small = false;
    auto operator<=>(const ServingKey&) const = default;
};

ServingKey keyOf(const Trace& trace, const MappedRange& range);
/// None for the default pool, whatever its number.
PoolId privatePool(const Trace& trace, PoolId pool);

} // namespace highwater
