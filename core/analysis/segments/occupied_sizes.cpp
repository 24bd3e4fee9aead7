#include "core/analysis/segments/occupied_sizes.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "core/analysis/segments/mapped_ranges.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

/// Larger requests are served from the large pool, which splits a block only if more than this remains.
constexpr Bytes kSmallLimit = kMiB;

bool isSetToTrue(const std::string* setting)
{
    return setting && *setting == "true";
}

/// Returns the size from which requests get a free block unsplit. If the setting is missing or −1, free
/// blocks are split for requests of any size.
Bytes maxSplitSize(const TraceMetadata& metadata)
{
    Bytes bytes = 0;
    if (const std::string* text = metadata.setting("max_split_size"))
        std::from_chars(text->data(), text->data() + text->size(), bytes);
    return bytes > 0 ? bytes : std::numeric_limits<Bytes>::max();
}

} // namespace

/// Undoes the segment events from the end, then goes forwards through all events. Keeps the start addresses
/// of all blocks of the large pool, and finds the free block in which each new block is placed.
class OccupiedSizes::Sweep
{
public:
    Sweep(const Trace& trace, OccupiedSizes& sizes)
        : m_trace(trace)
        , m_device(sizes.m_allocations.device())
        , m_sizes(sizes)
        , m_ranges(finalRanges(trace, m_device))
        , m_maxSplitSize(maxSplitSize(trace.metadata))
    {
    }

    void walk()
    {
        const AllocationTable& allocations = m_sizes.m_allocations;
        const std::int64_t events = allocations.eventCount();
        for (std::int64_t event = events - 1; event >= 0; --event) {
            m_interruption.round();
            if (const Action action = actionOf(event); isReservingAction(action) || isReleasingAction(action))
                undoChange(m_ranges, action, rangeOfEvent(m_trace, m_device, event));
        }
        for (AllocationIndex i = 0; i < allocations.olderCount(); ++i)
            if (isLarge(allocations.bytes(i)))
                m_begins.insert(allocations.address(i));
        auto nextBorn = static_cast<AllocationIndex>(allocations.olderCount());
        for (std::int64_t event = 0; event < events; ++event) {
            m_interruption.round();
            const Action action = actionOf(event);
            if (isAllocationAction(action))
                addBlock(nextBorn++);
            else if (isFreeAction(action))
                removeBlock(m_trace.row(m_device, event));
            else if (isReservingAction(action) || isReleasingAction(action))
                applyChange(m_ranges, action, rangeOfEvent(m_trace, m_device, event));
        }
    }

private:
    Action actionOf(std::int64_t event) const { return m_trace.events.action[m_trace.row(m_device, event)]; }
    bool isLarge(Bytes requested) const { return m_sizes.rounded(requested) > kSmallLimit; }

    void addBlock(AllocationIndex allocation)
    {
        const Bytes rounded = m_sizes.rounded(m_sizes.m_allocations.bytes(allocation));
        if (rounded <= kSmallLimit)
            return;
        const Address begin = m_sizes.m_allocations.address(allocation);
        const auto next = std::next(m_begins.insert(begin).first);
        const MappedRange* range = m_ranges.at(begin);
        if (!range || range->expandable)
            return;
        const Address end = next == m_begins.end() ? range->end() : std::min(*next, range->end());
        const auto freeBytes = static_cast<Bytes>(end - begin);
        if (freeBytes > rounded && (freeBytes - rounded <= kSmallLimit || rounded >= m_maxSplitSize))
            m_sizes.m_unsplitBlocks.push_back({allocation, freeBytes});
    }

    void removeBlock(std::size_t row)
    {
        if (isLarge(m_trace.events.size[row]))
            m_begins.erase(m_trace.events.address[row]);
    }

    const Trace& m_trace;
    DeviceIndex m_device;
    OccupiedSizes& m_sizes;
    MappedRanges m_ranges;
    Bytes m_maxSplitSize;
    std::set<Address> m_begins;
    InterruptionCounter m_interruption;
};

OccupiedSizes::OccupiedSizes(const Trace& trace, const AllocationTable& allocations)
    : m_allocations(allocations)
    , m_rounding(roundingSettings(trace.metadata))
    , m_hasRounding(hasKnownRounding(trace.devices[allocations.device()]))
    , m_alwaysSplits(isSetToTrue(trace.metadata.setting("expandable_segments")))
{
    if (m_hasRounding && !m_alwaysSplits)
        Sweep(trace, *this).walk();
}

Bytes OccupiedSizes::rounded(Bytes requested) const
{
    return m_hasRounding ? roundedSize(requested, m_rounding) : requested;
}

OccupiedSize OccupiedSizes::byRule(AllocationIndex allocation) const
{
    const auto unsplit = std::ranges::lower_bound(m_unsplitBlocks, allocation, {}, &UnsplitBlock::allocation);
    if (unsplit != m_unsplitBlocks.end() && unsplit->allocation == allocation)
        return {unsplit->bytes, SizeSource::Rule};
    const Bytes bytes = rounded(m_allocations.bytes(allocation));
    const bool isOlder = allocation < m_allocations.olderCount();
    const bool isLowerBound = m_hasRounding && isOlder && !m_alwaysSplits && bytes > kSmallLimit;
    return {bytes, isLowerBound ? SizeSource::LowerBound : SizeSource::Rule};
}

OccupiedSize OccupiedSizes::sizeOf(AllocationIndex allocation) const
{
    const Bytes block = m_allocations.blockBytes(allocation);
    return block > 0 ? OccupiedSize{block, SizeSource::Snapshot} : byRule(allocation);
}

} // namespace highwater
