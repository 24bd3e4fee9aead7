#include "core/analysis/allocator/oom_verdict.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_rules.h"
#include "core/analysis/allocator/free_lists.h"
#include "core/analysis/allocator/recorded_settings.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

// Explains a failed request. Input: the out-of-memory event, and the allocator's segments and blocks at it.
// Idea: the request is compared with the free blocks that may serve it, then with the device, the limits in
// the settings, and all other free memory; `findCause` takes the first explanation that holds. Example: 40
// MiB are requested and 10 MiB are free on the device. A segment of 100 MiB has free blocks of 30 and 20 MiB
// around a live one of 50. No free block is large enough, but both together are: Fragmentation. The cheapest
// range to clear is the live block alone.

namespace highwater {

namespace {

/// The most that a CUDA context with its libraries usually takes. On a small GPU, the limit is one part in
/// kPartsPerContext of its capacity.
constexpr Bytes kLargestContext = 2 * kGiB;
constexpr int kPartsPerContext = 10;
/// More than any device has: 1 PiB.
constexpr Bytes kLargestPlausible = Bytes{1} << 50;

/// Updates `elsewhere`: the largest free block in another pool or stream that has the right size class and is
/// large enough.
void updateElsewhere(const SegmentAt& segment, OomVerdict& verdict)
{
    const bool isSameSize
        = segment.range.type == SegmentType::Unknown || segment.range.type == verdict.key.type;
    if (!isSameSize || segment.largestFree < verdict.requestedBytes
        || segment.largestFree <= verdict.elsewhereLargestFree)
        return;
    verdict.elsewhere = FreeListKey{segment.range.pool, segment.range.stream, segment.range.type};
    verdict.elsewhereLargestFree = segment.largestFree;
}

/// Finds the cheapest range to clear: slides a window, always just long enough for the request, over the
/// blocks of a segment.
class RangeSearch
{
public:
    RangeSearch(const SegmentState& state, Bytes neededBytes)
        : m_state(state)
        , m_neededBytes(neededBytes)
    {
    }

    /// `neededBytes` must be positive.
    void searchSegment(std::uint32_t index)
    {
        const SegmentAt& segment = m_state.segments[index];
        ClearableRange range{index, {segment.blocks.first, segment.blocks.first}, 0, 0};
        Bytes length = 0;
        while (range.blocks.last < segment.blocks.last) {
            length += countBlock(range, m_state.blocks[range.blocks.last++], 1);
            while (length - m_state.blocks[range.blocks.first].size >= m_neededBytes)
                length -= countBlock(range, m_state.blocks[range.blocks.first++], -1);
            if (length >= m_neededBytes && (!m_cheapest || range.bytesInTheWay < m_cheapest->bytesInTheWay))
                m_cheapest = range;
        }
    }

    const std::optional<ClearableRange>& cheapestRange() const { return m_cheapest; }

private:
    /// Adds a live block to the blocks in the way, or removes it if `sign` is −1. Returns the size of the
    /// block.
    static Bytes countBlock(ClearableRange& range, const BlockAt& block, int sign)
    {
        if (!block.isFreeBlock()) {
            range.bytesInTheWay += sign * block.size;
            range.blocksInTheWay += sign;
        }
        return block.size;
    }

    const SegmentState& m_state;
    Bytes m_neededBytes;
    std::optional<ClearableRange> m_cheapest;
};

/// Sets the size of the segment that the request needs, the limit that the settings put on it, and the cause
/// if an expandable segment may not become so large.
void applySettings(const Trace& trace, DeviceIndex device, OomVerdict& verdict)
{
    const RecordedSettings recorded = recordedSettings(trace, device);
    const AllocatorSettings& settings = recorded.settings;
    const std::optional<Bytes> capacity = trace.devices[device].capacity;
    // Rounding again does not change what PyTorch has rounded.
    const Bytes rounded
        = roundedSize(std::clamp<Bytes>(verdict.requestedBytes, 0, kLargestPlausible), settings.rounding);
    const bool usesPages = settings.usesPages(verdict.key.pool);
    const Bytes page = pageSize(verdict.key.type == SegmentType::Small, settings.largeSegment);
    verdict.segmentBytes = usesPages ? roundedUp(rounded, page) : segmentSize(rounded, settings.largeSegment);
    const Bytes reserve = settings.segmentReserveOn(capacity.value_or(verdict.reachableBytes()));
    if (usesPages && reserve > 0 && rounded > roundedUp(reserve, page)) {
        verdict.cause = OomCause::ReserveTooSmall;
        if (capacity || settings.segmentReserve > 0)
            verdict.limit = reserve;
    } else if (settings.memoryFraction > 0 && capacity) {
        verdict.limit = static_cast<Bytes>(settings.memoryFraction * static_cast<double>(*capacity));
    }
}

/// Returns the first cause that the figures show; the settings must be applied already.
OomCause findCause(const OomVerdict& verdict)
{
    const Bytes requestedBytes = verdict.requestedBytes;
    if (requestedBytes <= 0 || verdict.deviceFreeBytes < 0)
        return OomCause::Unknown;
    if (requestedBytes > kLargestPlausible || verdict.deviceFreeBytes > kLargestPlausible)
        return OomCause::Nonsense;
    if (verdict.cause == OomCause::ReserveTooSmall)
        return verdict.cause;
    if (verdict.servingLargestFree >= requestedBytes)
        return OomCause::Unexplained;
    if (verdict.deviceFreeBytes >= verdict.segmentBytes)
        return verdict.limit && verdict.reservedBytes + verdict.segmentBytes <= *verdict.limit
            ? OomCause::Unexplained
            : OomCause::ProcessCap;
    if (verdict.isNearlyFull() && requestedBytes <= verdict.reachableBytes() / OomVerdict::kPartsPerMargin)
        return OomCause::Full;
    if (verdict.servingFreeBytes >= requestedBytes)
        return OomCause::Fragmentation;
    if (verdict.elsewhere)
        return OomCause::OtherPool;
    return requestedBytes > verdict.freeBytes + verdict.deviceFreeBytes ? OomCause::TooBig
                                                                        : OomCause::Divided;
}

/// Returns "0.5 GiB is free in 20 blocks, the largest 166 MiB (default pool)".
std::string servedText(const Trace& trace, const OomVerdict& verdict)
{
    const std::string pool = toText(trace, verdict.key);
    return verdict.servingFreeBlockCount == 0
        ? "no block is free in " + pool
        : fmt::format("{} is free in {}, the largest {} ({})", formatBytes(verdict.servingFreeBytes),
            counted(verdict.servingFreeBlockCount, "block", "blocks"),
            formatBytes(verdict.servingLargestFree), pool);
}

/// Explains why free memory on the device cannot serve a request that is no larger; empty for a larger one.
std::string segmentText(const OomVerdict& verdict)
{
    return verdict.deviceFreeBytes >= verdict.requestedBytes
        ? fmt::format(", where the request needs a segment of {}", formatBytes(verdict.segmentBytes))
        : std::string();
}

/// Returns which limit would explain the failure; empty if the limit is known.
std::string processLimitText(const OomVerdict& verdict)
{
    return verdict.limit
        ? std::string()
        : fmt::format("a limit of {} to {} would explain it; snapshots do not record the one that "
                      "set_per_process_memory_fraction sets",
            formatBytes(verdict.reservedBytes), formatBytes(verdict.reservedBytes + verdict.segmentBytes));
}

/// Returns how little is free, for a GPU so full that one block of all free memory would only delay the
/// failure.
std::string scarceText(const OomVerdict& verdict)
{
    return fmt::format("together at most {} of the GPU",
        formatShare(verdict.freeBytes + verdict.deviceFreeBytes, verdict.reachableBytes()));
}

std::string missingText(const OomVerdict& verdict)
{
    return fmt::format(
        "the request is {} short even without fragmentation", formatBytes(verdict.missingBytes));
}

} // namespace

std::string failureWords(const OomVerdict& verdict)
{
    const std::string requested = formatBytes(verdict.requestedBytes) + " requested";
    const std::string reachable = "at least " + formatBytes(verdict.reachableBytes());
    const std::string deviceFree = formatBytes(verdict.deviceFreeBytes);
    switch (verdict.cause) {
    case OomCause::TooBig:
        return fmt::format("{}, {} short; {} in use on a GPU of {}", requested,
            formatBytes(verdict.missingBytes), formatBytes(verdict.inUseBytes), reachable);
    case OomCause::Full:
        if (formatBytes(verdict.reservedBytes) == formatBytes(verdict.reachableBytes()))
            return fmt::format("{} on a full GPU; {} is reserved, and the GPU has at least that", requested,
                formatBytes(verdict.reservedBytes));
        return fmt::format("{} on a full GPU; {} of {} is reserved", requested,
            formatBytes(verdict.reservedBytes), reachable);
    case OomCause::Fragmentation:
        return fmt::format("{}, and PyTorch's cache is fragmented: {} free in {}, the largest {}", requested,
            formatBytes(verdict.servingFreeBytes), counted(verdict.servingFreeBlockCount, "block", "blocks"),
            formatBytes(verdict.servingLargestFree));
    case OomCause::Divided:
        return fmt::format("{}{}, but only {} free on the GPU and {} in PyTorch's cache", requested,
            verdict.deviceFreeBytes >= verdict.requestedBytes
                ? fmt::format(" in a segment of {}", formatBytes(verdict.segmentBytes))
                : "",
            deviceFree,
            verdict.servingFreeBlockCount == 0
                ? "no usable block"
                : "blocks of at most " + formatBytes(verdict.servingLargestFree));
    case OomCause::OtherPool:
        return fmt::format("{}; a free block of {} belongs to another pool or stream", requested,
            formatBytes(verdict.elsewhereLargestFree));
    case OomCause::ProcessCap:
        return fmt::format("{}, {}: {} reserved, {} free on the GPU", requested,
            verdict.limit ? "but the process was limited to " + formatBytes(*verdict.limit)
                          : "perhaps above a limit of this process",
            formatBytes(verdict.reservedBytes), deviceFree);
    case OomCause::ReserveTooSmall:
        return fmt::format("{}, and an expandable segment may not {}; {} free on the GPU", requested,
            verdict.limit ? "exceed " + formatBytes(*verdict.limit) : "be that large", deviceFree);
    case OomCause::Nonsense:
        return fmt::format("the figures are impossible, {} and {} free on the GPU", requested, deviceFree);
    default: return fmt::format("{}; {} free on the GPU", requested, deviceFree);
    }
}

std::string_view toText(OomCause cause)
{
    constexpr std::string_view kNames[] = {"nonsense figures", "corrupt request", "above capacity",
        "allocation limit", "reserve too small", "process cap", "other process", "unexplained", "full",
        "fragmentation", "other pool or stream", "too big", "divided", "unknown"};
    return kNames[static_cast<std::size_t>(cause)];
}

std::string_view causeTitle(OomCause cause)
{
    return cause == OomCause::Divided ? "split free memory"
        : cause == OomCause::Nonsense ? "impossible figures"
                                      : toText(cause);
}

bool exceedsCudaContext(Bytes bytes, Bytes capacity)
{
    return bytes > std::min(kLargestContext, capacity / kPartsPerContext);
}

std::vector<Bytes> servingFreeBlockSizes(
    const Trace& trace, const SegmentState& state, const FreeListKey& key)
{
    std::vector<Bytes> sizes;
    for (const SegmentAt& segment : state.segments) {
        if (!serves(trace, segment.range, key))
            continue;
        for (const BlockAt& block : state.blocksOf(segment))
            if (block.isFreeBlock())
                sizes.push_back(block.size);
    }
    std::ranges::sort(sizes, std::greater<>());
    return sizes;
}

OomVerdict oomVerdict(
    const Trace& trace, DeviceIndex device, const SegmentState& state, std::optional<Bytes> processLimit)
{
    const std::size_t row = trace.row(device, state.event);
    const MemoryEvent oom = trace.events.row(row);
    OomVerdict verdict;
    verdict.event = state.event;
    verdict.key = servingFreeList(trace, oom);
    verdict.requestedBytes = oom.size;
    verdict.deviceFreeBytes = oom.deviceFreeBytes();
    verdict.reservedBytes = state.reservedBytes;
    verdict.liveBytes = state.liveBytes();
    verdict.inUseBytes = state.inUseBytes();
    verdict.freeBytes = state.freeBytes;
    verdict.stack = oom.stack;
    RangeSearch search(state, oom.size);
    for (std::uint32_t i = 0; i < state.segments.size(); ++i) {
        const SegmentAt& segment = state.segments[i];
        if (!serves(trace, segment.range, verdict.key)) {
            updateElsewhere(segment, verdict);
            continue;
        }
        verdict.servingFreeBytes += segment.freeBytes;
        verdict.servingLargestFree = std::max(verdict.servingLargestFree, segment.largestFree);
        verdict.servingFreeBlockCount
            += std::ranges::count_if(state.blocksOf(segment), &BlockAt::isFreeBlock);
        if (oom.size > 0)
            search.searchSegment(i);
    }
    verdict.cheapest = search.cheapestRange();
    applySettings(trace, device, verdict);
    if (!verdict.limit && verdict.cause != OomCause::ReserveTooSmall)
        verdict.limit = processLimit;
    // Without segments, the free memory inside them is unknown.
    verdict.cause = state.recorded ? findCause(verdict) : OomCause::Unknown;
    if (verdict.cause == OomCause::TooBig || verdict.cause == OomCause::Full)
        verdict.missingBytes = std::max<Bytes>(0, oom.size - verdict.freeBytes - verdict.deviceFreeBytes);
    return verdict;
}

std::string requesterChain(const Trace& trace, const OomVerdict& verdict)
{
    return requesterText(trace, verdict.stack);
}

std::string causeDetail(const Trace& trace, const OomVerdict& verdict)
{
    const std::string served = servedText(trace, verdict);
    const std::string pool = toText(trace, verdict.key);
    const std::string segment = segmentText(verdict);
    const std::string deviceFree = formatBytes(verdict.deviceFreeBytes) + " is free on the GPU" + segment;
    // `failureWords` of some causes already gives the free bytes on the GPU.
    const std::string deviceToo = segment.empty() ? "" : ", and " + deviceFree;
    switch (verdict.cause) {
    case OomCause::ProcessCap: return processLimitText(verdict);
    case OomCause::Unexplained:
        return fmt::format("{}{}; the file does not show why it could not be used", served, deviceToo);
    case OomCause::Full:
        return fmt::format("{}, and {}: {}", served, deviceFree,
            verdict.missingBytes > 0 ? missingText(verdict) : scarceText(verdict));
    case OomCause::Fragmentation: return fmt::format("the free blocks are in {}, and {}", pool, deviceFree);
    case OomCause::OtherPool:
        return fmt::format(
            "{}; the free block is in {}; {}", served, toText(trace, *verdict.elsewhere), deviceFree);
    case OomCause::TooBig:
        return fmt::format("{} is reserved and {} is free on the GPU: too little even without fragmentation",
            formatBytes(verdict.reservedBytes), formatBytes(verdict.deviceFreeBytes));
    case OomCause::Divided: return served + deviceToo;
    case OomCause::Nonsense:
    case OomCause::ReserveTooSmall:
    case OomCause::OtherProcess:
    case OomCause::CorruptRequest:
    case OomCause::AboveCapacity:
    case OomCause::AllocationLimit: return {};
    case OomCause::Unknown: break;
    }
    return fmt::format("the event does not record the requested and free bytes; {}", served);
}

std::string failureWithCause(const OomVerdict& verdict)
{
    const bool isSaid = verdict.cause == OomCause::Full || verdict.cause == OomCause::Fragmentation
        || verdict.cause == OomCause::Nonsense;
    const std::string words = failureWords(verdict);
    return isSaid ? words : fmt::format("{}: {}", causeTitle(verdict.cause), words);
}

std::string sentenceOf(const Trace& trace, const OomVerdict& verdict)
{
    const std::string requester = requesterChain(trace, verdict);
    const std::string detail = causeDetail(trace, verdict);
    return fmt::format("{}{}{}", failureWithCause(verdict), detail.empty() ? "" : "; " + detail,
        requester.empty() ? "" : "; the request comes from " + requester);
}

std::string failureTitle(const OomVerdict& verdict)
{
    return "Out of memory: " + failureWords(verdict);
}

std::string clearingSentence(const OomVerdict& verdict, const SegmentState& state)
{
    if (verdict.cause != OomCause::Fragmentation && verdict.cause != OomCause::Divided
        && verdict.cause != OomCause::OtherPool)
        return {};
    if (!verdict.cheapest)
        return fmt::format("No segment of the pool is as large as the request, and a new segment of {} does "
                           "not fit into the {} "
                           "free on the GPU",
            formatBytes(verdict.segmentBytes), formatBytes(verdict.deviceFreeBytes));
    const SegmentAt& segment = state.segments[verdict.cheapest->segment];
    return fmt::format("Even in the best segment ({}), {} ({}) would have to be freed to make room",
        formatAddress(segment.range.begin), counted(verdict.cheapest->blocksInTheWay, "block", "blocks"),
        formatBytes(verdict.cheapest->bytesInTheWay));
}

} // namespace highwater
