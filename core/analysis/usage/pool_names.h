#pragma once

#include <string>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// What the memory pools of a device are for. A snapshot has only their keys, but what allocates in a pool
/// tells: a name that the program recorded ({"pool": "…"} in `user_metadata`), else the code that most of its
/// bytes come from (CUDA graph trees of torch.compile, capture of a CUDA graph, NCCL, symmetric memory), else
/// the key: its first number is set by the capture of a graph, its second by torch.cuda.MemPool.
class PoolNames
{
public:
    /// O(events + stacks) where the trace has private pools, else O(pools).
    explicit PoolNames(const AllocationTable& allocations);

    /// "kv cache", "CUDA graph trees", "CUDA graph", "MemPool"; empty: the default pool, or not recorded.
    const std::string& name(PoolId pool) const;
    /// "default pool", "private pool (0, 1): kv cache".
    std::string label(PoolId pool) const;

private:
    const Trace& m_trace;
    std::vector<std::string> m_names; ///< by pool
};

} // namespace highwater
