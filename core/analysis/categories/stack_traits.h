#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace highwater {

/// What the frames of a stack say about the memory that it allocates, judged by names used in PyTorch and
/// related libraries. A trait of any frame is a trait of the stack. For phases see StackRoles.
enum class StackTrait : std::uint16_t
{
    Recomputation = 1 << 0, ///< a checkpointed forward, run again in backward
    Workspace = 1 << 1, ///< workspaces of cuBLAS, cuDNN or NCCL
    ModelLoading
    = 1 << 2, ///< `from_pretrained`, `Module.to`, `reset_parameters`, `create_weights`, a parameter's copy
    KvCache = 1 << 3, ///< key-value cache of vLLM, SGLang and similar engines
    ModuleCall = 1 << 4, ///< `Module.__call__`: the allocation is made while a model runs
    ShardedParameter
    = 1 << 5, ///< a shard of FSDP's flat parameters, the whole ones gathered from shards, a replica's
    GradientBuffer = 1 << 6, ///< DDP's buckets and the output of FSDP's reduce-scatter
    GradientReduction = 1 << 7, ///< where FSDP copies gradients into the buffer that is reduced
    ReadFromFile = 1 << 8, ///< `torch.load`, safetensors
};

/// Traits of every stack of a trace.
class StackTraits
{
public:
    /// O(frames + stacks).
    explicit StackTraits(const Trace& trace);

    bool has(StackId stack, StackTrait trait) const
    {
        return !stack.isNone() && (m_ofNode[stack.index()] & static_cast<std::uint16_t>(trait)) != 0;
    }

private:
    std::vector<std::uint16_t> m_ofNode; ///< by stack id
};

} // namespace highwater
