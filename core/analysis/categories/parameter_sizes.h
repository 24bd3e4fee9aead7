#pragma once

#include <cstdint>

#include "core/analysis/categories/category_evidence.h"
#include "core/base/hash.h"

namespace highwater {

/// Number of blocks of each exact size.
using SizeCounts = NumberMap<Bytes, std::uint32_t>;

/// Returns the total bytes: Σ size × count.
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
    bool isConfirmed = false;
    /// True if the counts come from blocks that `zero_grad` frees, and the optimizer's state confirms them.
    bool isZeroed = false;
    /// True if gradients live through the whole trace: no backward leaves new ones behind, but each allocates
    /// blocks of their sizes, adds these to the gradients and frees them.
    bool gradientsPersist = false;

    bool contain(Bytes size) const { return counts.contains(size); }
};

/// Finds the sizes of the parameters by the first kind of evidence that exists, but by the second if the
/// optimizer's state confirms that one alone: gradients that `zero_grad` frees; gradients that a whole
/// backward leaves behind; gradients of the backward in which the trace ends; blocks that each backward adds
/// to persistent gradients; optimizer state, with halved counts if it has two blocks per parameter.
/// O(allocations × log allocations).
ParameterSizes findParameterSizes(const CategoryEvidence& evidence);

/// Size of cuBLAS's workspace on every stream if CUBLAS_WORKSPACE_CONFIG is not set (":4096:2:16:8"): 2 ×
/// 4096 KiB + 8 × 16 KiB (aten/src/ATen/cuda/CublasHandlePool.cpp). Hardly anything else has this size.
inline constexpr Bytes kCublasWorkspace = 2 * 4096 * kKiB + 8 * 16 * kKiB;

/// True if a backward allocated the block and leaves it behind, as it does with gradients.
bool isLeftByBackward(const CategoryEvidence& evidence, AllocationIndex i);
/// True if an optimizer allocated the block and keeps it beyond its step. Also true for a block older than
/// the trace that an optimizer frees.
bool isOptimizerState(const CategoryEvidence& evidence, AllocationIndex i);
/// True if Python code in the optimizer phase that belongs to no known optimizer allocated the block and
/// keeps it beyond the step.
bool isKeptByUpdate(const CategoryEvidence& evidence, AllocationIndex i);

} // namespace highwater
