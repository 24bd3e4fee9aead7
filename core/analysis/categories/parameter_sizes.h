#pragma once

#include <cstdint>

#include "core/analysis/categories/category_evidence.h"
#include "core/base/hash.h"

namespace highwater {

/// How many blocks there are of each exact size.
using SizeCounts = NumberMap<Bytes, std::uint32_t>;

/// Σ size × count.
Bytes bytesOf(const SizeCounts& counts);

/// Sizes of the parameters that are trained, as gradients and optimizer state give them away.
struct ParameterSizes
{
    SizeCounts counts; ///< empty: nothing tells
    /// Bytes of optimizer state that one step makes or that is there from before, as far as it was seen.
    Bytes stateBytes = 0;
    /// Gradients and optimizer state agree: for each size there are as many of the one as of the other, or
    /// twice as many.
    bool confirmed = false;

    bool contain(Bytes size) const { return counts.contains(size); }
};

/// From gradients (what `zero_grad` frees, else what a whole backward leaves behind), else from the
/// optimizer's state: what a step leaves behind or replaces, divided by how often each size occurs.
/// O(allocations).
ParameterSizes findParameterSizes(const CategoryEvidence& evidence);

/// cuBLAS's room on every stream where CUBLAS_WORKSPACE_CONFIG is not set, ":4096:2:16:8": 2 × 4096 KiB + 8 ×
/// 16 KiB (aten/src/ATen/cuda/CublasHandlePool.cpp). An odd size for anything else.
inline constexpr Bytes kCublasWorkspace = 2 * 4096 * kKiB + 8 * 16 * kKiB;

/// Made by a gradient or an optimizer, for a block that outlives them.
bool isLeftByBackward(const CategoryEvidence& evidence, AllocationIndex i);
bool isOptimizerState(const CategoryEvidence& evidence, AllocationIndex i);

} // namespace highwater
