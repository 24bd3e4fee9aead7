#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::nsys {

/// What the name of an NVTX range says.
struct NvtxName
{
    /// Without what PyTorch's `emit_nvtx` writes behind it: "aten::mm" of "aten::mm, seq = 34, op_id = 12".
    std::string text;
    /// A call of an operator, as `emit_nvtx` writes thousands of: "aten::mm", "autograd::engine::…",
    /// everything with a sequence number. Ranges of the user and of FSDP are none.
    bool isOperator = false;
};

/// `payload`: the number that a range carries; it is appended to the name if the name is just a word for a
/// step ("train_step" → "train_step 7"), so that steps have distinct names.
NvtxName nvtxName(std::string_view text, std::optional<std::int64_t> payload = {});

/// Whether the name is made for one step: "step_12", "ProfilerStep#3", "train_step", "iteration 4". Such a
/// range encloses whole steps and says nothing about where in them an allocation was made.
bool isStepName(std::string_view name);

} // namespace highwater::nsys
