#include "core/analysis/budget/budget_gap.h"

#include <cstdlib>

namespace highwater {

namespace {

/// A gap below this part of the observed total does not matter.
constexpr Bytes kLeastGapDivisor = 100;

/// True if the observed bytes are outside the range of the estimate and kLargeFactor away from it.
bool isFar(const BudgetLine& line, Bytes observedBytes)
{
    const auto observed = static_cast<double>(observedBytes);
    const auto expected = static_cast<double>(line.likely());
    const bool isInRange = observedBytes >= line.low() && observedBytes <= line.high();
    return !isInRange && (observed >= expected * kLargeFactor || expected >= observed * kLargeFactor);
}

} // namespace

std::string_view toText(WrongSide side)
{
    switch (side) {
    case WrongSide::Neither: return "neither";
    case WrongSide::Observed: return "observed";
    case WrongSide::Expected: break;
    }
    return "expected";
}

std::optional<BudgetGap> largestGap(const Budget& budget, const ObservedBudget& observed)
{
    BudgetGap largest;
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* const observedLine = observed.find(line.name);
        if (!observedLine)
            continue;
        const BudgetGap gap{line.name, line.likely(), observedLine->bytes};
        if (std::abs(gap.excess()) > std::abs(largest.excess()))
            largest = gap;
    }
    if (largest.excess() == 0 || std::abs(largest.excess()) < observed.total / kLeastGapDivisor)
        return std::nullopt;
    return largest;
}

std::optional<WrongSide> wrongSide(const BudgetLine& line, const ObservedBudget& observed)
{
    const ObservedBudget::Line* const observedLine = observed.find(line.name);
    if (!observedLine || !isFar(line, observedLine->bytes))
        return std::nullopt;
    const Bytes excess = observedLine->bytes - line.likely();
    if (std::abs(excess) < observed.total / kLeastGapDivisor)
        return std::nullopt;
    if (isExplainedByFault(*observedLine, excess)
        || (line.name == BudgetLineName::Activations && excess > 0
            && observed.fromEarlierSteps >= excess / 2))
        return WrongSide::Neither;
    return observedLine->isGuess ? WrongSide::Observed : WrongSide::Expected;
}

bool isExplainedByFault(const ObservedBudget::Line& line, Bytes excess)
{
    return excess > 0 && line.faultBytes > 0 && line.faultBytes >= excess / 2;
}

std::string likelyCause(const BudgetLine& line, const ObservedBudget& observed)
{
    const std::optional<WrongSide> side = wrongSide(line, observed);
    if (!side)
        return {};
    const ObservedBudget::Line& observedLine = *observed.find(line.name);
    switch (*side) {
    case WrongSide::Neither:
        return isExplainedByFault(observedLine, observedLine.bytes - line.likely())
            ? "part of the " + ruleWords(observedLine.fault)
            : "memory is kept from earlier steps";
    case WrongSide::Observed: return "the observed category is a guess";
    case WrongSide::Expected: break;
    }
    return !observedLine.otherOptimizer.empty() ? observedLine.otherOptimizer
                                                : "the line's settings or formula do not fit the run";
}

} // namespace highwater
