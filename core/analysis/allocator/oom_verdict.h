#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

/// Why a request failed. The order is that of the questions: the first that holds is the cause.
enum class OomCause : std::uint8_t
{
    /// The figures cannot be true together.
    Nonsense,
    /// The size asked for is no real one.
    CorruptRequest,
    /// The request is larger than the whole device.
    AboveCapacity,
    /// More than the device or its driver gives in one allocation.
    AllocationLimit,
    /// An expandable segment may not become as large as the request (`expandable_segments_reserve`).
    ReserveTooSmall,
    /// The device had room, but the process may not have more (`per_process_memory_fraction`).
    ProcessCap,
    /// A message alone: without what other processes hold the request would fit.
    OtherProcess,
    /// Enough was free in one piece; the file does not say why it could not be used.
    Unexplained,
    /// Next to nothing was free: better use of it would only have delayed the failure.
    Full,
    /// The free memory inside the segments that may serve the request would suffice if it were contiguous.
    Fragmentation,
    /// A hole in segments of another pool or stream is large enough.
    OtherPool,
    /// The request is larger than all free memory, inside the reserved bytes and on the device.
    TooBig,
    /// Enough is free in total, but it is divided between segments that may not serve the request, cached
    /// memory that was not returned, and the device.
    Divided,
    /// The event or the message lacks the data that a verdict needs.
    Unknown,
};

/// "process cap", "other pool or stream", "unknown", …: as the sentence about the cause begins.
std::string_view toText(OomCause cause);
/// As toText, in words for people: "split free memory".
std::string_view causeForPeople(OomCause cause);

/// Memory in use by others that is more than a CUDA context with its libraries takes, 2 GiB or a tenth of a
/// small GPU.
bool isMoreThanAContext(Bytes bytes, Bytes capacity = std::numeric_limits<Bytes>::max());

/// The run of a segment that would hold the request if the least possible amount of live memory in it were
/// freed.
struct ClearableRun
{
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    RowRange blocks; ///< rows of SegmentState::blocks that it touches, holes included
    Bytes bytesInTheWay = 0;
    std::int64_t blocksInTheWay = 0;
};

/// The failed request compared with the allocator's state at that moment. Free bytes serve only their own
/// pool, stream and size class, so the first comparison is with those.
struct OomVerdict
{
    std::int64_t event = -1;
    OomCause cause = OomCause::Unknown;
    FreeListKey key; ///< free list for the request; default pool if not recorded
    Bytes requestedBytes = 0; ///< as recorded, which is rounded
    Bytes deviceFreeBytes = 0;
    Bytes reservedBytes = 0;
    Bytes liveBytes = 0; ///< allocated, pending frees included
    Bytes freeBytes = 0; ///< inside all reserved
    Bytes servingFreeBytes = 0; ///< inside the segments that may serve it
    std::int64_t servingHoles = 0;
    Bytes servingLargestFree = 0;
    Bytes missingBytes = 0; ///< TooBig and Full: bytes that had to be freed even without any waste
    Bytes segmentBytes = 0; ///< that the driver would be asked for to serve it
    /// ProcessCap: what the settings allow, none where they do not say; ReserveTooSmall: the reserve.
    std::optional<Bytes> limit;
    std::optional<FreeListKey> elsewhere; ///< the other free list with the largest hole that would do
    Bytes elsewhereLargestFree = 0;
    StackId stack; ///< of the request
    std::optional<ClearableRun> cheapest; ///< none: no segment that may serve it is large enough

    /// What PyTorch could have had at that moment: a lower bound of the device's capacity.
    Bytes reachableBytes() const { return reservedBytes + deviceFreeBytes; }
    /// Less than 5 % was free in all.
    bool isNearlyFull() const { return freeBytes + deviceFreeBytes < reachableBytes() / 20; }
};

/// `state` is the one at the event, which must be an out-of-memory event. O(blocks).
OomVerdict oomVerdict(const Trace& trace, DeviceIndex device, const SegmentState& state);

/// The sizes of the free holes in segments that may serve such a request, largest first. O(blocks + holes ×
/// log holes).
std::vector<Bytes> servingHoles(const Trace& trace, const SegmentState& state, const FreeListKey& key);

/// One sentence that begins with the cause, with its arithmetic and where the request came from, without a
/// final full stop.
std::string sentenceOf(const Trace& trace, const OomVerdict& verdict);
/// The same without where the request came from.
std::string causeSentence(const Trace& trace, const OomVerdict& verdict);
/// "forward activation.py:734 ← forward model.py:54"; empty without frames.
std::string requesterOf(const Trace& trace, const OomVerdict& verdict);
/// The same in a few words, to be read first: "Out of memory: the request for 2.25 GiB missed by 732.00 MiB;
/// …".
std::string failureTitle(const OomVerdict& verdict);
/// What prevents one free run for the request; empty for other verdicts.
std::string obstacleOf(const OomVerdict& verdict, const SegmentState& state);

} // namespace highwater
