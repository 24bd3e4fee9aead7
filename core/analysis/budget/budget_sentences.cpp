#include "core/analysis/budget/budget_sentences.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/budget/budget_gap.h"
#include "core/analysis/budget/timeline_parts.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

std::string sumSentence(const Budget& budget)
{
    return fmt::format("the estimate for the configuration is {} at the peak ({}), between {} and {}",
        formatBytes(budget.expected), formatExactBytes(budget.expected), formatBytes(budget.low),
        formatBytes(budget.high));
}

/// Up to so many GPUs have a sentence each.
constexpr std::size_t kListedFits = 3;
/// More call sites that share a fault evenly are not named.
constexpr std::size_t kListedSites = 3;

/// Returns the line whose observed bytes exceed the expected ones most; null if none does.
const BudgetLine* largestExcessLine(const Budget& budget, const ObservedBudget& observed)
{
    const BudgetLine* largestLine = nullptr;
    Bytes largestExcess = 0;
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* const observedLine = observed.find(line.name);
        if (observedLine && observedLine->bytes - line.likely() > largestExcess) {
            largestLine = &line;
            largestExcess = observedLine->bytes - line.likely();
        }
    }
    return largestLine;
}

/// Adds the largest gap, then the other lines whose figures are far apart, but not `told`, which may be null.
void addGaps(std::vector<std::string>& sentences, const Budget& budget, const ObservedBudget& observed,
    const BudgetLine* told)
{
    const std::size_t first = sentences.size();
    const std::optional<BudgetGap> gap = largestGap(budget, observed);
    for (const BudgetLine& line : budget.lines) {
        const std::string cause = likelyCause(line, observed);
        const bool isLargest = gap && gap->name == line.name;
        if (&line == told || (!isLargest && cause.empty()))
            continue;
        std::string sentence
            = fmt::format("{}{}: {} observed, {} expected{}", isLargest ? "the largest gap is in " : "",
                titleOf(line.name), formatBytes(observed.find(line.name)->bytes), formatBytes(line.likely()),
                cause.empty() ? cause : "; likely " + cause);
        sentences.insert(isLargest ? sentences.begin() + static_cast<std::ptrdiff_t>(first) : sentences.end(),
            std::move(sentence));
    }
}

void addObserved(std::vector<std::string>& sentences, const Budget& budget, const ObservedBudget& observed,
    const BudgetLine* told)
{
    if (const Bytes expected = budget.expectedInPyTorch(); expected > 0)
        sentences.push_back(
            fmt::format("the run has {}{} of {} bytes in use at its peak (event {}), {} the expected {}",
                observed.boundWords(), formatBytes(observed.total), inWords(observed.quantity),
                formatCount(observed.event),
                formatRatio(static_cast<double>(observed.total) / static_cast<double>(expected)),
                formatBytes(expected)));
    if (const BudgetLine* const outside = budget.find(BudgetLineName::Outside))
        sentences.push_back(fmt::format("{} is expected outside PyTorch, which the file does not record",
            formatBytes(outside->likely())));
    addGaps(sentences, budget, observed, told);
    const ObservedBudget::Line* const logits = observed.find(BudgetLineName::Logits);
    if (logits && observed.logitsTensorCount > 1)
        sentences.push_back(
            fmt::format("{} logits-sized tensors are in use together: {} (in the timeline {})",
                observed.logitsTensorCount, formatBytes(logits->bytes), partsText(observed.logitsParts)));
    if (observed.unexplained > 0)
        sentences.push_back("the budget has no line for " + partsText(observed.rest));
}

std::string_view subjectOf(const ObservedBudget* observed)
{
    return observed ? "the run" : "the configuration";
}

/// Returns "the run fits L4 with 4.98 GiB left"; of a run that is not recorded whole "up to the cut, the run
/// fits L4 with at most 4.98 GiB left".
std::string fitSentence(const ObservedBudget* observed, const GpuFit& fit)
{
    const std::string_view subject = subjectOf(observed);
    const RecordedPart part = observed ? observed->outcome.part : RecordedPart::Whole;
    const bool isPart = part != RecordedPart::Whole;
    if (fit.verdict == FitVerdict::DoesNotFit)
        return fmt::format("{} does not fit {}, {}{} short", subject, fit.gpu, isPart ? "at least " : "",
            formatBytes(-fit.headroom));
    if (fit.verdict == FitVerdict::Fits)
        return fmt::format("{}{}{} fits {} with {}{} left", inWords(part), isPart ? ", " : "", subject,
            fit.gpu, isPart ? "at most " : "", formatBytes(fit.headroom));
    return fmt::format("it is too close to say if {} fits {}: {}", subject, fit.gpu,
        fit.isTight ? "it fits without the CUDA context"
                    : "PyTorch may or may not release memory that it reserved but did not use");
}

Bytes reservedAboveUse(const ObservedBudget& observed)
{
    return observed.outcome.reservedPeak - observed.total;
}

/// Returns how far the observed bytes of the line exceed the estimate, and the fault or the call site that
/// most of the excess is from, if there is one.
std::string excessText(const BudgetLine& line, const ObservedBudget& observed)
{
    const ObservedBudget::Line& observedLine = *observed.find(line.name);
    const Bytes excess = observedLine.bytes - line.likely();
    std::string text = fmt::format("{}: {} over the estimate", titleOf(line.name), formatBytes(excess));
    if (isExplainedByFault(observedLine, excess)) {
        text += "; likely part of the " + ruleWords(observedLine.fault);
        if (observedLine.faultSites.size() <= kListedSites)
            text += withCallMarks(
                ", allocated by " + fmt::to_string(fmt::join(observedLine.faultSites, " and ")));
        return text;
    }
    if (!observedLine.site.empty() && observedLine.siteBytes > excess / 2)
        text += ", most of it from " + observedLine.site;
    if (const std::string cause = likelyCause(line, observed); !cause.empty())
        text += "; likely " + cause;
    return text;
}

/// Returns why a run that leaked or ran out of memory needed more than the estimate; empty if unknown.
std::string causeText(const Budget& budget, const ObservedBudget& observed)
{
    const ObservedOutcome& outcome = observed.outcome;
    if (outcome.grows())
        return fmt::format("the run leaks, so a larger GPU only fails later: {} of its peak was allocated in "
                           "earlier steps{}",
            formatBytes(outcome.kept), outcome.keeper);
    if (const BudgetLine* const line = lineOfFailure(budget, observed))
        return excessText(*line, observed);
    if (reservedAboveUse(observed) > observed.total / 10)
        return fmt::format("PyTorch reserved up to {}, and at most {} was in use",
            formatBytes(observed.outcome.reservedPeak), formatBytes(observed.total));
    return {};
}

void addCause(std::vector<std::string>& sentences, const Budget& budget, const ObservedBudget& observed)
{
    if (std::string cause = causeText(budget, observed); !cause.empty())
        sentences.push_back(std::move(cause));
}

/// Returns how the run, which leaked or ran out of memory, fitted one GPU.
std::string runText(const ObservedBudget& observed, const GpuFit& fit)
{
    if (fit.doubt == FitDoubt::RanOut)
        return "the run ran out of memory on " + fit.gpu;
    if (const std::optional<Bytes> missing = fit.shortBytes())
        return fmt::format("the run does not fit {}, at least {} short", fit.gpu, formatBytes(*missing));
    if (fit.verdict == FitVerdict::TooClose)
        return "it is too close to say if the run fits " + fit.gpu;
    if (fit.doubt == FitDoubt::Grows)
        return fmt::format(
            "the run fits {} only until it has grown by another {}", fit.gpu, formatBytes(fit.headroom));
    return fmt::format("the run would have had at most {} left on {}: it {}", formatBytes(fit.headroom),
        fit.gpu, observed.outcome.failureText());
}

/// Adds for a run that leaked or ran out of memory by how much it did not fit, and what the estimate leaves.
void addFailedFit(std::vector<std::string>& sentences, const Budget& budget, const ObservedBudget& observed,
    const GpuFit& fit)
{
    sentences.push_back(runText(observed, fit));
    if (budget.lines.empty())
        return;
    const Bytes headroom = estimateHeadroom(budget, fit);
    const Bytes context = leftOutOutsideBytes(budget);
    sentences.push_back(
        (headroom < 0 ? fmt::format("the estimate does not fit {}, {} short", fit.gpu, formatBytes(-headroom))
                      : fmt::format("the estimate leaves {} of {}", formatBytes(headroom), fit.gpu))
        + (context > 0 ? fmt::format(", with {} for a CUDA context", formatBytes(context)) : std::string()));
}

/// Returns the largest GPU that the run does not fit, the first of equals; null if there is none.
const GpuFit* largestTooSmall(const std::vector<GpuFit>& fits)
{
    const GpuFit* largest = nullptr;
    for (const GpuFit& fit : fits)
        if (fit.verdict == FitVerdict::DoesNotFit && fit.headroom < 0
            && (!largest || fit.capacity > largest->capacity))
            largest = &fit;
    return largest;
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
    if (!fits.empty()) // the answer comes first
        sentences = fitSentences(budget, observed, fits);
    sentences.push_back(
        budget.lines.empty() ? "the configuration has too few settings for a budget" : sumSentence(budget));
    if (observed)
        addObserved(sentences, budget, *observed, fits.empty() ? nullptr : lineOfFailure(budget, *observed));
    if (!budget.lines.empty() && !observed)
        addMissingLines(sentences, budget);
    for (const StatedVerdict& verdict : stated.verdicts)
        if (!verdict.isMislabelled && !verdict.confirmsItself)
            sentences.push_back(verdict.sentence);
    sentences.insert(sentences.end(), stated.sentences.begin(), stated.sentences.end());
    return sentences;
}

const BudgetLine* lineOfFailure(const Budget& budget, const ObservedBudget& observed)
{
    if (!observed.outcome.ranOut || observed.outcome.grows())
        return nullptr;
    const BudgetLine* const line = largestExcessLine(budget, observed);
    const Bytes excess = line ? observed.find(line->name)->bytes - line->likely() : 0;
    const Bytes unused = reservedAboveUse(observed);
    return unused > excess && unused > observed.total / 10 ? nullptr : line;
}

std::vector<std::string> failedRunSentences(
    const Budget& budget, const ObservedBudget& observed, const std::vector<GpuFit>& fits)
{
    const GpuFit* const judged = largestTooSmall(fits);
    std::vector<std::string> sentences;
    if (judged || fits.size() <= kListedFits)
        addFailedFit(sentences, budget, observed, judged ? *judged : fits.front());
    else if (!observed.outcome.grows())
        sentences.push_back("the run " + observed.outcome.failureText() + ", so it may need more");
    addCause(sentences, budget, observed);
    return sentences;
}

std::vector<std::string> fitSentences(
    const Budget& budget, const ObservedBudget* observed, const std::vector<GpuFit>& fits)
{
    const bool hasFailed = observed && observed->outcome.hasFailed();
    if (hasFailed && (fits.size() > kListedFits || fits.size() == 1))
        return failedRunSentences(budget, *observed, fits);
    std::vector<std::string> sentences;
    if (fits.size() <= kListedFits) {
        for (const GpuFit& fit : fits)
            if (hasFailed)
                addFailedFit(sentences, budget, *observed, fit);
            else
                sentences.push_back(fitSentence(observed, fit));
        if (hasFailed)
            addCause(sentences, budget, *observed);
        return sentences;
    }
    const GpuFit* const smallest = leadingFit(observed, fits);
    sentences.push_back(smallest
            ? fitSentence(observed, *smallest) + ", the smallest GPU of this list that it fits"
            : fmt::format("{} fits no GPU of this list", subjectOf(observed)));
    return sentences;
}

const GpuFit* leadingFit(const ObservedBudget* observed, const std::vector<GpuFit>& fits)
{
    if (fits.size() <= kListedFits)
        return nullptr;
    if (observed && observed->outcome.hasFailed())
        return largestTooSmall(fits);
    const auto smallest = std::ranges::find(fits, FitVerdict::Fits, &GpuFit::verdict);
    return smallest == fits.end() ? nullptr : &*smallest;
}

Bytes leftOutOutsideBytes(const Budget& budget)
{
    return budget.find(BudgetLineName::Outside) ? 0 : kUsualOutsideBytes;
}

Bytes estimateHeadroom(const Budget& budget, const GpuFit& fit)
{
    return fit.capacity - budget.expected - leftOutOutsideBytes(budget);
}

std::string formatRatio(double ratio)
{
    return withoutZeros(fmt::format("{:.{}f}", ratio, ratio < 10 ? 2 : 1)) + "×";
}

} // namespace highwater
