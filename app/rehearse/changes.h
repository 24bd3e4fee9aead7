#pragma once

#include <array>
#include <string>
#include <string_view>

namespace highwater::rehearse {

/// A change of a training script that may make it need less memory. A rehearsal can make it in place of the
/// script's author (`RehearsalRequest::changes`).
struct Change
{
    std::string_view name; ///< "zero-grad", as in `--try` and highwater_changes.py
    std::string_view title; ///< "free gradients after the step", for people
    std::string_view how; ///< how the author makes it, unless the script decides that: no full stop
};

/// All changes, the smallest first: settings, then what keeps speed and results, then what costs time or
/// changes numbers.
inline constexpr std::array kChanges{
    Change{"expandable-segments", "expandable segments",
        "start the command with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"},
    Change{"zero-grad", "free gradients after the step",
        "call optimizer.zero_grad(set_to_none=True) right after optimizer.step()"},
    Change{"no-grad", "no gradients in evaluation", "evaluate inside of torch.no_grad()"},
    Change{"no-cache", "no key-value cache in training", "set model.config.use_cache = False for training"},
    Change{"fused-adam", "fused Adam", "pass fused=True to torch.optim.Adam or AdamW"},
    Change{"chunked-loss", "chunked cross-entropy",
        "compute the loss in 16 chunks of tokens, each under torch.utils.checkpoint, or use a fused one "
        "(Liger)"},
    Change{"checkpointing", "checkpointed blocks",
        "call each block by torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"},
    Change{"8-bit-adam", "8-bit Adam",
        "use bitsandbytes.optim.Adam8bit or AdamW8bit, whose numbers differ a little"},
};

/// Returns the change with this name; null if there is none.
constexpr const Change* changeNamed(std::string_view name)
{
    for (const Change& change : kChanges)
        if (change.name == name)
            return &change;
    return nullptr;
}

/// Returns the names of all changes, with commas between them.
std::string changeNames();
/// Returns the problem with a value of `--try`, "all", "none" or the name of a change; empty if it is valid.
std::string problemOfChange(const std::string& text);

} // namespace highwater::rehearse
