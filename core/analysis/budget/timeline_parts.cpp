#include "core/analysis/budget/timeline_parts.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

using Line = BudgetLineName;

/// Returns the category from which `observedBudget` takes the bytes of the line, if it is only one.
std::optional<Category> onlyCategory(const BudgetLine& line)
{
    const bool isOptimizer = line.name == Line::OptimizerState || line.name == Line::MasterWeights;
    if ((line.gradients > 0 && line.name != Line::Gradients) || (line.optimizer > 0 && !isOptimizer))
        return std::nullopt;
    switch (line.name) {
    case Line::Parameters:
    case Line::ReferenceModel:
    case Line::Critic:
    case Line::Engine: return Category::Parameter;
    case Line::Gradients: return Category::Gradient;
    case Line::OptimizerState:
    case Line::MasterWeights: return Category::OptimizerState;
    case Line::Activations: return Category::Activation;
    case Line::KvCache: return Category::KvCache;
    case Line::Temporary: return Category::Temporary;
    case Line::Logits:
    case Line::Outside: break;
    }
    return std::nullopt;
}

/// Returns "part of 15.83 GiB of activations in the timeline"; empty if the bytes are all of the category.
std::string partOf(Category category, Bytes bytes, const ObservedBudget& observed)
{
    const auto whole
        = std::ranges::find(observed.categories, category, &ObservedBudget::CategoryPart::category);
    return bytes == 0 || whole == observed.categories.end() || whole->bytes <= bytes
        ? std::string()
        : fmt::format("part of {} in the timeline", partsText({*whole}));
}

} // namespace

std::string partsText(const std::vector<ObservedBudget::CategoryPart>& parts)
{
    std::string text;
    for (const ObservedBudget::CategoryPart& part : parts)
        text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", formatBytes(part.bytes), part.title());
    return text;
}

std::string timelineText(const BudgetLine& line, const ObservedBudget& observed)
{
    if (line.name == Line::Logits)
        return observed.logitsParts.empty() ? std::string()
                                            : partsText(observed.logitsParts) + " in the timeline";
    const ObservedBudget::Line* const observedLine = observed.find(line.name);
    const std::optional<Category> category = onlyCategory(line);
    return observedLine && category ? partOf(*category, observedLine->bytes, observed) : std::string();
}

std::string timelineText(const ObservedBudget::CategoryPart& rest, const ObservedBudget& observed)
{
    return partOf(rest.category, rest.bytes, observed);
}

} // namespace highwater
