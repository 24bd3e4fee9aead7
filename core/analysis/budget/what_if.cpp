#include "core/analysis/budget/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/budget/budget_sentences.h"
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
void keepEffectiveBatch(RunShape& run, WhatIfCase& variant, std::optional<std::int64_t> sequencesPerStep)
{
    RunShape withoutAccumulation = run;
    withoutAccumulation.accumulation = 1;
    const std::optional<std::int64_t> sequencesPerMicroStep = effectiveBatch(withoutAccumulation);
    if (!sequencesPerStep || !sequencesPerMicroStep)
        return;
    run.accumulation = std::max<std::int64_t>(1,
        *sequencesPerStep / *sequencesPerMicroStep
            + (*sequencesPerStep % *sequencesPerMicroStep == 0 ? 0 : 1));
    variant.accumulation = run.accumulation;
    variant.effectiveBatch = effectiveBatch(run);
    variant.keepsEffectiveBatch = variant.effectiveBatch == sequencesPerStep;
}

/// Returns a number proportional to the bytes of one forward: tokens × bytes of an element.
std::optional<double> forwardSize(const RunShape& run)
{
    const std::optional<Formula> sequences = sequencesPerForward(run);
    const std::optional<ElementType> type = activationType(run);
    if (!sequences || sequences->overflows() || !run.sequence || !type)
        return std::nullopt;
    return static_cast<double>(sequences->value()) * static_cast<double>(*run.sequence)
        * static_cast<double>(bytesOf(*type).numerator);
}

/// Scales activations that the configuration gives in bytes, because these belong to the unmodified run.
void scaleGivenActivations(RunShape& changed, const RunShape& run)
{
    const std::optional<double> oldSize = forwardSize(run);
    const std::optional<double> newSize = forwardSize(changed);
    if (!run.activationsBytes || !oldSize || !newSize)
        return;
    const double scaled = static_cast<double>(*run.activationsBytes) * (*newSize / *oldSize);
    changed.activationsBytes = std::llround(std::min(scaled, kLargestBytes));
}

/// Multiplies bytes by a factor; the result is at most kLargestBytes.
Bytes scaled(Bytes bytes, double factor)
{
    return std::llround(std::min(static_cast<double>(bytes) * factor, kLargestBytes));
}

/// Replaces the activations `oldPart` in the sum by `newPart`; saturates on overflow.
Bytes withReplacedPart(Bytes sum, Bytes oldPart, Bytes newPart)
{
    const Formula newSum = Formula(sum - oldPart) + Formula(newPart);
    return newSum.overflows() ? std::numeric_limits<Bytes>::max() : newSum.value();
}

/// Sets the bytes of the case from its budget, with the activations multiplied by the factor.
void calibrate(WhatIfCase& variant, double factor)
{
    variant.low = variant.budget.low;
    variant.expected = variant.budget.expected;
    variant.high = variant.budget.high;
    const BudgetLine* const line = variant.budget.find(BudgetLineName::Activations);
    if (!line)
        return;
    variant.activations = scaled(line->likely(), factor);
    variant.low = withReplacedPart(variant.low, line->low(), scaled(line->low(), factor));
    variant.expected = withReplacedPart(variant.expected, line->likely(), variant.activations);
    variant.high = withReplacedPart(variant.high, line->high(), scaled(line->high(), factor));
}

/// Computes the case with the chosen value of each axis.
Result<WhatIfCase> computeCase(
    const RunShape& run, const WhatIfGrid& grid, const std::vector<std::size_t>& chosen)
{
    WhatIfCase variant;
    RunShape changed = run;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis) {
        const WhatIfAxis& axisToVary = grid.axes[axis];
        variant.values.push_back(axisToVary.values[chosen[axis]]);
        if (axisToVary.key == "dtype")
            for (ModelCopy& copy : changed.copies)
                copy.dtype.reset();
        Result<RunShape> modified = withSetting(std::move(changed), axisToVary.key, variant.values.back());
        if (!modified)
            return badRequest("--what-if: " + modified.error().message);
        changed = *std::move(modified);
    }
    keepEffectiveBatch(changed, variant, grid.effectiveBatch);
    scaleGivenActivations(changed, run);
    Result<Budget> budget = expectedBudget(changed);
    if (!budget)
        return badRequest("--what-if: " + budget.error().message);
    variant.budget = *std::move(budget);
    calibrate(variant, grid.activationsFactor.value_or(1));
    return variant;
}

bool areEqual(const WhatIfCase& a, const WhatIfCase& b)
{
    return a.low == b.low && a.expected == b.expected && a.high == b.high;
}

/// True if no case differs from the one with the axis's first value, all else being equal; for a single value
/// of a single axis, if the case does not differ from what is configured. False for a single value beside
/// other axes, whose effect cannot be told.
bool isWithoutEffect(const WhatIfGrid& grid, std::size_t axis)
{
    const std::size_t valueCount = grid.axes[axis].values.size();
    if (valueCount == 1)
        return grid.axes.size() == 1 && areEqual(grid.cases.front(), grid.asConfigured);
    std::size_t stride = 1; // between cases with successive values of the axis
    for (std::size_t later = axis + 1; later < grid.axes.size(); ++later)
        stride *= grid.axes[later].values.size();
    for (std::size_t i = 0; i < grid.cases.size(); ++i)
        if (!areEqual(grid.cases[i], grid.cases[i - i / stride % valueCount * stride]))
            return false;
    return true;
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
    Result<WhatIfCase> unmodified = computeCase(run, grid, {});
    if (!unmodified)
        return tl::unexpected(unmodified.error());
    grid.asConfigured = *std::move(unmodified);
    grid.axes = std::move(axes);
    std::size_t cases = 1;
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        for (std::size_t earlier = 0; earlier < i; ++earlier)
            if (grid.axes[earlier].key == grid.axes[i].key)
                return badRequest(fmt::format("--what-if: {} is given twice", grid.axes[i].key));
        cases *= std::min(grid.axes[i].values.size(), kMaxWhatIfCases + 1);
        if (cases == 0 || cases > kMaxWhatIfCases)
            return badRequest(fmt::format("--what-if: there are more than {} combinations", kMaxWhatIfCases));
    }
    std::vector<std::size_t> chosen(grid.axes.size(), 0);
    do {
        Result<WhatIfCase> variant = computeCase(run, grid, chosen);
        if (!variant)
            return tl::unexpected(variant.error());
        grid.cases.push_back(*std::move(variant));
    } while (advance(chosen, grid.axes));
    return grid;
}

std::vector<std::string> whatIfNotes(const WhatIfGrid& grid)
{
    std::vector<std::string> notes;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        if (isWithoutEffect(grid, axis))
            notes.push_back(fmt::format(
                "{} changes nothing: no line of the estimate depends on it here", grid.axes[axis].key));
    if (grid.effectiveBatch)
        notes.push_back(
            fmt::format("the effective batch of the run is {}", formatCount(*grid.effectiveBatch)));
    if (grid.activationsFactor)
        notes.push_back(fmt::format("activations are scaled by observed / expected = {}{}, so \"as "
                                    "configured\" differs from the estimate",
            formatRatio(*grid.activationsFactor),
            *grid.activationsFactor > 2 ? ", more than one forward needs" : ""));
    return notes;
}

} // namespace highwater
