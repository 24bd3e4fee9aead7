#pragma once

#include <cstdint>

#include "core/analysis/categories/category_evidence.h"
#include "core/base/hash.h"

namespace highwater {

/// Number of blocks of each exact size.
using SizeCounts = NumberMap<Bytes, std::uint32_t>;

/// Σ size × count.
Bytes bytesOf(const SizeCounts& counts);

/// True if nearly all bytes of `few` are in sizes that occur at least as often in `many`.
bool isAmong(const SizeCounts& few, const SizeCounts& many);

/// Sizes of the trained parameters, derived from gradients and optimizer state.
struct ParameterSizes
{
    SizeCounts counts; ///< empty if nothing shows them
    /// Bytes of optimizer state seen: created in one step, or present before the trace.
    Bytes stateBytes = 0;
    /// True if gradients and optimizer state agree: nearly all sizes have as many blocks of state as
    /// gradients, or twice as many.
    bool confirmed = false;
    /// True if the counts come from blocks that `zero_grad` frees, and the optimizer's state confirms them.
    bool zeroed = false;
    /// True if gradients live through the trace: no backward leaves any behind, but each makes and frees
    /// blocks of their sizes, which it adds to them.
    bool gradientsPersist = false;

    bool contain(Bytes size) const { return counts.contains(size); }
};

/// Finds the sizes by the gradients: blocks that `zero_grad` frees, else those that a whole backward leaves
/// behind, else those of the backward that the trace ends in. Without any, finds them by the blocks that a
/// backward makes and frees to add them to persistent gradients, else by the optimizer's state, with halved
/// counts if it keeps two blocks per parameter. O(allocations).
ParameterSizes findParameterSizes(const CategoryEvidence& evidence);

/// Size of cuBLAS's workspace on every stream if CUBLAS_WORKSPACE_CONFIG is not set (":4096:2:16:8"): 2 ×
/// 4096 KiB + 8 × 16 KiB (aten/src/ATen/cuda/CublasHandlePool.cpp). Hardly anything else has this size.
inline constexpr Bytes kCublasWorkspace = 2 * 4096 * kKiB + 8 * 16 * kKiB;

/// True if a backward (or an optimizer, for the second function) allocated the block, and it outlives that.
bool isLeftByBackward(const CategoryEvidence& evidence, AllocationIndex i);
bool isOptimizerState(const CategoryEvidence& evidence, AllocationIndex i);
/// True if code after a backward that nothing identifies as an optimizer allocated the block and keeps it.
bool isKeptByUpdate(const CategoryEvidence& evidence, AllocationIndex i);

} // namespace highwater
