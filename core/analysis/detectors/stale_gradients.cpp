#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/categories/category_evidence.h"
#include "core/analysis/detectors/peak_saving.h"
#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Gradients below 1/kStaleDivisor of the peak are not reported.
constexpr std::int64_t kStaleDivisor = 100;

/// The way in which gradients are stale: alive in a forward that does not need them.
enum class StaleReason : std::uint8_t
{
    FreedUnused, ///< grade A: `zero_grad` frees it before anything uses it again
    AfterStep, ///< grade B: the optimizer has used it, and it stays alive
    CutOff, ///< grade C: allocated before the trace; no backward or optimizer follows the forward
    Kept, ///< grade C: allocated before the trace and alive at its end, after an optimizer has used it
};

/// One forward phase, and the gradients from before it that are alive at its highest moment and stale for the
/// given reason.
struct Forward
{
    PhaseRange range;
    CurvePeak peak;
    /// First event of the backward or optimizer that follows; the event count if there is none
    std::int64_t nextUse = 0;
    Bytes bytes = 0;
    std::vector<LifetimeCut> cuts;
};

std::vector<Forward> forwardsOf(const DeviceStudy& study)
{
    std::vector<Forward> forwards;
    std::int64_t nextUse = study.curve.eventCount();
    const std::vector<PhaseRange>& ranges = study.phases.ranges();
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
        if (range->phase == Phase::Backward || range->phase == Phase::Optimizer)
            nextUse = range->begin;
        else if (range->phase == Phase::Forward)
            forwards.push_back({*range, study.curve.peak(range->begin, range->end), nextUse, 0, {}});
    }
    std::ranges::reverse(forwards);
    return forwards;
}

class StaleGradients
{
public:
    explicit StaleGradients(const DeviceStudy& study)
        : m_study(study)
        , m_evidence(study.trace, study.allocations, study.phases, study.steps)
    {
        for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
            if (study.categories.of(i) == Category::Gradient)
                m_gradients.push_back(i);
        std::ranges::copy_if(study.phases.ranges(), std::back_inserter(m_optimizers),
            [](const PhaseRange& range) { return range.phase == Phase::Optimizer; });
    }

    /// Returns the forwards with gradients that are stale in this way, with a cut for each such gradient.
    std::vector<Forward> find(StaleReason reason) const
    {
        const AllocationTable& allocations = m_study.allocations;
        std::vector<Forward> found;
        std::vector<AllocationIndex> aliveGradients;
        auto next = m_gradients.begin(); // gradients and forwards both ascend by event
        for (Forward& forward : forwardsOf(m_study)) {
            for (; next != m_gradients.end() && allocations.birth(*next) < forward.range.begin; ++next)
                aliveGradients.push_back(*next);
            std::erase_if(aliveGradients,
                [&](AllocationIndex i) { return allocations.death(i) <= forward.peak.event; });
            for (const AllocationIndex i : aliveGradients)
                if (isStale(reason, i, forward)) {
                    forward.bytes += allocations.bytes(i);
                    forward.cuts.push_back({i, forward.range.begin - 1, forward.nextUse});
                }
            if (forward.bytes > 0)
                found.push_back(std::move(forward));
        }
        return found;
    }

private:
    bool isStale(StaleReason reason, AllocationIndex i, const Forward& forward) const
    {
        const AllocationTable& allocations = m_study.allocations;
        const bool freedUnused = m_evidence.deathRole(i).zeroGrad && allocations.death(i) <= forward.nextUse;
        switch (reason) {
        case StaleReason::FreedUnused: return freedUnused;
        case StaleReason::AfterStep:
            return !freedUnused && allocations.birth(i) >= 0
                && hasOptimizerBetween(allocations.birth(i), forward.range.begin);
        case StaleReason::CutOff:
            return !freedUnused && allocations.birth(i) < 0 && forward.nextUse == m_study.curve.eventCount();
        case StaleReason::Kept: break;
        }
        return allocations.birth(i) < 0 && allocations.death(i) >= m_study.curve.eventCount()
            && hasOptimizerBetween(forward.nextUse, m_study.curve.eventCount());
    }

    bool hasOptimizerBetween(std::int64_t after, std::int64_t before) const
    {
        const auto next = std::ranges::upper_bound(m_optimizers, after, {}, &PhaseRange::begin);
        return next != m_optimizers.end() && next->end <= before;
    }

    const DeviceStudy& m_study;
    CategoryEvidence m_evidence;
    std::vector<AllocationIndex> m_gradients;
    std::vector<PhaseRange> m_optimizers; ///< in order of events
};

void explainStaleness(StaleReason reason, const Forward& worst, Finding& finding)
{
    const std::string bytes = formatBytes(finding.bytes);
    switch (reason) {
    case StaleReason::FreedUnused:
        finding.grade = Grade::A;
        finding.title
            = fmt::format("zero_grad() runs too late: {} of gradients is in use during forward", bytes);
        finding.remedy.action
            = "Call optimizer.zero_grad() right after optimizer.step(), or before the forward";
        finding.wouldDisprove = "Wrong if code reads the gradients between the forward and zero_grad()";
        finding.addEvidence(EventRange{worst.range.begin, worst.nextUse},
            "zero_grad() frees the gradients only after the forward's peak, and nothing uses them until "
            "then");
        return;
    case StaleReason::AfterStep:
        finding.grade = Grade::B;
        finding.title
            = fmt::format("Gradients are never freed between steps: {} is in use during forward", bytes);
        finding.remedy.action = "Call optimizer.zero_grad(set_to_none=True) after optimizer.step()";
        finding.wouldDisprove = "Wrong if code reads the gradients after the optimizer's step";
        finding.addEvidence(EventTarget{worst.range.begin},
            "The optimizer has used the gradients, and nothing frees them before the next forward");
        return;
    case StaleReason::Kept:
        finding.grade = Grade::C;
        finding.title = fmt::format(
            "Are gradients never freed? {} is older than the recording and outlives the optimizer's step",
            bytes);
        finding.remedy.action = "Call optimizer.zero_grad(set_to_none=True) after optimizer.step()";
        finding.wouldDisprove = "Wrong if code sets them to zero in place, or reads them after the step";
        finding.addEvidence(EventTarget{worst.range.begin},
            "The gradients are in use during forward, backward adds to them, and nothing frees them after "
            "the "
            "optimizer's step");
        return;
    case StaleReason::CutOff: break;
    }
    finding.grade = Grade::C;
    finding.title
        = fmt::format("Are {} of gradients from before the recording still needed during forward?", bytes);
    finding.remedy.action = "Unless you accumulate gradients, call optimizer.zero_grad() before the forward";
    finding.wouldDisprove = "Wrong if you accumulate gradients: the next backward adds to them";
    finding.addEvidence(EventTarget{worst.range.begin},
        "The gradients were allocated before recording began, and the recording ends before a backward uses "
        "them");
}

} // namespace

std::vector<Finding> findStaleGradients(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const StaleGradients gradients(study);
    for (const StaleReason reason :
        {StaleReason::FreedUnused, StaleReason::AfterStep, StaleReason::CutOff, StaleReason::Kept}) {
        const std::vector<Forward> found = gradients.find(reason);
        if (found.empty())
            continue;
        const Forward& worst = *std::ranges::max_element(
            found, {}, [](const Forward& forward) { return std::pair(forward.bytes, forward.peak.bytes); });
        std::vector<LifetimeCut> cuts;
        for (const Forward& forward : found)
            cuts.insert(cuts.end(), forward.cuts.begin(), forward.cuts.end());
        PeakSaving saved = peakSaving(study, cuts);
        if (worst.bytes < input.figures.peakBytes / kStaleDivisor
            || (saved.bytes == 0 && reason != StaleReason::Kept))
            continue;
        Finding finding = findingAt(input, worst.peak.event, "stale-gradients", Grade::A,
            saved.bytes > 0 ? FindingKind::Fault : FindingKind::Fact);
        finding.bytes = worst.bytes;
        std::vector<AllocationIndex> blocks;
        for (const LifetimeCut& cut : worst.cuts)
            blocks.push_back(cut.allocation);
        explainStaleness(reason, worst, finding);
        finding.addEvidence(AllocationsTarget{blocks},
            "The gradients are in {}, in use when the forward peaks at {}",
            counted(blocks.size(), "allocation", "allocations"), formatBytes(worst.peak.bytes));
        finding.remedy = {finding.remedy.action, std::move(saved)};
        return {std::move(finding)};
    }
    return {};
}

} // namespace highwater
