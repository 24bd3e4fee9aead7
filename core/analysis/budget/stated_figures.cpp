#include "core/analysis/budget/stated_figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/what_if_choices.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

using VerdictKind = StatedVerdict::Kind;

/// Returns the bytes of the stated unit.
double unitOf(const StatedFigure& stated, bool isBinary)
{
    return std::pow(isBinary ? 1024.0 : 1000.0, stated.power);
}

/// True if the bytes, in units of 1024 (`isBinary`) or 1000, round to the stated figure or are in the stated
/// range.
bool agrees(const StatedFigure& stated, Bytes bytes, bool isBinary)
{
    const double value = static_cast<double>(bytes) / unitOf(stated, isBinary);
    const double halfDigit = 0.5 * std::pow(10.0, -stated.decimals) * (1 + 1e-9);
    return value >= stated.low - halfDigit && value <= stated.high + halfDigit;
}

VerdictKind judgeFigure(const StatedFigure& stated, Bytes bytes)
{
    const bool isBinary = agrees(stated, bytes, true);
    const bool isDecimal = !stated.isBinary && agrees(stated, bytes, false);
    if (isBinary && isDecimal)
        return VerdictKind::Both;
    if (isBinary || isDecimal)
        return isBinary ? VerdictKind::Binary : VerdictKind::Decimal;
    const double unit = unitOf(stated, stated.isBinary);
    return static_cast<double>(bytes) > stated.high * unit ? VerdictKind::StatedTooLow
                                                           : VerdictKind::StatedTooHigh;
}

/// Returns a bound of the stated range in bytes, at most 9e18.
Bytes bytesOfBound(const StatedFigure& stated, double bound)
{
    return std::llround(std::min(bound * unitOf(stated, stated.isBinary), 9e18));
}

/// Formats bytes in the kind of units that the stated figure has.
std::string inUnitsOf(const StatedFigure& stated, Bytes bytes)
{
    return stated.isBinary ? formatBytes(bytes) : formatDecimalBytes(bytes);
}

/// True if the configuration gives the estimate of this line in place of a formula.
bool isGiven(const RunShape& run, BudgetLineName line)
{
    return line == BudgetLineName::Outside || (line == BudgetLineName::Activations && run.activationsBytes);
}

/// Returns "the configuration states 0.23 GB for parameters: this equals the estimate only in GiB; in GB the
/// estimate is 0.25 GB (248,879,616 B)".
std::string verdictSentence(const StatedFigure& stated, VerdictKind kind, Bytes computed,
    const std::string& subject, std::string_view whose = "the")
{
    const std::string beginning
        = fmt::format("the configuration states {} for {}", quotedText(stated.text), subject);
    const std::string estimate = fmt::format(
        "{} estimate of {} ({})", whose, inUnitsOf(stated, computed), formatExactBytes(computed));
    switch (kind) {
    case VerdictKind::Binary:
        if (!stated.isBinary)
            return fmt::format("{}: this equals {} estimate only in GiB; in GB the estimate is {} ({})",
                beginning, whose, formatDecimalBytes(computed), formatExactBytes(computed));
        [[fallthrough]];
    case VerdictKind::Both:
    case VerdictKind::Decimal:
        return fmt::format("{}: this equals {} estimate ({})", beginning, whose, formatExactBytes(computed));
    case VerdictKind::StatedTooLow:
        return fmt::format("{}: this is {} below {}", beginning,
            inUnitsOf(stated, computed - bytesOfBound(stated, stated.high)), estimate);
    case VerdictKind::StatedTooHigh:
        return fmt::format("{}: this is {} above {}", beginning,
            inUnitsOf(stated, bytesOfBound(stated, stated.low) - computed), estimate);
    case VerdictKind::AsObserved: // `observedSentence` has the observed bytes
    case VerdictKind::NotComputed: break;
    }
    return beginning + ", but the budget has no such line";
}

/// Returns "the configuration states 6 GB for optimizer state, and the run has 5.31 GiB (5.7 GB); the
/// estimate is 11.18 GiB". The budget's other lines have these bytes in GiB, too.
std::string observedSentence(const StatedFigure& stated, Bytes observed, const BudgetLine& line)
{
    return fmt::format("the configuration states {} for {}, and the run has {}{}; the estimate is {}",
        quotedText(stated.text), titleOf(line.name), formatBytes(observed),
        stated.isBinary ? "" : fmt::format(" ({})", formatDecimalBytes(observed)),
        formatBytes(line.likely()));
}

/// Names another optimizer whose state would have the stated size: "adamw-8bit would need 6 GB"; empty if
/// there is none.
std::string fittingOptimizer(const RunShape& run, const StatedFigure& stated)
{
    const auto other
        = otherOptimizer(run, [&](Bytes bytes) { return judgeFigure(stated, bytes) <= VerdictKind::Both; });
    return other ? fmt::format("{} would need {}", toText(other->kind), inUnitsOf(stated, other->stateBytes))
                 : std::string();
}

class StatedJudge
{
public:
    StatedJudge(const RunShape& run, const Budget& budget, const ObservedBudget* observed)
        : m_run(run)
        , m_budget(budget)
        , m_observed(observed)
    {
    }

    StatedFigures judge()
    {
        for (const StatedFigure& stated : m_run.stated)
            if (stated.line)
                judgeLine(stated);
        for (const StatedFigure& stated : m_run.stated)
            if (!stated.line && !m_isContradicted)
                judgeTotal(stated);
        if (!m_mislabelled.empty())
            nameMislabelled();
        return std::move(m_figures);
    }

private:
    void judgeLine(const StatedFigure& stated)
    {
        const BudgetLine* const line = m_budget.find(*stated.line);
        StatedVerdict verdict{.line = stated.line};
        if (line) {
            verdict.computed = line->likely();
            verdict.kind = judgeFigure(stated, verdict.computed);
            m_sumOfStatedLines += verdict.computed;
            m_hasLines = true;
        }
        verdict.sentence
            = verdictSentence(stated, verdict.kind, verdict.computed, std::string(titleOf(*stated.line)));
        verdict.confirmsItself = verdict.kind <= VerdictKind::Both && isGiven(m_run, *stated.line);
        if (verdict.kind == VerdictKind::StatedTooLow || verdict.kind == VerdictKind::StatedTooHigh)
            explainDifference(verdict, stated, *line);
        verdict.isMislabelled = !stated.isBinary && verdict.kind == VerdictKind::Binary;
        if (verdict.isMislabelled)
            m_mislabelled.emplace_back(titleOf(*stated.line));
        m_figures.verdicts.push_back(std::move(verdict));
    }

    /// Believes the observed bytes, where they agree with the stated figure, more than the formula.
    void explainDifference(StatedVerdict& verdict, const StatedFigure& stated, const BudgetLine& line)
    {
        const std::string optimizer
            = line.name == BudgetLineName::OptimizerState ? fittingOptimizer(m_run, stated) : std::string();
        const ObservedBudget::Line* const observed = m_observed ? m_observed->find(line.name) : nullptr;
        if (observed && !observed->isShared && judgeFigure(stated, observed->bytes) <= VerdictKind::Both) {
            verdict.kind = VerdictKind::AsObserved;
            verdict.sentence = observedSentence(stated, observed->bytes, line);
            m_isContradicted = true;
        } else {
            (verdict.kind == VerdictKind::StatedTooLow ? m_tooLow : m_tooHigh).push_back(titleOf(line.name));
        }
        if (!optimizer.empty())
            verdict.sentence += fmt::format(
                "; {}{}", optimizer, verdict.kind == VerdictKind::AsObserved ? ": check `optimizer`" : "");
    }

    void judgeTotal(const StatedFigure& stated)
    {
        StatedVerdict verdict{.computed = m_hasLines ? m_sumOfStatedLines : m_budget.expected};
        verdict.kind = judgeFigure(stated, verdict.computed);
        verdict.sentence = verdictSentence(stated, verdict.kind, verdict.computed,
            m_hasLines ? "the total of the stated lines" : "the total", m_hasLines ? "their" : "the");
        const std::vector<std::string_view>& wrong
            = verdict.kind == VerdictKind::StatedTooLow ? m_tooLow : m_tooHigh;
        if ((verdict.kind == VerdictKind::StatedTooLow || verdict.kind == VerdictKind::StatedTooHigh)
            && !wrong.empty())
            m_figures.sentences.push_back(fmt::format(
                "the stated total of {} is {} the estimate because of {}", quotedText(stated.text),
                verdict.kind == VerdictKind::StatedTooLow ? "below" : "above", fmt::join(wrong, ", ")));
        addUnstatedLines(verdict.sentence, stated);
        m_figures.verdicts.push_back(std::move(verdict));
    }

    /// Adds a sentence on the lines in GB that equal the estimate in GiB.
    void nameMislabelled()
    {
        m_figures.sentences.push_back(fmt::format("the stated {} {} the estimate in GiB, not in GB",
            listText(m_mislabelled), m_mislabelled.size() == 1 ? "equals" : "equal"));
    }

    void addUnstatedLines(std::string& sentence, const StatedFigure& total)
    {
        std::vector<std::string> names;
        Bytes bytes = 0;
        for (const BudgetLine& line : m_budget.lines) {
            const bool isStated = std::ranges::any_of(
                m_run.stated, [&line](const StatedFigure& stated) { return stated.line == line.name; });
            if (m_hasLines && !isStated && line.likely() > 0) {
                names.emplace_back(titleOf(line.name));
                bytes += line.likely();
            }
        }
        if (!names.empty())
            sentence += fmt::format("; not counted: {} ({})", listText(names), inUnitsOf(total, bytes));
    }

    const RunShape& m_run;
    const Budget& m_budget;
    const ObservedBudget* m_observed; ///< may be null
    StatedFigures m_figures;
    bool m_isContradicted = false; ///< observed bytes contradict a formula
    Bytes m_sumOfStatedLines = 0;
    bool m_hasLines = false;
    std::vector<std::string_view> m_tooLow;
    std::vector<std::string_view> m_tooHigh;
    std::vector<std::string> m_mislabelled;
};

} // namespace

StatedFigures judgeStatedFigures(const RunShape& run, const Budget& budget, const ObservedBudget* observed)
{
    return StatedJudge(run, budget, observed).judge();
}

std::string formatDecimalBytes(Bytes bytes)
{
    const auto value = static_cast<double>(bytes);
    if (value < 1e3)
        return fmt::format("{} B", bytes);
    const auto in = [&](double unit) { return withoutZeros(fmt::format("{:.2f}", value / unit)); };
    if (value < 1e7)
        return in(1e6) + " MB";
    return value < 1e15 ? in(1e9) + " GB" : in(1e15) + " PB";
}

} // namespace highwater
