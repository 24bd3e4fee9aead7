#include "core/analysis/steps/folded_steps.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/interruption.h"
#include "core/base/median.h"

namespace highwater {

namespace {

constexpr std::int64_t kMaxDeviations = 3;
constexpr std::int64_t kAlikeShare = 100; ///< peaks that differ by less than a hundredth are alike

/// Returns the value below which this many tenths of the values are. Reorders the values.
Bytes tenthOf(std::vector<Bytes>& values, std::size_t tenths)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * tenths / 10);
    std::ranges::nth_element(values, at);
    return *at;
}

/// Returns the step's largest total in a column, above its start. A step with fewer events than columns shows
/// each event in several.
Bytes bytesInColumn(const UsageCurve& curve, const Step& step, std::size_t column)
{
    constexpr auto columns = static_cast<std::int64_t>(FoldedSteps::kColumns);
    const std::int64_t events = step.end - step.begin;
    const auto at = static_cast<std::int64_t>(column);
    const std::int64_t first = step.begin + at * events / columns;
    return curve.peak(first, std::max(first + 1, step.begin + (at + 1) * events / columns)).bytes
        - step.startBytes;
}

/// Returns the indices of the counted, complete steps with events.
std::vector<std::size_t> completeSteps(const StepTable& table)
{
    std::vector<std::size_t> complete;
    for (std::size_t i = 0; i < table.steps.size(); ++i)
        if (const Step& step = table.steps[i]; step.isCountedAndComplete() && step.end > step.begin)
            complete.push_back(i);
    return complete;
}

/// Finds the outliers among the steps and sets the median of the peaks.
void findOutliers(FoldedSteps& folded, const StepTable& table, const std::vector<std::size_t>& steps)
{
    std::vector<Bytes> values;
    for (const std::size_t i : steps)
        values.push_back(table.steps[i].peakBytes);
    folded.medianPeak = median(values);
    const auto distance
        = [&](const FoldedSteps::Outlier& step) { return std::abs(step.peakBytes - folded.medianPeak); };
    for (Bytes& value : values)
        value = std::abs(value - folded.medianPeak);
    const Bytes usual = std::max(kMaxDeviations * median(values), folded.medianPeak / kAlikeShare);
    std::vector<FoldedSteps::Outlier>& found = folded.outliers;
    for (const std::size_t i : steps)
        if (FoldedSteps::Outlier step{i, table.steps[i].peakBytes, {}}; distance(step) > usual)
            found.push_back(std::move(step));
    std::ranges::stable_sort(found, std::greater<>(), distance);
    found.resize(std::min(found.size(), FoldedSteps::kMaxOutliers));
    std::ranges::sort(found, {}, &FoldedSteps::Outlier::step);
}

} // namespace

std::optional<FoldedSteps> foldedSteps(const UsageCurve& curve, const StepTable& table)
{
    const std::vector<std::size_t> steps = completeSteps(table);
    if (table.source == StepSource::Whole || steps.size() < FoldedSteps::kFewestSteps)
        return std::nullopt;
    FoldedSteps folded;
    folded.steps = steps.size();
    findOutliers(folded, table, steps);
    std::vector<Bytes> values(steps.size());
    for (std::size_t column = 0; column < FoldedSteps::kColumns; ++column) {
        interruptionPoint();
        std::ranges::transform(steps, values.begin(),
            [&](std::size_t i) { return bytesInColumn(curve, table.steps[i], column); });
        folded.lower.push_back(tenthOf(values, 1));
        folded.median.push_back(median(values));
        folded.upper.push_back(tenthOf(values, 9));
        for (FoldedSteps::Outlier& outlier : folded.outliers)
            outlier.columns.push_back(bytesInColumn(curve, table.steps[outlier.step], column));
    }
    return folded;
}

} // namespace highwater
