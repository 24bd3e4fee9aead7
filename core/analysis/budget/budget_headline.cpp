#include "core/analysis/budget/budget_headline.h"

#include <fmt/format.h>

#include "core/analysis/budget/budget_gap.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

std::string budgetHeadline(const BudgetStudy& study)
{
    const Budget& budget = study.budget;
    if (!study.isOfConfiguration)
        return upperFirst(fmt::format("{}", fmt::join(study.sentences(), "; ")));
    if (budget.lines.empty())
        return "The configuration has too few settings for a budget";
    if (!study.observed)
        return fmt::format("Expected at the peak: {}", formatBytes(budget.expected));
    std::string text = fmt::format("Observed {}", formatBytes(study.observed->total));
    if (budget.expected > 0)
        text += fmt::format(", {} the expected {}",
            formatRatio(static_cast<double>(study.observed->total) / static_cast<double>(budget.expected)),
            formatBytes(budget.expected));
    if (const std::string others = study.otherGpus(); !others.empty())
        text += fmt::format(", on {}, not on {}", study.observed->outcome.gpuText(), others);
    return text;
}

std::string budgetSubline(const BudgetStudy& study)
{
    if (study.budget.lines.empty())
        return {};
    const auto gap = study.observed ? largestGap(study.budget, *study.observed) : std::nullopt;
    if (gap)
        return fmt::format("largest gap: {}, {} {}", titleOf(gap->name), formatBytes(std::abs(gap->excess())),
            gap->excess() > 0 ? "over" : "under");
    if (study.observed)
        return "every line is within 1% of the peak";
    return fmt::format("{} to {}", formatBytes(study.budget.low), formatBytes(study.budget.high));
}

std::string budgetVerdict(const BudgetStudy& study)
{
    if (!study.isOfConfiguration || !study.observed || study.observed->outcome.isWhole()
        || study.fits.empty())
        return {};
    std::string text;
    for (const std::string& sentence : failedRunSentences(study.budget, *study.observed, study.fits))
        text += (text.empty() ? "" : " ") + fullSentence(sentence);
    return text;
}

} // namespace highwater
