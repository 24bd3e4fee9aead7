#pragma once

#include <string>
#include <vector>

#include "core/analysis/usage/allocations.h"

namespace highwater {

/// The purposes of a device's memory pools. A snapshot has only the keys of pools, so the purpose is derived:
/// - from a name that the program recorded ({"pool": "…"} in `user_metadata`);
/// - else from the code that allocated most bytes: CUDA graph trees of torch.compile, capture of a CUDA
///   graph, NCCL or symmetric memory;
/// - else from the key: a CUDA graph sets its first number, torch.cuda.MemPool the second.
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
