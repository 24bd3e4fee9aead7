#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater {

/// The lines of an expected budget, in the order in which they are shown. Their names are JSON
/// values and never change.
enum class BudgetLineName : std::uint8_t
{
    Parameters, ///< weights of the model that is trained
    Gradients,
    OptimizerState,
    MasterWeights, ///< fp32 copies of the trained weights
    Activations, ///< activations kept by forward for backward, without logits
    Logits,
    KvCache,
    ReferenceModel, ///< frozen models that score: reference and reward
    Critic, ///< including its gradients and optimizer state
    Engine, ///< weights of an inference engine
    Temporary, ///< briefly live memory: gathered layers, the optimizer's step
    Outside, ///< memory outside PyTorch's allocator: CUDA context, NCCL
};

inline constexpr std::size_t kBudgetLineCount = 12;

/// "optimizer_state".
std::string_view toText(BudgetLineName name);
/// "optimizer state".
std::string_view titleOf(BudgetLineName name);
std::optional<BudgetLineName> budgetLineFromText(std::string_view text);
/// All of them in order.
const std::array<BudgetLineName, kBudgetLineCount>& budgetLineNames();

} // namespace highwater
