#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

/// Reason why a request failed. `oomVerdict` gives the first that holds in this order, except that it checks
/// Unknown first and Unexplained before ProcessCap. Causes marked "only in a log message" come from
/// `readOom`.
enum class OomCause : std::uint8_t
{
    /// The figures are too large to be real, or contradict each other.
    Nonsense,
    /// Only in a log message: the requested size cannot be real.
    CorruptRequest,
    /// Only in a log message: the request is larger than the whole device.
    AboveCapacity,
    /// Only in a log message: the request is larger than the device or its driver provides in one allocation.
    AllocationLimit,
    /// An expandable segment may not become as large as the request (`expandable_segments_reserve`).
    ReserveTooSmall,
    /// The device had room, and no known limit of the process would have allowed the segment. The process
    /// presumably may not use more (`per_process_memory_fraction`).
    ProcessCap,
    /// Only in a log message: the request would fit without the memory that other processes hold.
    OtherProcess,
    /// A free block was large enough, or the device had room within the known limit of the process; the file
    /// does not say why it could not be used.
    Unexplained,
    /// Almost nothing was free for a small request, so better use of the free memory would only have delayed
    /// the failure.
    Full,
    /// The free memory inside the segments that may serve the request would suffice if it were contiguous.
    Fragmentation,
    /// A free block in the segments of another pool or stream is large enough.
    OtherPool,
    /// The request is larger than all free memory, inside the reserved bytes and on the device.
    TooBig,
    /// Enough is free in total, but it is split between segments that may not serve the request, cached
    /// memory that was not returned, and the device.
    Divided,
    /// The event or the message lacks the data that a verdict needs.
    Unknown,
};

/// Returns the name of the cause: "process cap", "other pool or stream", "unknown", …
std::string_view toText(OomCause cause);
/// Returns the name of the cause for people: as `toText`, except "split free memory" and "impossible
/// figures".
std::string_view causeTitle(OomCause cause);

/// True if memory outside PyTorch (`bytes`) exceeds what a CUDA context with its libraries takes: 2 GiB, or a
/// tenth of the capacity of a small GPU.
bool exceedsCudaContext(Bytes bytes, Bytes capacity = std::numeric_limits<Bytes>::max());

/// The range of blocks in one segment that would hold the request if the least possible amount of live memory
/// were freed.
struct ClearableRange
{
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    RowRange blocks; ///< rows of SegmentState::blocks in the range, free blocks included
    Bytes bytesInTheWay = 0;
    std::int64_t blocksInTheWay = 0;
};

/// The failed request compared with the allocator's state at that moment. A free block serves only requests
/// of its own pool, stream and size class; the figures named `serving…` count only free blocks that may serve
/// this request.
struct OomVerdict
{
    std::int64_t event = -1;
    OomCause cause = OomCause::Unknown;
    FreeListKey key; ///< free list for the request; default pool if not recorded
    Bytes requestedBytes = 0; ///< as recorded: PyTorch has rounded it
    Bytes deviceFreeBytes = 0;
    Bytes reservedBytes = 0;
    Bytes liveBytes = 0; ///< allocated bytes, pending frees included
    Bytes inUseBytes = 0; ///< the same as requested, as other views count them
    Bytes freeBytes = 0; ///< free bytes in all segments
    Bytes servingFreeBytes = 0; ///< free bytes in the segments that may serve the request
    std::int64_t servingFreeBlockCount = 0; ///< number of their free blocks
    Bytes servingLargestFree = 0; ///< the largest of them
    Bytes missingBytes = 0; ///< bytes short even if all free memory were usable; for TooBig and Full
    Bytes segmentBytes = 0; ///< bytes that the driver would be asked for to serve the request
    /// For ProcessCap, the bytes that the settings or a log allow, if known. For ReserveTooSmall, the largest
    /// size of an expandable segment, if it is known exactly.
    std::optional<Bytes> limit;
    std::optional<FreeListKey> elsewhere; ///< another free list, the one with the largest suitable block
    Bytes elsewhereLargestFree = 0;
    StackId stack; ///< stack of the request
    std::optional<ClearableRange> cheapest; ///< not set if no serving segment holds the request

    /// Memory that PyTorch could have had at that moment: a lower bound of the device's capacity.
    Bytes reachableBytes() const { return reservedBytes + deviceFreeBytes; }
    /// One part in this many of the reachable bytes counts as almost nothing.
    static constexpr int kPartsPerMargin = 20;
    /// True if less than 5% of the reachable bytes was free.
    bool isNearlyFull() const { return freeBytes + deviceFreeBytes < reachableBytes() / kPartsPerMargin; }
};

/// Explains the out-of-memory event at which `state` was taken; the cause is Unknown if the file does not
/// record segments. `processLimit` is the limit from a log, which the settings in the trace override.
/// O(blocks + segments + events), because the settings are read from the trace.
OomVerdict oomVerdict(const Trace& trace, DeviceIndex device, const SegmentState& state,
    std::optional<Bytes> processLimit = {});

/// Returns the sizes of the free blocks in segments that may serve requests for this free list, largest
/// first. O(blocks + free blocks × log free blocks).
std::vector<Bytes> servingFreeBlockSizes(
    const Trace& trace, const SegmentState& state, const FreeListKey& key);

/// Returns one sentence without a final full stop: `failureWithCause`, `causeDetail`, and where the request
/// came from, if known.
std::string sentenceOf(const Trace& trace, const OomVerdict& verdict);
/// Returns what `failureTitle` leaves out, beginning in lower case: "6 GiB is reserved and 1.53 GiB is free
/// on the GPU: too little even without fragmentation". Empty if the title says everything.
std::string causeDetail(const Trace& trace, const OomVerdict& verdict);
/// Returns "forward (model.py:54) [forward (activation.py:734)]"; empty without frames.
std::string requesterChain(const Trace& trace, const OomVerdict& verdict);
/// Returns the failure in short: "2.25 GiB requested, 732 MiB short; …".
std::string failureWords(const OomVerdict& verdict);
/// Returns the words of the failure after the name of its cause, which is left out where they say it: "too
/// big: 2.25 GiB requested, 732 MiB short; …", "48 MiB requested on a full GPU; …".
std::string failureWithCause(const OomVerdict& verdict);
/// Returns the title of the failure: "Out of memory: 2.25 GiB requested, 732 MiB short; …".
std::string failureTitle(const OomVerdict& verdict);
/// Describes the least live memory to free for one contiguous range that holds the request, or says that no
/// segment of its pool is large enough. Empty unless the cause is Fragmentation, Divided or OtherPool.
std::string clearingSentence(const OomVerdict& verdict, const SegmentState& state);

} // namespace highwater
