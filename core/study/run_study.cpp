#include "core/study/run_study.h"

#include <algorithm>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/detectors/rank_outlier.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/study/diagnosis/diagnose.h"

namespace highwater {

namespace {

std::optional<DeviceCapacity> believedCapacity(const RunParts& parts, const LoggedGpu& logged)
{
    if (parts.device->about().kind == DeviceKind::HostPinned)
        return std::nullopt; // a GPU's capacity is no limit for the host's memory
    return believableCapacity(
        parts.capacity, recordedCapacity(*parts.device, logged), parts.device->figures.reservedPeakBytes);
}

} // namespace

RunStudy::RunStudy(RunParts parts)
    : m_parts(std::move(parts))
    , m_ranks(std::make_shared<const Lazy<RankTable>>())
    , m_budget(std::make_shared<const Lazy<BudgetResult>>())
    , m_detected(std::make_shared<const Lazy<std::vector<Finding>>>())
{
    if (const DeviceStudy* deviceStudy = device()) {
        m_figures = deviceStudy->figures;
        m_logged = loggedGpu(*deviceStudy, m_parts.auxiliaryFiles);
        m_capacity = believedCapacity(m_parts, m_logged);
    } else {
        m_logs.push_back({m_parts.name, m_parts.trace, 0});
    }
    // As in `detectorInput`, a log that is the main file has the number 0.
    const std::size_t firstAuxiliary = device() ? 0 : 1;
    for (std::size_t i = 0; i < m_parts.auxiliaryFiles.size(); ++i)
        if (const AuxiliaryFile& auxiliary = m_parts.auxiliaryFiles[i]; isLog(*auxiliary.trace))
            m_logs.push_back({auxiliary.name, auxiliary.trace, firstAuxiliary + i});
}

std::shared_ptr<const RunStudy> RunStudy::withCapacity(std::optional<DeviceCapacity> capacity) const
{
    RunParts parts = m_parts;
    parts.capacity = std::move(capacity);
    const auto study = std::make_shared<RunStudy>(std::move(parts));
    study->m_ranks = m_ranks;
    return study;
}

std::shared_ptr<const RunStudy> RunStudy::withRanks(
    std::vector<std::shared_ptr<const RankFile>> ranks, std::optional<std::int64_t> rank) const
{
    RunParts parts = m_parts;
    parts.ranks = std::move(ranks);
    if (rank)
        parts.rank = rank;
    const auto study = std::make_shared<RunStudy>(std::move(parts));
    study->m_budget = m_budget;
    study->m_detected = m_detected;
    return study;
}

DetectorInput RunStudy::detectorInput() const
{
    DetectorInput input;
    if (device()) {
        input = DetectorInput(*device());
        input.capacity = m_capacity;
        input.cutOff = m_parts.cutOff;
    } else {
        input.auxiliaryFiles.push_back({m_parts.name, m_parts.trace});
    }
    input.auxiliaryFiles.insert(
        input.auxiliaryFiles.end(), m_parts.auxiliaryFiles.begin(), m_parts.auxiliaryFiles.end());
    input.settings = m_parts.settings;
    return input;
}

std::vector<Finding> RunStudy::withOutliers(std::vector<Finding> findings) const
{
    for (RankFinding& found : findRankOutliers(*ranks()))
        findings.push_back(std::move(found.finding));
    std::ranges::stable_sort(findings, comesBefore);
    return findings;
}

const RankTable* RunStudy::ranks() const
{
    if (m_parts.ranks.size() < 2)
        return nullptr;
    return &m_ranks->get([&] { return compareRanks(m_parts.ranks); });
}

const std::vector<Finding>& RunStudy::findings(const FindingSink& onFinding) const
{
    const std::vector<Finding>& detected
        = m_detected->get([&] { return findFindings(detectorInput(), onFinding, m_parts.sideBySide); });
    return ranks() ? m_findings.get([&] { return withOutliers(detected); }) : detected;
}

const Finding* RunStudy::finding(std::string_view rule) const
{
    const auto found = std::ranges::find(findings(), rule, &Finding::rule);
    return found == findings().end() ? nullptr : &*found;
}

const Finding* RunStudy::findingAt(const std::optional<std::size_t>& index) const
{
    return index ? &findings()[*index] : nullptr;
}

std::vector<const Finding*> RunStudy::inReadingOrder() const
{
    std::vector<const Finding*> order;
    for (const std::size_t i : readingOrder(findings(), diagnosis()))
        order.push_back(&findings()[i]);
    return order;
}

std::size_t RunStudy::faultCount() const
{
    return static_cast<std::size_t>(std::ranges::count(findings(), FindingKind::Fault, &Finding::kind));
}

const Diagnosis& RunStudy::diagnosis() const
{
    return m_diagnosis.get([&] {
        const std::optional<Bytes> capacity
            = m_capacity && !m_capacity->isLowerBound() ? std::optional(m_capacity->bytes) : std::nullopt;
        return diagnose({trace(), device(), m_figures, capacity, m_logs, findings(), ranks(), m_parts.rank,
            m_parts.cutOff});
    });
}

std::optional<DeviceCapacity> RunStudy::memoryLimit() const
{
    const bool isChosen = m_capacity && m_capacity->source == CapacitySource::Chosen;
    if (m_logged.processLimit && !isChosen)
        return DeviceCapacity{*m_logged.processLimit, CapacitySource::ProcessLimit, {}, -1};
    return m_capacity;
}

std::optional<GpuModel> RunStudy::chosenGpu() const
{
    const std::optional<DeviceCapacity>& chosen = m_parts.capacity;
    return chosen && chosen->source == CapacitySource::Chosen ? std::optional(gpuOfCapacity(*chosen))
                                                              : std::nullopt;
}

const RunStudy::BudgetResult& RunStudy::budgetResult() const
{
    return m_budget->get([&]() -> BudgetResult {
        if (!m_parts.shape && !device())
            return {};
        Result<BudgetStudy> study = m_parts.shape
            ? studyBudget({*m_parts.shape, {}, {}, chosenGpu()}, device(),
                device() ? findings() : std::vector<Finding>(), m_logged)
            : judgeGpus({}, *device(), findings(), chosenGpu(), m_logged);
        return study ? BudgetResult{*std::move(study), {}}
                     : BudgetResult{std::nullopt, toText(study.error())};
    });
}

const BudgetStudy* RunStudy::budget() const
{
    return m_parts.shape ? gpuFits() : nullptr;
}

const BudgetStudy* RunStudy::gpuFits() const
{
    const BudgetResult& result = budgetResult();
    return result.study ? &*result.study : nullptr;
}

const std::string& RunStudy::budgetTrouble() const
{
    static const std::string none;
    return m_parts.shape ? budgetResult().trouble : none;
}

} // namespace highwater
