#include "core/study/run_study.h"

#include <algorithm>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/detectors/rank_outlier.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/ranks/rank_comparison.h"

namespace highwater {

namespace {

std::optional<DeviceCapacity> capacityOf(const RunParts& parts, const DeviceFigures& figures)
{
    const std::optional<DeviceCapacity> known
        = knownCapacity(parts.device->about(), figures.ooms, parts.device->curve);
    return parts.device->about().kind == DeviceKind::HostPinned
        ? known // a GPU's capacity says nothing about the host's memory
        : believableCapacity(parts.capacity, known, figures.reservedPeakBytes);
}

} // namespace

RunStudy::RunStudy(RunParts parts)
    : RunStudy(std::move(parts), std::make_shared<const Shared>())
{
}

RunStudy::RunStudy(RunParts parts, std::shared_ptr<const Shared> shared)
    : m_parts(std::move(parts))
    , m_shared(std::move(shared))
{
    if (const DeviceStudy* of = device()) {
        m_figures = figuresInQuantityOf(of->allocations, of->curve, deviceFigures(of->trace, of->device));
        m_capacity = capacityOf(m_parts, *m_figures);
    } else {
        m_logs.push_back({m_parts.name, m_parts.trace});
    }
    for (const CompanionFile& companion : m_parts.companions)
        if (isLog(*companion.trace))
            m_logs.push_back({companion.name, companion.trace});
}

std::shared_ptr<const RunStudy> RunStudy::withCapacity(std::optional<DeviceCapacity> capacity) const
{
    RunParts parts = m_parts;
    parts.capacity = std::move(capacity);
    return std::shared_ptr<const RunStudy>(new RunStudy(std::move(parts), m_shared));
}

DetectorInput RunStudy::detectorInput() const
{
    DetectorInput input;
    if (device()) {
        input = DetectorInput(*device());
        input.capacity = m_capacity;
        input.cutOff = m_parts.cutOff;
    } else {
        input.companions.push_back({m_parts.name, m_parts.trace});
    }
    input.companions.insert(input.companions.end(), m_parts.companions.begin(), m_parts.companions.end());
    input.settings = m_parts.settings;
    return input;
}

std::vector<Finding> RunStudy::findAll() const
{
    std::vector<Finding> findings = findFindings(detectorInput());
    if (const RankTable* table = ranks())
        for (RankFinding& found : findRankOutliers(*table))
            findings.push_back(std::move(found.finding));
    std::ranges::stable_sort(findings, comesBefore);
    return findings;
}

const RankTable* RunStudy::ranks() const
{
    if (m_parts.ranks.size() < 2)
        return nullptr;
    return &m_shared->ranks.get([&] { return compareRanks(m_parts.ranks); });
}

const std::vector<Finding>& RunStudy::findings() const
{
    return m_findings.get([&] { return findAll(); });
}

const Finding* RunStudy::finding(std::string_view rule) const
{
    const auto found = std::ranges::find(findings(), rule, &Finding::rule);
    return found == findings().end() ? nullptr : &*found;
}

const RunStudy::Budgeted& RunStudy::budgeted() const
{
    return m_shared->budget.get([&]() -> Budgeted {
        if (!m_parts.shape)
            return {};
        Result<BudgetStudy> made = studyBudget({*m_parts.shape, {}, {}}, device());
        return made ? Budgeted{*std::move(made), {}} : Budgeted{std::nullopt, toText(made.error())};
    });
}

const BudgetStudy* RunStudy::budget() const
{
    const Budgeted& known = budgeted();
    return known.study ? &*known.study : nullptr;
}

const std::string& RunStudy::budgetTrouble() const
{
    return budgeted().trouble;
}

} // namespace highwater
