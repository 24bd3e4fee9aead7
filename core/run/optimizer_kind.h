#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater {

/// Optimizers, told apart by the memory that they need.
enum class OptimizerKind : std::uint8_t
{
    AdamW, ///< Two values per parameter, and a temporary one in its step
    AdamWFused, ///< Two values per parameter, without temporaries
    AdamW8bit, ///< Two values of one byte
    PagedAdamW, ///< Values in managed memory, outside PyTorch's allocator
    Adafactor, ///< Rows and columns of each matrix
    Lion, ///< One value per parameter, without temporaries
    Lion8bit, ///< One value of one byte
    RmsProp, ///< One value per parameter, and a temporary one in its step
    Muon, ///< One value per element of a matrix, two for others
    Sgd,
    SgdMomentum, ///< One value per parameter
    None,
};

/// Returns the name that Highwater prints: "adamw", "adamw-8bit".
std::string_view toText(OptimizerKind optimizer);

/// Parses the names that torch, transformers (`--optim`), timm (`--opt`), bitsandbytes and DeepSpeed use,
/// also as class paths: "adam", "adamw_torch_fused", "torch.optim.AdamW", "paged_adamw_8bit", "momentum".
/// Only letters and digits after the last '.' count, regardless of case. Returns nullopt for other names.
std::optional<OptimizerKind> optimizerFromText(std::string_view text);

/// Returns "; did you mean adamw?", if a known name is near, and the names that Highwater prints, for the
/// message about an unknown optimizer.
std::string optimizerHint(std::string_view text);

} // namespace highwater
