#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget.h"

namespace highwater {

/// The result of comparing a stated figure with the formula.
struct StatedVerdict
{
    enum class Kind : std::uint8_t
    {
        Decimal, ///< correct to its digits, with units of 1000
        Binary, ///< correct to its digits, with units of 1024
        Both,
        Low,
        High,
        NotComputed, ///< the budget has no such line
    };
    std::optional<BudgetLineName> line; ///< absent: the total
    Kind kind = Kind::NotComputed;
    Bytes computed = 0; ///< of the total: Σ of the lines that are stated, of all lines where none is
    std::string sentence;
};

/// Every figure stated in the run's configuration, lines first and the total last; then, as sentences of
/// their own, units that are mixed and which of the stated lines makes the total low or high. A figure is
/// right where the computed bytes round to it in 1000s or 1024s; "GiB" always means 1024.
struct StatedFigures
{
    std::vector<StatedVerdict> verdicts;
    std::vector<std::string> sentences; ///< about several figures together
};

StatedFigures judgeStated(const RunShape& run, const Budget& budget);

/// "0.64 GB": units of 1000, two digits. Gigabytes from 10 MB on, as people write them down.
std::string formatDecimalBytes(Bytes bytes);

} // namespace highwater
