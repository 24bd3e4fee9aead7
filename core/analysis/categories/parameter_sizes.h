#pragma once

#include <cstdint>

#include "core/analysis/categories/category_evidence.h"
#include "core/base/hash.h"

namespace highwater {

/// Number of blocks of each exact size.
using SizeCounts = NumberMap<Bytes, std::uint32_t>;

/// Σ size × count.
Bytes bytesOf(const SizeCounts& counts);

/// Whether nearly all bytes of the one, by size, occur among the other in at least the same numbers.
bool isAmong(const SizeCounts& few, const SizeCounts& many);

/// Sizes of the trained parameters, derived from gradients and optimizer state.
struct ParameterSizes
{
    SizeCounts counts; ///< empty: nothing shows them
    /// Bytes of optimizer state seen: created in one step, or present before the trace.
    Bytes stateBytes = 0;
    /// Gradients and optimizer state agree: of each size there are as many, or twice as many, of one as of
    /// the other.
    bool confirmed = false;
    /// They are what `zero_grad` frees, confirmed by the optimizer's state.
    bool zeroed = false;
    /// Gradients live through the trace: no backward leaves any behind, but each makes and frees blocks of
    /// their sizes, which it adds to them.
    bool gradientsPersist = false;

    bool contain(Bytes size) const { return counts.contains(size); }
};

/// From gradients (what `zero_grad` frees, else what a whole backward leaves behind), else from the
/// optimizer's state: what a step leaves behind or replaces, divided by how often each size occurs; else from
/// what a backward adds to persistent gradients. O(allocations).
ParameterSizes findParameterSizes(const CategoryEvidence& evidence);

/// Size of cuBLAS's workspace on every stream where CUBLAS_WORKSPACE_CONFIG is not set, ":4096:2:16:8": 2 ×
/// 4096 KiB + 8 × 16 KiB (aten/src/ATen/cuda/CublasHandlePool.cpp). Hardly anything else has this size.
inline constexpr Bytes kCublasWorkspace = 2 * 4096 * kKiB + 8 * 16 * kKiB;

/// Allocated by a backward or an optimizer, as a block that outlives it.
bool isLeftByBackward(const CategoryEvidence& evidence, AllocationIndex i);
bool isOptimizerState(const CategoryEvidence& evidence, AllocationIndex i);
/// Allocated by code behind a backward that nothing names an optimizer, and kept beyond it.
bool isKeptByUpdate(const CategoryEvidence& evidence, AllocationIndex i);

} // namespace highwater
