#pragma once

#include "core/base/units.h"

/// The sizes by which PyTorch's caching allocator cuts memory up. Source: the constants of
/// c10/cuda/CUDACachingAllocator.cpp; the same from PyTorch 2.1 on.
namespace highwater {

inline constexpr Bytes kSmallestBlock = 512;
/// Requests up to here are served from the small pool; and what is left of a block of the large pool is split
/// off only where it is more.
inline constexpr Bytes kSmallRequest = kMiB;
inline constexpr Bytes kSmallSegment = 2 * kMiB;
inline constexpr Bytes kOwnSegmentFrom = 10 * kMiB;
inline constexpr Bytes kOwnSegmentUnit = 2 * kMiB;

} // namespace highwater
