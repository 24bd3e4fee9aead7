#include "core/analysis/budget/budget_study.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/analysis/budget/run_facts.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Takes the number of parameters from the device's memory if the configuration does not give it, and
/// computes the budget again.
void findParameters(BudgetStudy& study, const DeviceStudy& observed)
{
    const std::optional<ElementType> type = dtypeOf(study.run);
    if (study.budget.parameters || !type)
        return;
    study.run.parameters = observedParameterCount(observed, *type);
    if (!study.run.parameters)
        return;
    if (Result<Budget> budget = expectedBudget(study.run)) {
        study.budget = *std::move(budget);
        study.budget.assumptions.push_back(
            fmt::format("the number of parameters, {}, is taken from the sizes of blocks in the file",
                formatCount(*study.run.parameters)));
    }
}

/// Returns these and the common GPUs, smallest first.
std::vector<GpuModel> withCommonGpus(std::vector<GpuModel> gpus)
{
    for (const GpuModel& known : commonGpus())
        if (std::ranges::find(gpus, known.name, &GpuModel::name) == gpus.end())
            gpus.push_back(known);
    std::ranges::stable_sort(gpus, {}, &GpuModel::leastReported);
    return gpus;
}

/// Compares the bytes with the GPUs, and takes into account how an observed run went.
std::vector<GpuFit> judgedFits(const BudgetStudy& study, const std::vector<GpuModel>& gpus)
{
    if (!study.observed)
        return fitGpus(study.neededBytes(), gpus, study.leftOutOutsideBytes());
    std::vector<GpuFit> fits;
    for (const GpuModel& gpu : gpus) {
        const bool isNamed = study.hasNamedGpus
            && std::ranges::find(study.gpus, gpu.name, &GpuModel::name) != study.gpus.end();
        fits.push_back(
            fitRun(study.observed->needed, gpu, study.observed->outcome, study.run.outsideBytes, isNamed));
    }
    return fits;
}

/// Computes the grid of the what-if texts; without texts there is none.
Result<void> varySettings(BudgetStudy& study, const std::vector<std::string>& texts)
{
    std::vector<WhatIfAxis> axes;
    for (const std::string& text : texts) {
        Result<WhatIfAxis> axis = whatIfAxisFromText(text);
        if (!axis)
            return tl::unexpected(axis.error());
        axes.push_back(*std::move(axis));
    }
    if (axes.empty())
        return {};
    Result<WhatIfGrid> grid = whatIf(study.run, std::move(axes),
        study.observed ? activationsFactor(study.budget, *study.observed) : std::nullopt);
    if (!grid)
        return tl::unexpected(grid.error());
    study.whatIf = *std::move(grid);
    if (study.observed)
        study.whatIf->fromEarlierSteps = study.observed->fromEarlierSteps;
    return {};
}

} // namespace

Bytes BudgetStudy::neededBytes() const
{
    return observed ? observed->needed.most + run.outsideBytes.value_or(0) : budget.expected;
}

bool BudgetStudy::singlesOut(const std::string& gpu) const
{
    const GpuFit* const leading = leadingFit(observed ? &*observed : nullptr, fits);
    return (leading && leading->gpu == gpu)
        || (gpus.size() < allFits.size() && std::ranges::find(gpus, gpu, &GpuModel::name) != gpus.end());
}

std::vector<GpuFit> BudgetStudy::nearestFits() const
{
    constexpr int capacitiesAbove = 3;
    constexpr std::array<std::string_view, 3> rented{"A100 80", "H100 80", "H200"};
    Bytes largestTooSmall = 0;
    for (const GpuFit& fit : allFits)
        if (fit.shortBytes())
            largestTooSmall = std::max(largestTooSmall, fit.capacity);
    std::vector<GpuFit> nearest;
    int above = 0;
    Bytes last = 0;
    for (const GpuFit& fit : allFits) {
        const bool isAbove = fit.capacity > largestTooSmall;
        above += isAbove && fit.capacity != last;
        last = fit.capacity;
        const bool isNamed = hasNamedGpus && std::ranges::find(gpus, fit.gpu, &GpuModel::name) != gpus.end();
        if (isNamed || singlesOut(fit.gpu) || fit.capacity == largestTooSmall
            || (isAbove && above <= capacitiesAbove) || std::ranges::find(rented, fit.gpu) != rented.end())
            nearest.push_back(fit);
    }
    return nearest;
}

std::string BudgetStudy::otherGpus() const
{
    if (!observed || !hasNamedGpus)
        return {};
    std::string names;
    for (const GpuModel& gpu : gpus) {
        if (!observed->outcome.excludes(gpu))
            return {};
        names
            += (names.empty() ? "" : ", ") + fmt::format("{} ({})", gpu.name, formatBytes(gpu.leastReported));
    }
    return names;
}

std::string BudgetStudy::smallestGpu(Bytes needed) const
{
    for (const GpuFit& fit : allFits)
        if (fit.capacity - needed >= leftOutOutsideBytes())
            return fit.gpu;
    return {};
}

Result<BudgetStudy> studyBudget(const BudgetRequest& request, const DeviceStudy* observed,
    const std::vector<Finding>& findings, const LoggedGpu& logged)
{
    BudgetStudy study;
    study.run = request.run;
    const bool isChosen = request.chosen && request.gpus.empty();
    Result<std::vector<GpuModel>> gpus = isChosen
        ? std::vector{*request.chosen}
        : chooseGpus(request.gpus.empty() ? request.run.gpus : request.gpus);
    if (!gpus)
        return tl::unexpected(gpus.error());
    study.gpus = *std::move(gpus);
    study.hasNamedGpus = isChosen || !request.gpus.empty() || !request.run.gpus.empty();
    Result<Budget> budget = expectedBudget(study.run);
    if (!budget)
        return tl::unexpected(budget.error());
    study.budget = *std::move(budget);
    if (observed) {
        findParameters(study, *observed);
        study.observed = observedBudget(study.budget, study.run, *observed, findings, logged);
    }
    if (study.observed || !study.budget.lines.empty()) {
        study.fits = judgedFits(study, study.gpus);
        study.allFits = request.gpus.empty() ? judgedFits(study, withCommonGpus(study.gpus)) : study.fits;
    }
    study.stated = judgeStatedFigures(study.run, study.budget, study.observed ? &*study.observed : nullptr);
    if (const Result<void> varied = varySettings(study, request.whatIf); !varied)
        return tl::unexpected(varied.error());
    return study;
}

Result<BudgetStudy> judgeGpus(const std::vector<std::string>& gpus, const DeviceStudy& observed,
    const std::vector<Finding>& findings, const std::optional<GpuModel>& chosen, const LoggedGpu& logged)
{
    const DeviceKind kind = observed.about().kind;
    if (kind == DeviceKind::HostPinned || kind == DeviceKind::Cpu || observed.curve.peak().bytes == 0)
        return fail(
            ErrorCode::BadRequest, "has no GPU memory in use, so there is nothing to compare with GPUs");
    Result<BudgetStudy> study = studyBudget({{}, gpus, {}, chosen}, &observed, findings, logged);
    if (study) {
        study->budget = {};
        study->isOfConfiguration = false;
    }
    return study;
}

} // namespace highwater
