#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater {

/// The lines of an expected budget, in display order. Their names are JSON values and never change.
enum class BudgetLineName : std::uint8_t
{
    Parameters, ///< Weights of the trained model
    Gradients,
    OptimizerState,
    MasterWeights, ///< FP32 copies of the trained weights
    Activations, ///< Kept by forward for backward, without logits
    Logits,
    KvCache,
    ReferenceModel, ///< Frozen models for scoring: reference and reward
    Critic, ///< With its gradients and optimizer state
    Engine, ///< Weights of an inference engine
    Temporary, ///< Briefly live memory: gathered layers, the optimizer's step
    Outside, ///< Outside PyTorch's allocator: CUDA context, NCCL
};

inline constexpr std::size_t kBudgetLineCount = 12;

/// Returns "optimizer_state".
std::string_view toText(BudgetLineName name);
/// Returns "optimizer state".
std::string_view titleOf(BudgetLineName name);
/// Parses the names from `toText`; nullopt for other texts.
std::optional<BudgetLineName> budgetLineFromText(std::string_view text);
/// Returns all lines, in order.
const std::array<BudgetLineName, kBudgetLineCount>& budgetLineNames();

} // namespace highwater
