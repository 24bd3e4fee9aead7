#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::nsys {

/// The information in the name of an NVTX range.
struct NvtxName
{
    /// The name without the suffix from PyTorch's `emit_nvtx`: "aten::mm" for "aten::mm, seq = 34, op_id =
    /// 12".
    std::string text;
    /// True for an operator call, of which `emit_nvtx` writes thousands: "aten::mm", "autograd::engine::…",
    /// everything with a sequence number. False for ranges from the user or FSDP.
    bool isOperator = false;
};

/// Interprets the text of a range. `payload` is the number that the range carries. If the name is just a word
/// for a step, the number is appended ("train_step" → "train_step 7"), so that steps have distinct names.
NvtxName nvtxName(std::string_view text, std::optional<std::int64_t> payload = {});

/// True if the name denotes a single step: "step_12", "ProfilerStep#3", "train_step", "iteration 4". Such a
/// range surrounds complete steps and does not show where in a step an allocation was made.
bool isStepName(std::string_view name);

} // namespace highwater::nsys
