#include "core/analysis/categories/stack_traits.h"

#include <string>

#include "core/base/text_parts.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

constexpr std::uint16_t bit(StackTrait trait)
{
    return static_cast<std::uint16_t>(trait);
}

/// True for `getNewWorkspace` (cuBLAS), `getCUDABlasLtWorkspace`, `…::Workspace::Workspace` (cuDNN
/// convolutions).
bool asksForWorkspace(std::string_view function)
{
    return containsAny(function,
        {"getNewWorkspace", "BlasLtWorkspace", "CUDABlasWorkspace", "cudnn::Workspace",
            "native::Workspace::Workspace", "ncclCommInit", "NCCLComm::create"});
}

/// True for functions that create, load, convert or move a model, or copy a parameter.
bool loadsModel(std::string_view function, const std::string& file)
{
    if (file.ends_with("/torch/nn/modules/module.py"))
        return isAnyOf(function, {"_apply", "convert", "to", "cuda", "half", "bfloat16", "load_state_dict"});
    if (file.ends_with("/torch/nn/parameter.py"))
        return function == "__deepcopy__";
    return isAnyOf(function,
               {"from_pretrained", "load_state_dict", "_load_state_dict_into_model", "_load_pretrained_model",
                   "_load_state_dict_into_meta_model", "reset_parameters", "create_weights",
                   "process_weights_after_loading", "_init_weights", "load_weights"})
        || (contains(file, "/torch/nn/modules/") && function == "__init__");
}

/// True for vLLM's CacheEngine and model runner, SGLang's memory pools, and the caches of transformers and
/// gpt-fast.
bool holdsKvCache(std::string_view function, const std::string& file)
{
    return containsAny(function, {"kv_cache", "setup_cache", "init_cache", "allocate_cache", "update_cache"})
        || (contains(file, "/transformers/") && file.ends_with("/cache_utils.py"))
        || (contains(file, "/sglang/") && file.ends_with("/memory_pool.py"))
        || (contains(file, "/vllm/") && file.ends_with("/cache_engine.py"));
}

/// True for `torch.load` and `safetensors.torch.load_file`.
bool readsFile(const std::string& file)
{
    return file.ends_with("/torch/serialization.py") || contains(file, "/safetensors/");
}

/// True for functions of torch.utils.checkpoint that run a forward again.
bool recomputes(std::string_view function, const std::string& file)
{
    return file.ends_with("/torch/utils/checkpoint.py")
        && isAnyOf(function, {"recompute_fn", "unpack_hook", "backward", "recompute_and_cache"});
}

/// True for the wrappers of `Module.__call__`.
bool callsModule(std::string_view function, const std::string& file)
{
    return file.ends_with("/torch/nn/modules/module.py")
        && isAnyOf(function, {"_call_impl", "_wrapped_call_impl", "__call__", "inner"});
}

/// True for FSDP, which keeps shards and gathers whole parameters for forward and backward (`_flat_param.py`;
/// `_fully_shard/_fsdp_param.py` and `_fsdp_collectives.py` of FSDP2), and for `DataParallel`, which copies
/// the parameters to its other devices in each forward.
bool shardsParameters(std::string_view function, const std::string& file)
{
    if (file.ends_with("/torch/nn/parallel/replicate.py"))
        return true;
    return file.find("/torch/distributed/fsdp/") != file.npos
        && isAnyOf(function,
            {"_get_shard", "shard", "_init_sharded_param", "_alloc_padded_unsharded_flat_param",
                "init_all_gather_outputs", "alloc_all_gather_outputs", "foreach_all_gather",
                "all_gather_copy_in"});
}

/// True for DDP, which allocates its buckets before the first forward and once more before the second, and
/// for FSDP, which keeps the sharded gradient.
bool buffersGradients(std::string_view function, const std::string& file)
{
    if (file.ends_with("/torch/nn/parallel/distributed.py"))
        return isAnyOf(function, {"_ddp_init_helper", "_pre_forward", "_rebuild_buckets"});
    return file.find("/torch/distributed/fsdp/") != file.npos
        && isAnyOf(function, {"_get_reduce_scatter_tensors", "foreach_reduce"});
}

std::uint16_t traitsOfPython(std::string_view function, const std::string& file)
{
    std::uint16_t traits = 0;
    if (callsModule(function, file))
        traits |= bit(StackTrait::ModuleCall);
    if (shardsParameters(function, file))
        traits |= bit(StackTrait::ShardedParameter);
    if (buffersGradients(function, file))
        traits |= bit(StackTrait::GradientBuffer);
    if (function == "foreach_reduce" && contains(file, "/torch/distributed/fsdp/"))
        traits |= bit(StackTrait::GradientReduction);
    if (recomputes(function, file))
        traits |= bit(StackTrait::Recomputation);
    if (loadsModel(function, file))
        traits |= bit(StackTrait::ModelLoading);
    if (holdsKvCache(function, file))
        traits |= bit(StackTrait::KvCache);
    if (readsFile(file))
        traits |= bit(StackTrait::ReadFromFile);
    return traits;
}

std::uint16_t traitsOfFrame(const Trace& trace, const Frame& frame)
{
    const std::string_view function = trace.text(frame.function);
    if (frame.kind == FrameKind::Python)
        return traitsOfPython(function, forwardSlashes(trace.text(frame.file)));
    return asksForWorkspace(function) ? bit(StackTrait::Workspace) : std::uint16_t{0};
}

} // namespace

StackTraits::StackTraits(const Trace& trace)
    : m_ofNode(
        stackBitsByFunction(trace.stacks, [&](const Frame& frame) { return traitsOfFrame(trace, frame); }))
{
}

} // namespace highwater
