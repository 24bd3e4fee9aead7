#include "core/run/budget_line_name.h"

#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, kBudgetLineCount> kLineNames
    = {"parameters", "gradients", "optimizer_state", "master_weights", "activations", "logits", "kv_cache",
        "reference_model", "critic", "engine", "temporary", "outside"};
constexpr std::array<std::string_view, kBudgetLineCount> kLineTitles
    = {"parameters", "gradients", "optimizer state", "master weights", "activations", "logits", "KV cache",
        "reference model", "critic", "engine", "temporaries", "outside PyTorch"};

} // namespace

std::string_view toText(BudgetLineName name)
{
    return kLineNames[static_cast<std::size_t>(name)];
}

std::string_view titleOf(BudgetLineName name)
{
    return kLineTitles[static_cast<std::size_t>(name)];
}

std::optional<BudgetLineName> budgetLineFromText(std::string_view text)
{
    return valueNamed<BudgetLineName>(kLineNames, text);
}

const std::array<BudgetLineName, kBudgetLineCount>& budgetLineNames()
{
    static const std::array<BudgetLineName, kBudgetLineCount> names = [] {
        std::array<BudgetLineName, kBudgetLineCount> lines{};
        for (std::size_t i = 0; i < lines.size(); ++i)
            lines[i] = static_cast<BudgetLineName>(i);
        return lines;
    }();
    return names;
}

} // namespace highwater
