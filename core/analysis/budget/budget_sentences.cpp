#include "core/analysis/budget/budget_sentences.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

std::string sumSentence(const Budget& budget)
{
    return fmt::format("the configuration needs {} at the peak ({}), between {} and {}",
        formatBytes(budget.expected), formatExactBytes(budget.expected), formatBytes(budget.low),
        formatBytes(budget.high));
}

/// Names the line with the largest gap, if it is at least a hundredth of the observed bytes.
void addLargestGap(std::vector<std::string>& sentences, const Budget& budget, const ObservedBudget& observed)
{
    const BudgetLine* largestLine = nullptr;
    Bytes largestExcess = 0;
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* const observedLine = observed.find(line.name);
        const Bytes excess = observedLine ? observedLine->bytes - line.likely() : 0;
        if (std::abs(excess) > std::abs(largestExcess)) {
            largestLine = &line;
            largestExcess = excess;
        }
    }
    if (largestLine && std::abs(largestExcess) >= observed.total / 100)
        sentences.push_back(
            fmt::format("the largest gap is in {}: {} observed, {} expected", titleOf(largestLine->name),
                formatBytes(largestLine->likely() + largestExcess), formatBytes(largestLine->likely())));
}

/// Compares the observed bytes with the computed total of the stated lines. The stated total itself may mix
/// units.
void addStatedRatio(
    std::vector<std::string>& sentences, const ObservedBudget& observed, const StatedFigures& stated)
{
    for (const StatedVerdict& verdict : stated.verdicts)
        if (!verdict.line && verdict.computed > 0)
            sentences.push_back(fmt::format("the run uses {} the stated lines ({})",
                formatRatio(static_cast<double>(observed.total) / static_cast<double>(verdict.computed)),
                formatBytes(verdict.computed)));
}

void addObserved(std::vector<std::string>& sentences, const Budget& budget, const ObservedBudget& observed)
{
    if (budget.expected > 0)
        sentences.push_back(
            fmt::format("the run uses {} of {} bytes at its peak (event {}), {} the expected bytes",
                formatBytes(observed.total), inWords(observed.quantity), formatCount(observed.event),
                formatRatio(static_cast<double>(observed.total) / static_cast<double>(budget.expected))));
    if (const BudgetLine* const outside = budget.find(BudgetLineName::Outside))
        sentences.push_back(fmt::format("{} of the expected bytes is outside PyTorch and not in the file",
            formatBytes(outside->likely())));
    addLargestGap(sentences, budget, observed);
    const ObservedBudget::Line* const logits = observed.find(BudgetLineName::Logits);
    if (logits && observed.logitsTensors > 1)
        sentences.push_back(fmt::format("{} tensors of exactly the logits' size are in use together: {}",
            observed.logitsTensors, formatBytes(logits->bytes)));
    if (observed.unexplained > 0) {
        std::string parts;
        for (const ObservedBudget::Rest& rest : observed.rest)
            parts += fmt::format(
                "{}{} ({})", parts.empty() ? "" : ", ", titleOf(rest.category), formatBytes(rest.bytes));
        sentences.push_back("the budget has no line for " + parts);
    }
}

std::string fitSentence(const GpuFit& fit)
{
    if (!fit.fits)
        return fmt::format("does not fit {} ({} reported), {} short", fit.gpu, formatBytes(fit.capacity),
            formatBytes(-fit.headroom));
    if (fit.isTight)
        return fmt::format(
            "probably does not fit {} ({} reported): {} left, and a CUDA context usually takes more", fit.gpu,
            formatBytes(fit.capacity), formatBytes(fit.headroom));
    return fmt::format(
        "fits {} ({} reported) with {} left", fit.gpu, formatBytes(fit.capacity), formatBytes(fit.headroom));
}

/// Returns the subject of a fit sentence: "30.8 GiB observed + 1.86 GiB outside PyTorch = 32.66 GiB ".
std::string needText(const Budget& budget, const ObservedBudget& observed)
{
    const BudgetLine* const outside = budget.find(BudgetLineName::Outside);
    if (!outside || outside->likely() == 0)
        return fmt::format("the observed {} ", formatBytes(observed.needed));
    return fmt::format("{} observed + {} outside PyTorch = {} ", formatBytes(observed.needed),
        formatBytes(outside->likely()), formatBytes(observed.needed + outside->likely()));
}

void addFits(std::vector<std::string>& sentences, const Budget& budget, const std::vector<GpuFit>& fits,
    const ObservedBudget* observed)
{
    constexpr std::size_t kListedFits = 3;
    const std::string subject = observed ? needText(budget, *observed)
                                         : fmt::format("the expected {} ", formatBytes(budget.expected));
    if (fits.size() <= kListedFits) {
        for (const GpuFit& fit : fits)
            sentences.push_back(subject + fitSentence(fit));
        return;
    }
    const auto found = std::ranges::find_if(fits, [](const GpuFit& fit) { return fit.fits && !fit.isTight; });
    sentences.push_back(subject
        + (found == fits.end() ? "fits no known GPU"
                               : fmt::format("{}; {} is the smallest known GPU that does",
                                   fitSentence(*found), found->gpu)));
}

/// Names the lines missing from the sum: because of them, the sum fits GPUs that may be too small for the
/// run.
void addMissingLines(std::vector<std::string>& sentences, const Budget& budget)
{
    std::vector<std::string_view> names;
    for (const LeftOutLine& line : budget.leftOut)
        if (line.name != BudgetLineName::Outside)
            names.push_back(titleOf(line.name));
    if (!names.empty())
        sentences.push_back(fmt::format("the sum and the GPUs do not include {}", fmt::join(names, ", ")));
}

} // namespace

std::vector<std::string> budgetSentences(const Budget& budget, const ObservedBudget* observed,
    const std::vector<GpuFit>& fits, const StatedFigures& stated)
{
    std::vector<std::string> sentences;
    if (budget.lines.empty())
        sentences.emplace_back("the configuration has too few settings for a budget");
    else
        sentences.push_back(sumSentence(budget));
    if (observed) {
        addObserved(sentences, budget, *observed);
        addStatedRatio(sentences, *observed, stated);
    }
    if (!fits.empty())
        addFits(sentences, budget, fits, observed);
    if (!budget.lines.empty() && !observed)
        addMissingLines(sentences, budget);
    for (const StatedVerdict& verdict : stated.verdicts)
        sentences.push_back(verdict.sentence);
    sentences.insert(sentences.end(), stated.sentences.begin(), stated.sentences.end());
    return sentences;
}

std::string formatRatio(double ratio)
{
    return ratio < 10 ? fmt::format("{:.2f}×", ratio) : fmt::format("{:.1f}×", ratio);
}

} // namespace highwater
