#pragma once

#include <string>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// The purpose of a device's memory pools. A snapshot has only their keys, so the purpose comes from the
/// allocations in a pool: a name that the program recorded ({"pool": "…"} in `user_metadata`), else the code
/// that most of its bytes come from (CUDA graph trees of torch.compile, capture of a CUDA graph, NCCL,
/// symmetric memory), else the key, whose first number is set by the capture of a graph and whose second by
/// torch.cuda.MemPool.
class PoolNames
{
public:
    /// O(events + stacks) if the trace has private pools, else O(pools).
    explicit PoolNames(const AllocationTable& allocations);

    /// Returns "kv cache", "CUDA graph trees", "CUDA graph" or "MemPool"; empty for the default pool or if
    /// unknown.
    const std::string& name(PoolId pool) const;
    /// Returns "default pool" or "private pool (0, 1): kv cache".
    std::string label(PoolId pool) const;

private:
    const Trace& m_trace;
    std::vector<std::string> m_names; ///< by pool
};

} // namespace highwater
