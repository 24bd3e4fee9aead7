#include "core/analysis/allocator/memory_change.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

// Describes one event next to the state after it. Example: an `alloc` of 3 MiB at 0x1000 leaves a block of 4
// MiB there, because the allocator did not split it off. The text says 3 MiB, as the event does; the range is
// the block of 4 MiB, as the map draws it. After its `free_completed` no block is there, so the range is the
// 3 MiB.

namespace highwater {

namespace {

/// Returns the block that begins at the address if it is in use. O(log blocks).
std::optional<BlockAt> liveBlockAt(const SegmentState& state, Address address)
{
    const auto block = std::partition_point(state.blocks.begin(), state.blocks.end(),
        [address](const BlockAt& each) { return each.address < address; });
    if (block == state.blocks.end() || (*block).address != address || (*block).isFreeBlock())
        return std::nullopt;
    return *block;
}

/// Returns a format with one place for the bytes; null for actions that change no memory.
const char* changeFormat(Action action)
{
    switch (action) {
    case Action::Alloc: return "allocated {}";
    case Action::FreeRequested: return "began to free {}";
    case Action::FreeCompleted:
    case Action::Free: return "freed {}";
    case Action::SegmentAlloc: return "reserved a segment of {}";
    case Action::SegmentFree: return "returned a segment of {} to the GPU";
    case Action::SegmentMap: return "mapped {} into a segment";
    case Action::SegmentUnmap: return "unmapped {} of a segment";
    default: return nullptr;
    }
}

} // namespace

MemoryChange describeChange(const AllocationTable& allocations, const SegmentState& state)
{
    if (state.event < 0 || state.event >= allocations.eventCount())
        return {};
    const Trace& trace = allocations.trace();
    const MemoryEvent event = trace.events.row(trace.row(allocations.device(), state.event));
    MemoryChange change{.action = event.action, .bytes = event.size};
    if (!changeFormat(event.action))
        return change;
    change.begin = event.address;
    change.length = event.size;
    change.allocation = allocations.ofEvent(state.event);
    const bool leavesBlock = event.action == Action::Alloc || event.action == Action::FreeRequested;
    if (const auto block = leavesBlock ? liveBlockAt(state, event.address) : std::nullopt) {
        change.length = block->size;
        change.allocation = block->allocation;
    }
    if (change.allocation != AllocationTable::kNoAllocation)
        change.bytes = allocations.recordedBytes(change.allocation);
    return change;
}

std::string changeText(const Trace& trace, const CallSites& sites, const MemoryChange& change)
{
    const char* const format = changeFormat(change.action);
    if (!format)
        return nameText(trace.actionName(change.action));
    const std::string text = fmt::format(fmt::runtime(format), formatBytes(change.bytes));
    if (change.allocation == AllocationTable::kNoAllocation)
        return text;
    return fmt::format("{}, {}", text, nameText(sites.site(sites.of(change.allocation)).label));
}

} // namespace highwater
