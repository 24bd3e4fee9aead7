#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/formula.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/budget_line_name.h"
#include "core/run/run_shape.h"

namespace highwater {

/// One line of the memory that a run is expected to need on one device, in bytes.
struct BudgetLine
{
    BudgetLineName name = BudgetLineName::Parameters;
    FormulaRange range; ///< low ≤ likely ≤ high
    /// The parts of the likely bytes that are weights, gradients, and optimizer state with master weights; 0
    /// for lines of other kinds. A critic has all three.
    Bytes weights = 0;
    Bytes gradients = 0;
    Bytes optimizer = 0;

    Bytes low() const { return range.low.value(); }
    Bytes likely() const { return range.likely.value(); }
    Bytes high() const { return range.high.value(); }
    /// Formula of the likely figure.
    const std::string& formula() const { return range.likely.text(); }
};

/// A line that is missing from the sum because a setting is not given.
struct LeftOutLine
{
    BudgetLineName name = BudgetLineName::Parameters;
    std::vector<std::string> missing; ///< keys of the configuration
    std::string sentence;
};

/// The memory that a run is expected to need on one device at its peak.
struct Budget
{
    std::vector<BudgetLine> lines; ///< lines that apply and can be computed, in the order of BudgetLineName
    Bytes low = 0; ///< Σ of the low figures of the lines
    Bytes expected = 0; ///< Σ of their likely figures
    Bytes high = 0; ///< Σ of their high figures
    std::vector<LeftOutLine> leftOut;
    std::vector<std::string> assumptions; ///< assumptions made for missing settings, as sentences
    std::optional<std::int64_t> parameters; ///< number of parameters of the run's model
    std::optional<std::int64_t> trainedCount; ///< trained parameters of the model, or of the adapters on it

    /// Returns null if the budget has no line of this name.
    const BudgetLine* find(BudgetLineName name) const;
    /// Returns the expected bytes without those outside PyTorch, which no recording shows: what observed
    /// bytes are compared with.
    Bytes expectedInPyTorch() const;
};

/// Adds up the formulae of `model_state.h`, `activation_bytes.h` and those below. Logits are sequences ×
/// tokens × vocabulary. If the number of their copies is not given, the low figure is one copy. The likely
/// figure is four copies when training: the logits, their log-softmax, and two gradients of the loss, the
/// last three in fp32 unless `logits_dtype` is given; else one. The high figure is five copies in fp32. A KV
/// cache has 2 × layers × key heads × head size × tokens elements. ZeRO-3 and FSDP gather a layer's weights
/// and gradients. The optimizer's step has temporaries (`ModelState::stepTemporaries`), but only when
/// activations and logits are gone, so only the excess over them counts.
///
/// Fails with Malformed if an amount does not fit into 63 bits. O(model copies): no loop depends on the
/// numbers of the model.
Result<Budget> expectedBudget(const RunShape& run);

/// Returns the number of elements in one copy of the logits, as in "8 × 174 × 50257"; nothing if a setting is
/// missing.
std::optional<Formula> logitsElements(const RunShape& run);

} // namespace highwater
