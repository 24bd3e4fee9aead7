#include "core/analysis/budget/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/run_facts.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 10> kAxes = {"batch", "group", "seq_len", "vocab", "dtype",
    "logits_dtype", "logits_copies", "optimizer", "checkpointing", "attention"};

constexpr double kLargestBytes = 9e18;

tl::unexpected<Error> badRequest(const std::string& sentence)
{
    return fail(ErrorCode::BadRequest, sentence);
}

std::vector<std::string> splitAtCommas(const std::string& text)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t comma = 0; comma != std::string::npos; from = comma + 1) {
        comma = text.find(',', from);
        parts.push_back(text.substr(from, comma == std::string::npos ? comma : comma - from));
    }
    return parts;
}

/// Sets the number of micro-steps, at least one, so that an optimizer step has at least as many sequences as
/// before.
void keepEffectiveBatch(RunShape& run, WhatIfCase& one, std::optional<std::int64_t> wanted)
{
    RunShape single = run;
    single.accumulation = 1;
    const std::optional<std::int64_t> each = effectiveBatch(single);
    if (!wanted || !each)
        return;
    run.accumulation = std::max<std::int64_t>(1, *wanted / *each + (*wanted % *each == 0 ? 0 : 1));
    one.accumulation = run.accumulation;
    one.effectiveBatch = effectiveBatch(run);
    one.keepsEffectiveBatch = one.effectiveBatch == wanted;
}

/// Returns a number proportional to the bytes of one forward: tokens × bytes of an element.
std::optional<double> forwardSize(const RunShape& run)
{
    const std::optional<Formula> sequences = sequencesOf(run);
    const std::optional<ElementType> type = activationTypeOf(run);
    if (!sequences || sequences->overflows() || !run.sequence || !type)
        return std::nullopt;
    return static_cast<double>(sequences->value()) * static_cast<double>(*run.sequence)
        * static_cast<double>(bytesOf(*type).numerator);
}

/// Scales activations that the configuration gives in bytes, because these belong to the unmodified run.
void scaleGivenActivations(RunShape& changed, const RunShape& run)
{
    const std::optional<double> before = forwardSize(run);
    const std::optional<double> after = forwardSize(changed);
    if (!run.activationsBytes || !before || !after)
        return;
    const double scaled = static_cast<double>(*run.activationsBytes) * (*after / *before);
    changed.activationsBytes = std::llround(std::min(scaled, kLargestBytes));
}

Bytes scaled(Bytes bytes, double factor)
{
    return std::llround(std::min(static_cast<double>(bytes) * factor, kLargestBytes));
}

/// Replaces the activations `before` in the sum by `after`; saturates on overflow.
Bytes replaced(Bytes sum, Bytes before, Bytes after)
{
    const Formula whole = Formula(sum - before) + Formula(after);
    return whole.overflows() ? std::numeric_limits<Bytes>::max() : whole.value();
}

void calibrate(WhatIfCase& one, double factor)
{
    one.low = one.budget.low;
    one.expected = one.budget.expected;
    one.high = one.budget.high;
    const BudgetLine* const line = one.budget.find(BudgetLineName::Activations);
    if (!line)
        return;
    one.activations = scaled(line->likely(), factor);
    one.low = replaced(one.low, line->low(), scaled(line->low(), factor));
    one.expected = replaced(one.expected, line->likely(), one.activations);
    one.high = replaced(one.high, line->high(), scaled(line->high(), factor));
}

Result<WhatIfCase> caseOf(const RunShape& run, const WhatIfGrid& grid, const std::vector<std::size_t>& chosen)
{
    WhatIfCase one;
    RunShape changed = run;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis) {
        const WhatIfAxis& of = grid.axes[axis];
        one.values.push_back(of.values[chosen[axis]]);
        if (of.key == "dtype")
            for (ModelCopy& copy : changed.copies)
                copy.dtype.reset();
        Result<RunShape> with = withSetting(std::move(changed), of.key, one.values.back());
        if (!with)
            return badRequest("--what-if: " + with.error().message);
        changed = *std::move(with);
    }
    keepEffectiveBatch(changed, one, grid.effectiveBatch);
    scaleGivenActivations(changed, run);
    Result<Budget> budget = expectedBudget(changed);
    if (!budget)
        return badRequest("--what-if: " + budget.error().message);
    one.budget = *std::move(budget);
    calibrate(one, grid.activationsFactor.value_or(1));
    return one;
}

/// Sets `chosen` to the next combination of values; returns false after the last.
bool advance(std::vector<std::size_t>& chosen, const std::vector<WhatIfAxis>& axes)
{
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        if (++chosen[axis] < axes[axis].values.size())
            return true;
        chosen[axis] = 0;
    }
    return false;
}

} // namespace

Result<WhatIfAxis> whatIfAxisFromText(const std::string& text)
{
    const std::size_t sign = text.find('=');
    WhatIfAxis axis{text.substr(0, sign), {}};
    if (std::ranges::find(kAxes, std::string_view(axis.key)) == kAxes.end())
        return badRequest(fmt::format(
            "--what-if: \"{}\" cannot be varied (known: {})", quotedText(axis.key), fmt::join(kAxes, ", ")));
    if (sign != std::string::npos)
        axis.values = splitAtCommas(text.substr(sign + 1));
    if (axis.values.empty() || std::ranges::any_of(axis.values, &std::string::empty))
        return badRequest(fmt::format("--what-if: {} needs values, as in {}=1,2,4", axis.key, axis.key));
    return axis;
}

Result<WhatIfGrid> whatIf(
    const RunShape& run, std::vector<WhatIfAxis> axes, std::optional<double> activationsFactor)
{
    WhatIfGrid grid;
    grid.effectiveBatch = effectiveBatch(run);
    grid.activationsFactor = activationsFactor;
    const Result<WhatIfCase> asItIs = caseOf(run, grid, {});
    if (!asItIs)
        return tl::unexpected(asItIs.error());
    grid.expected = asItIs->expected;
    grid.axes = std::move(axes);
    std::size_t cases = 1;
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        for (std::size_t before = 0; before < i; ++before)
            if (grid.axes[before].key == grid.axes[i].key)
                return badRequest(fmt::format("--what-if: {} is given twice", grid.axes[i].key));
        cases *= std::min(grid.axes[i].values.size(), kMostWhatIfCases + 1);
        if (cases == 0 || cases > kMostWhatIfCases)
            return badRequest(
                fmt::format("--what-if: there are more than {} combinations", kMostWhatIfCases));
    }
    std::vector<std::size_t> chosen(grid.axes.size(), 0);
    do {
        Result<WhatIfCase> one = caseOf(run, grid, chosen);
        if (!one)
            return tl::unexpected(one.error());
        grid.cases.push_back(*std::move(one));
    } while (advance(chosen, grid.axes));
    return grid;
}

} // namespace highwater
