#pragma once

#include "core/base/units.h"

/// The sizes by which PyTorch's caching allocator splits memory. Source: the constants of
/// c10/cuda/CUDACachingAllocator.cpp; unchanged since PyTorch 2.1.
namespace highwater {

inline constexpr Bytes kSmallestBlock = 512; ///< Sizes of blocks are multiples of this
/// Requests up to this size are served from the small pool. In the large pool, the rest of a block is split
/// off only if it is larger than this.
inline constexpr Bytes kSmallRequest = kMiB;
inline constexpr Bytes kSmallSegment = 2 * kMiB; ///< Segments of the small pool
/// Segments of the large pool, and pages of expandable segments, for requests below
/// `kLeastOwnSegmentRequest`.
inline constexpr Bytes kLargeSegment = 20 * kMiB;
/// Requests from this size on get a segment of their own, rounded up to a multiple of `kOwnSegmentUnit`.
inline constexpr Bytes kLeastOwnSegmentRequest = 10 * kMiB;
inline constexpr Bytes kOwnSegmentUnit = 2 * kMiB;

} // namespace highwater
