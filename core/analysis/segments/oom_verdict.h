#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/analysis/segments/fragmentation.h"

namespace highwater {

/// Why a request failed, as far as the allocator's state tells.
enum class OomCause : std::uint8_t
{
    /// What is free inside the segments that may serve it would do, if it were one piece. Grade A.
    Fragmentation,
    /// More than everything free, inside the reserved bytes and on the device. Grade A.
    TooBig,
    /// Enough is free in sum, but shared between segments that may not serve it, or not given back, and the
    /// device.
    Divided,
    /// Enough was free in one piece: the file does not say what forbade its use.
    Unexplained,
    /// The event does not hold what a verdict needs.
    Unknown,
};

/// "fragmentation", "too big", "divided", "unexplained", "unknown".
std::string_view toText(OomCause cause);

/// The run of a segment that would hold the request if the least possible were not in the way.
struct ClearableRun
{
    std::uint32_t segment = 0; ///< index into SegmentState::segments
    RowRange blocks; ///< rows of SegmentState::blocks that it touches, holes included
    Bytes bytesInTheWay = 0;
    std::int64_t blocksInTheWay = 0;
};

/// The request that failed against what there was right then. Free bytes serve their own pool, stream and
/// size class alone, so the first comparison is with those.
struct OomVerdict
{
    std::int64_t event = -1;
    OomCause cause = OomCause::Unknown;
    FreeListKey key; ///< what could serve the request; pool: the default one where the file does not say
    Bytes requestedBytes = 0; ///< as recorded, which is rounded
    Bytes deviceFreeBytes = 0;
    Bytes reservedBytes = 0;
    Bytes liveBytes = 0; ///< allocated, pending frees included
    Bytes freeBytes = 0; ///< inside all reserved
    Bytes servingFreeBytes = 0; ///< inside the segments that may serve it
    std::int64_t servingHoles = 0;
    Bytes servingLargestFree = 0;
    Bytes missingBytes = 0; ///< TooBig: what had to go even without any waste
    std::optional<ClearableRun> cheapest; ///< none: no segment that may serve it is large enough

    /// What PyTorch could have at that moment: a lower bound of the device's capacity.
    Bytes reachableBytes() const { return reservedBytes + deviceFreeBytes; }
    /// So little was free in all that using it well would have put the failure off, not away.
    bool isNearlyFull() const { return freeBytes + deviceFreeBytes < reachableBytes() / 20; }
};

/// `state` is the one at the event, which must be an out-of-memory event. O(blocks).
OomVerdict oomVerdict(const Trace& trace, DeviceIndex device, const SegmentState& state);

/// One sentence with the verdict and its arithmetic, without a final full stop.
std::string sentenceOf(const Trace& trace, const OomVerdict& verdict);
/// What stands in the way of one free run for the request; empty where the verdict is another.
std::string obstacleOf(const OomVerdict& verdict, const SegmentState& state);

} // namespace highwater
