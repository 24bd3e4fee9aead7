#pragma once

#include "core/base/units.h"

/// The sizes by which PyTorch's caching allocator splits memory. Source: the constants of
/// c10/cuda/CUDACachingAllocator.cpp; unchanged since PyTorch 2.1.
namespace highwater {

inline constexpr Bytes kSmallestBlock = 512; ///< Sizes of blocks are multiples of this
/// Requests up to this size are served from the small pool. In the large pool, the rest of a block is split
/// off only if it is larger than this.
inline constexpr Bytes kSmallRequest = kMiB;
inline constexpr Bytes kSmallSegment = 2 * kMiB; ///< Segments of the small pool, or pages of expandable ones
/// Segments of the large pool for requests below `kLeastOwnSegmentRequest`. Pages of expandable segments of
/// the large pool have this size for all requests.
inline constexpr Bytes kLargeSegment = 20 * kMiB;
/// Requests from this size on get a segment of their own, rounded up to a multiple of `kOwnSegmentUnit`,
/// unless segments are expandable.
inline constexpr Bytes kLeastOwnSegmentRequest = 10 * kMiB;
inline constexpr Bytes kOwnSegmentUnit = 2 * kMiB;

} // namespace highwater
