#include "core/analysis/budget/budget_headline.h"

#include <fmt/format.h>

#include "core/analysis/budget/budget_gap.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Returns which GPU the run would fit; empty if there is no GPU to judge it by.
std::string leadingSentence(const BudgetStudy& study)
{
    const std::vector<std::string> sentences = study.sentences();
    return sentences.empty() ? std::string() : sentences.front();
}

/// Returns the sentences from this one on that are not empty, as one text.
std::string joinedFrom(std::size_t first, const std::vector<std::string>& sentences)
{
    std::string text;
    for (std::size_t i = first; i < sentences.size(); ++i)
        if (!sentences[i].empty())
            text += (text.empty() ? "" : " ") + fullSentence(sentences[i]);
    return text;
}

} // namespace

std::string budgetHeadline(const BudgetStudy& study)
{
    const Budget& budget = study.budget;
    if (!study.isOfConfiguration)
        return upperFirst(leadingSentence(study));
    if (budget.lines.empty())
        return "The configuration has too few settings for a budget";
    if (!study.observed)
        return fmt::format("Expected at the peak: {}", formatBytes(budget.expected));
    std::string text
        = fmt::format("Observed {}{}", study.observed->boundWords(), formatBytes(study.observed->total));
    if (const Bytes expected = budget.expectedInPyTorch(); expected > 0)
        text += fmt::format(", {} the expected {}",
            formatRatio(static_cast<double>(study.observed->total) / static_cast<double>(expected)),
            formatBytes(expected));
    if (const std::string others = study.otherGpus(); !others.empty())
        text += fmt::format(", on {}, not on {}", study.observed->outcome.gpuText(), others);
    return text;
}

std::string budgetSubline(const BudgetStudy& study)
{
    if (!study.isOfConfiguration)
        return joinedFrom(1, study.sentences());
    if (study.budget.lines.empty())
        return {};
    const auto gap = study.observed ? largestGap(study.budget, *study.observed) : std::nullopt;
    if (gap)
        return fmt::format("largest gap: {}, {} {}", titleOf(gap->name), formatBytes(std::abs(gap->excess())),
            gap->excess() > 0 ? "over" : "under");
    if (study.observed)
        return "every line differs by less than 1% of the peak";
    return fmt::format("{} to {}", formatBytes(study.budget.low), formatBytes(study.budget.high));
}

std::string budgetVerdict(const BudgetStudy& study)
{
    if (!study.isOfConfiguration || !study.observed || !study.observed->outcome.hasFailed()
        || study.fits.empty())
        return joinedFrom(0, {budgetSubline(study)});
    std::vector<std::string> sentences = failedRunSentences(study.budget, *study.observed, study.fits);
    const BudgetLine* const told = lineOfFailure(study.budget, *study.observed);
    const std::optional<BudgetGap> gap = largestGap(study.budget, *study.observed);
    if (!told || !gap || gap->name != told->name)
        sentences.push_back(budgetSubline(study));
    return joinedFrom(0, sentences);
}

} // namespace highwater
