#include "core/analysis/steps/phases.h"

#include "core/analysis/steps/phase_annotations.h"
#include "core/analysis/steps/phase_context.h"
#include "core/analysis/steps/phase_lifetimes.h"
#include "core/analysis/steps/stack_roles.h"
#include "core/base/interruption.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

namespace {

/// Returns the evidence of one event: its annotation, else its stack. An annotation of an optimizer may
/// contain a closure. Its forward is recognised by the stack, and its backward by the lack of Python frames.
PhaseEvidence evidenceOf(Phase annotated, const StackRole& role, bool pythonOnly)
{
    const bool isClosure = annotated == Phase::Optimizer
        && ((role.phase != Phase::Unknown && role.phase != annotated) || (pythonOnly && !role.hasPython));
    if (annotated != Phase::Unknown && !isClosure)
        return {annotated, PhaseSource::Annotation};
    if (role.phase != Phase::Unknown)
        return {role.phase, PhaseSource::Frames};
    if (role.zeroGrad)
        return {Phase::Unknown, PhaseSource::ZeroGrad};
    return {Phase::Unknown, role.hasPython ? PhaseSource::Silent : PhaseSource::NoPython};
}

/// Groups consecutive events of one step with equal evidence.
Column<EvidenceSpan> evidenceSpans(const Trace& trace, DeviceIndex device, const StackRoles& roles,
    const std::vector<std::int64_t>& stepBegins)
{
    const std::vector<AnnotatedPhase> annotations = annotatedPhases(trace, device);
    const RowRange rows = trace.devices[device].events;
    Column<EvidenceSpan> spans;
    auto annotation = annotations.begin();
    auto stepBegin = stepBegins.begin();
    StackId stack;
    Phase annotated = Phase::Unknown;
    PhaseEvidence evidence = evidenceOf(annotated, {}, roles.pythonOnly());
    const auto count = static_cast<std::int32_t>(trace.eventCount(device));
    InterruptionCounter interruption;
    for (std::int32_t event = 0; event < count; ++event) {
        interruption.round();
        const std::size_t row = rows.first + static_cast<std::size_t>(event);
        while (annotation != annotations.end() && annotation->end <= event)
            ++annotation;
        const Phase phaseAround = annotation != annotations.end() && annotation->begin <= event
            ? annotation->phase
            : Phase::Unknown;
        if (const StackId eventStack = trace.events.stack[row];
            eventStack != stack || phaseAround != annotated) {
            stack = eventStack;
            annotated = phaseAround;
            evidence = evidenceOf(annotated, roles.roleOf(stack), roles.pythonOnly());
        }
        const bool beginsStep = stepBegin != stepBegins.end() && *stepBegin == event;
        stepBegin += beginsStep ? 1 : 0;
        if (spans.empty() || beginsStep || spans.back().evidence != evidence)
            spans.push_back({event, event, 0, evidence, Grade::C, beginsStep});
        spans.back().end = event + 1;
        spans.back().allocations += isAllocationAction(trace.events.action[row]) ? 1 : 0;
    }
    return spans;
}

} // namespace

PhaseTable findPhases(const AllocationTable& allocations)
{
    const Trace& trace = allocations.trace();
    if (trace.metadata.kind == TraceKind::RankSummary) // a summary has only the phase of each step's peak
        return PhaseTable({{0, allocations.eventCount(), Phase::Unknown, Grade::C}});
    const StackRoles roles(trace);
    const std::vector<std::int64_t> stepBegins = profilerStepBegins(trace, allocations.device());
    return PhaseTable(correctedByLifetimes(
        phasesFromEvidence(evidenceSpans(trace, allocations.device(), roles, stepBegins), roles.pythonOnly()),
        allocations));
}

} // namespace highwater
