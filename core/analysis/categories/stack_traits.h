#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// A property of the memory that a stack allocates, judged by function and file names used in PyTorch and
/// related libraries. A trait of any frame is a trait of the stack. For phases see StackRoles.
enum class StackTrait : std::uint16_t
{
    Recomputation = 1 << 0, ///< a checkpointed forward, run again in backward
    Workspace = 1 << 1, ///< workspaces of cuBLAS, cuDNN or NCCL
    /// `from_pretrained`, `Module.to`, `reset_parameters`, `create_weights`, or a copy of a parameter.
    ModelLoading = 1 << 2,
    KvCache = 1 << 3, ///< key-value cache of vLLM, SGLang and similar engines
    ModuleCall = 1 << 4, ///< `Module.__call__`: the allocation is made while a model runs
    /// A shard of FSDP's flat parameters, whole parameters gathered from shards, or a replica's.
    ShardedParameter = 1 << 5,
    GradientBuffer = 1 << 6, ///< DDP's buckets and the output of FSDP's reduce-scatter
    GradientReduction = 1 << 7, ///< FSDP copies gradients into the buffer that is reduced
    ReadFromFile = 1 << 8, ///< `torch.load`, safetensors
};

/// Traits of every stack of a trace.
class StackTraits
{
public:
    /// Costs O(frames + stacks).
    explicit StackTraits(const Trace& trace);

    bool has(StackId stack, StackTrait trait) const
    {
        return !stack.isNone() && (m_ofNode[stack.index()] & static_cast<std::uint16_t>(trait)) != 0;
    }

private:
    std::vector<std::uint16_t> m_ofNode; ///< by stack id
};

} // namespace highwater
