#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/observed_budget.h"

namespace highwater {

/// The result of comparing a stated figure with the formula.
struct StatedVerdict
{
    enum class Kind : std::uint8_t
    {
        Decimal, ///< the computed bytes round to it in units of 1000
        Binary, ///< the computed bytes round to it in units of 1024
        Both, ///< the computed bytes round to it in either units
        AsObserved, ///< the observed bytes round to it, the computed ones do not
        StatedTooLow, ///< below the computed bytes
        StatedTooHigh, ///< above the computed bytes
        NotComputed, ///< the budget has no such line
    };
    std::optional<BudgetLineName> line = {}; ///< not set for the total
    Kind kind = Kind::NotComputed;
    Bytes computed = 0; ///< for the total, the sum of the stated lines, or of all lines if none is stated
    std::string sentence = {};
    /// A line whose figure in GB equals the estimate in GiB; the sentence of the total, or one of
    /// `StatedFigures`, names all such lines.
    bool isMislabelled = false;
    /// The figure equals an estimate that the same configuration gives, so that the sentence tells nothing.
    bool confirmsItself = false;
};

/// Compares every figure stated in the run's configuration with the estimate, lines first and the total last.
/// The sentence of the total also names mixed units and lines that are not stated; a separate one the stated
/// lines that make the total low or high. "GB" may mean units of 1000 or 1024, "GiB" always means 1024. The
/// total is not judged if the observed bytes contradict a formula in it.
struct StatedFigures
{
    std::vector<StatedVerdict> verdicts;
    std::vector<std::string> sentences; ///< about several figures together
};

/// Compares the stated figures with the budget of the same run, and with its observed bytes, which may be
/// null. O(stated figures × lines).
StatedFigures judgeStatedFigures(
    const RunShape& run, const Budget& budget, const ObservedBudget* observed = nullptr);

/// Formats bytes in units of 1000, with up to two decimals: "0.64 GB". The units are B below 1000 bytes, MB
/// below 10 MB, then GB and PB.
std::string formatDecimalBytes(Bytes bytes);

} // namespace highwater
