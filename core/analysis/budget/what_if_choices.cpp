#include "core/analysis/budget/what_if_choices.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater {

namespace {

/// Adds a half, a quarter and so on of the value, at most four of them and none below `smallest`.
void addHalves(std::vector<std::string>& variations, const char* key, std::optional<std::int64_t> value,
    std::int64_t smallest)
{
    constexpr std::size_t kMaxHalves = 4;
    std::vector<std::int64_t> halves;
    for (std::int64_t half = value.value_or(0) / 2; half >= smallest && halves.size() < kMaxHalves; half /= 2)
        halves.push_back(half);
    if (!halves.empty())
        variations.push_back(fmt::format("{}={}", key, fmt::join(halves, ",")));
}

/// Returns the tenths of bytes per fp32 parameter that the optimizer's state takes on the GPU (`modelState`).
/// Adafactor's rows and columns count as one tenth.
int stateTenths(OptimizerKind optimizer)
{
    switch (optimizer) {
    case OptimizerKind::AdamW:
    case OptimizerKind::AdamWFused: return 80;
    case OptimizerKind::Muon:
    case OptimizerKind::RmsProp:
    case OptimizerKind::Lion:
    case OptimizerKind::SgdMomentum: return 40;
    case OptimizerKind::AdamW8bit: return 20;
    case OptimizerKind::Lion8bit: return 10;
    case OptimizerKind::Adafactor: return 1;
    case OptimizerKind::PagedAdamW:
    case OptimizerKind::Sgd:
    case OptimizerKind::None: return 0;
    }
    return 0;
}

void addSmallerOptimizers(std::vector<std::string>& variations, OptimizerKind current)
{
    std::vector<std::string_view> smaller;
    for (const OptimizerKind kind :
        {OptimizerKind::AdamW8bit, OptimizerKind::Adafactor, OptimizerKind::SgdMomentum, OptimizerKind::Sgd})
        if (stateTenths(kind) < stateTenths(current))
            smaller.push_back(toText(kind));
    if (!smaller.empty())
        variations.push_back(fmt::format("optimizer={}", fmt::join(smaller, ",")));
}

} // namespace

std::vector<std::string> usualVariations(const RunShape& run)
{
    std::vector<std::string> variations;
    addHalves(variations, "batch", run.batch, 1);
    addHalves(variations, "group", run.group, 1);
    addHalves(variations, "seq_len", run.sequence, 16);
    if (run.checkpointing.value_or(Checkpointing::None) != Checkpointing::Full)
        variations.emplace_back("checkpointing=full");
    if (run.attention && *run.attention != AttentionKind::Flash)
        variations.emplace_back("attention=flash");
    if (run.optimizer)
        addSmallerOptimizers(variations, *run.optimizer);
    if (run.dtype == ElementType::Fp32)
        variations.emplace_back("dtype=bf16");
    return variations;
}

std::optional<OtherOptimizer> otherOptimizer(
    const RunShape& run, const std::function<bool(Bytes stateBytes)>& fits)
{
    for (const OptimizerKind kind : {OptimizerKind::AdamW8bit, OptimizerKind::SgdMomentum})
        for (const bool master : {false, true}) {
            RunShape variant = run;
            variant.optimizer = kind;
            variant.masterWeights = master;
            const Result<Budget> budget = expectedBudget(variant);
            const BudgetLine* const line = budget ? budget->find(BudgetLineName::OptimizerState) : nullptr;
            if (line && kind != run.optimizer && fits(line->likely()))
                return OtherOptimizer{kind, line->likely()};
        }
    return std::nullopt;
}

} // namespace highwater
