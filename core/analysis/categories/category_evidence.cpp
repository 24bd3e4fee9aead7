#include "core/analysis/categories/category_evidence.h"

#include <algorithm>

namespace highwater {

namespace {

/// A program that allocates this many blocks after a failed request has caught the failure and goes on. Fewer
/// allocations may come from reporting the failure.
constexpr std::int64_t kBirthsThatGoOn = 16;

} // namespace

CategoryEvidence::CategoryEvidence(
    const Trace& trace, const AllocationTable& allocations, const PhaseTable& phases, const StepTable& steps)
    : m_trace(trace)
    , m_allocations(allocations)
    , m_ranges(phases.ranges())
    , m_roles(trace)
    , m_traits(trace)
    , m_rangeOf(static_cast<std::size_t>(allocations.eventCount()), 0)
{
    for (std::size_t r = 0; r < m_ranges.size(); ++r) {
        std::fill(m_rangeOf.begin() + m_ranges[r].begin, m_rangeOf.begin() + m_ranges[r].end,
            static_cast<std::uint32_t>(r));
        const std::optional<std::size_t> step = steps.stepOf(m_ranges[r].begin);
        m_stepOf.push_back(step && steps.source != StepSource::Whole ? static_cast<std::int64_t>(*step) : -1);
        m_runsUpTo.push_back(
            (r == 0 ? 0 : m_runsUpTo.back()) + (runsForwardOfModel(m_ranges[r].phase) ? 1 : 0));
    }
    findUnwinding();
}

void CategoryEvidence::findUnwinding()
{
    const Action* actions
        = m_trace.events.action.data() + m_trace.devices[m_allocations.device()].events.first;
    const std::int64_t count = m_allocations.eventCount();
    std::int64_t birthsSince = kBirthsThatGoOn;
    for (std::int64_t event = 0; event < count; ++event) {
        if (isAllocationAction(actions[event])) {
            m_lastBirth = event;
            if (++birthsSince == kBirthsThatGoOn)
                m_unwinding.back().last = event;
        } else if (actions[event] == Action::Oom) {
            if (birthsSince >= kBirthsThatGoOn)
                m_unwinding.push_back({event, count});
            birthsSince = 0;
        }
    }
}

bool CategoryEvidence::isUnwound(AllocationIndex i) const
{
    const std::int64_t death = m_allocations.death(i);
    const auto failure = std::ranges::upper_bound(m_unwinding, death, {}, &EventRange::last);
    if (failure != m_unwinding.end() && failure->first <= death)
        return m_allocations.birth(i) < failure->first;
    if (death <= m_lastBirth || death - m_allocations.birth(i) <= kEventsOfAnOperator)
        return false;
    const StackRole role = deathRole(i);
    const bool isFreedByEngine = !role.hasPython && range(death).phase == Phase::Backward;
    return !isFreedByEngine && !role.zeroGrad && role.phase != Phase::Backward
        && role.phase != Phase::Optimizer;
}

bool CategoryEvidence::isFreed(AllocationIndex i) const
{
    return m_allocations.death(i) != AllocationTable::kNeverFreed && !isUnwound(i);
}

Phase CategoryEvidence::birthPhase(AllocationIndex i) const
{
    return isOlder(i) || m_ranges.empty() ? Phase::Unknown : range(m_allocations.birth(i)).phase;
}

Phase CategoryEvidence::deathPhase(AllocationIndex i) const
{
    return isFreed(i) && !m_ranges.empty() ? range(m_allocations.death(i)).phase : Phase::Unknown;
}

bool CategoryEvidence::diesInItsPhase(AllocationIndex i) const
{
    return !isOlder(i) && isFreed(i) && rangeOf(m_allocations.birth(i)) == rangeOf(m_allocations.death(i));
}

bool CategoryEvidence::diesAtOnce(AllocationIndex i) const
{
    return isFreed(i) && m_allocations.death(i) - m_allocations.birth(i) <= kEventsOfAnOperator;
}

bool CategoryEvidence::diesInItsStep(AllocationIndex i) const
{
    if (isOlder(i) || !isFreed(i) || m_stepOf.empty())
        return false;
    const std::int64_t step = m_stepOf[rangeOf(m_allocations.birth(i))];
    return step >= 0 && step == m_stepOf[rangeOf(m_allocations.death(i))];
}

bool CategoryEvidence::isFreedBeforeNextModelCall(AllocationIndex i) const
{
    if (isOlder(i) || !isFreed(i) || m_stepOf.empty())
        return false;
    const std::uint32_t deathRange = rangeOf(m_allocations.death(i));
    if (m_stepOf[deathRange] != m_stepOf[rangeOf(m_allocations.birth(i))] + 1)
        return false;
    std::uint32_t range = deathRange;
    while (range > 0 && m_stepOf[range] == m_stepOf[deathRange] && !runsForwardOfModel(m_ranges[range].phase))
        --range;
    return m_stepOf[range] != m_stepOf[deathRange];
}

bool CategoryEvidence::isUsedByModelCall(AllocationIndex i) const
{
    if (isOlder(i) || !isFreed(i) || m_stepOf.empty())
        return false;
    const std::uint32_t birthRange = rangeOf(m_allocations.birth(i));
    const std::uint32_t deathRange = rangeOf(m_allocations.death(i));
    return m_runsUpTo[birthRange] < m_runsUpTo[deathRange]
        && m_stepOf[deathRange] - m_stepOf[birthRange] <= 1;
}

bool CategoryEvidence::outlivesSetUp(AllocationIndex i) const
{
    if (!isFreed(i) || !hasBirthStack(i) || m_stepOf.empty())
        return false;
    const bool isFromSetUp = isOlder(i) || m_runsUpTo[rangeOf(m_allocations.birth(i))] == 0;
    return isFromSetUp && m_stepOf[rangeOf(m_allocations.death(i))] >= 2;
}

bool CategoryEvidence::isConsumedByBackward(AllocationIndex i) const
{
    return deathPhase(i) == Phase::Backward && !diesInItsPhase(i) && !deathRole(i).hasPython;
}

bool CategoryEvidence::isAfterFirstBackward(std::int64_t event) const
{
    const auto first = std::ranges::find(m_ranges, Phase::Backward, &PhaseRange::phase);
    return first != m_ranges.end() && first->begin < event;
}

bool CategoryEvidence::isReducedGradient(AllocationIndex i) const
{
    return birthPhase(i) == Phase::Backward && isFreed(i) && !birthRole(i).hasPython
        && m_traits.has(deathStack(i), StackTrait::GradientReduction);
}

bool CategoryEvidence::isCutOff(AllocationIndex i) const
{
    if (isOlder(i) || isFreed(i))
        return false;
    const std::uint32_t birthRange = rangeOf(m_allocations.birth(i));
    return birthRange == m_rangeOf.back() || std::ranges::any_of(m_unwinding, [&](const EventRange& failure) {
        return m_allocations.isLiveAt(i, failure.first) && rangeOf(failure.first) == birthRange;
    });
}

std::int64_t CategoryEvidence::ageWhenCutOff(AllocationIndex i) const
{
    const std::int64_t birth = m_allocations.birth(i);
    const auto failure = std::ranges::upper_bound(m_unwinding, birth, {}, &EventRange::first);
    return (failure == m_unwinding.end() ? m_allocations.eventCount() : failure->first) - birth;
}

bool CategoryEvidence::hasBirthStack(AllocationIndex i) const
{
    return m_trace.stacks.hasFrames(m_allocations.stack(i))
        && m_allocations.stackOrigin(i) != StackOrigin::Free;
}

StackRole CategoryEvidence::birthRole(AllocationIndex i) const
{
    return m_allocations.stackOrigin(i) == StackOrigin::Free ? StackRole()
                                                             : m_roles.roleOf(m_allocations.stack(i));
}

bool CategoryEvidence::has(AllocationIndex i, StackTrait trait) const
{
    return m_traits.has(m_allocations.stack(i), trait) && m_allocations.stackOrigin(i) != StackOrigin::Free;
}

StackId CategoryEvidence::deathStack(AllocationIndex i) const
{
    return m_trace.events.stack[m_trace.row(m_allocations.device(), m_allocations.death(i))];
}

StackRole CategoryEvidence::deathRole(AllocationIndex i) const
{
    return m_allocations.death(i) == AllocationTable::kNeverFreed ? StackRole()
                                                                  : m_roles.roleOf(deathStack(i));
}

bool CategoryEvidence::outlivesItsModule(AllocationIndex i) const
{
    return isFreed(i) && has(i, StackTrait::ModuleCall) && m_trace.stacks.hasFrames(deathStack(i))
        && !m_traits.has(deathStack(i), StackTrait::ModuleCall);
}

bool CategoryEvidence::occurs(Phase phase) const
{
    return std::ranges::any_of(m_ranges, [&](const PhaseRange& range) { return range.phase == phase; });
}

} // namespace highwater
