#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/base/column.h"

namespace highwater {

/// The kind of evidence for an event's phase.
enum class PhaseSource : std::uint8_t
{
    Annotation, ///< within a range that names the phase
    Frames, ///< frames of the stack identify the phase
    ZeroGrad, ///< part of `zero_grad`, which may run anywhere
    Silent, ///< frames that do not identify a phase
    NoPython, ///< no Python frames, and other frames that do not identify a phase
};

/// The evidence for the phase of an event.
struct PhaseEvidence
{
    Phase phase = Phase::Unknown; ///< Unknown for sources without evidence
    PhaseSource source = PhaseSource::Silent;

    bool hasPhase() const { return phase != Phase::Unknown; }
    bool operator==(const PhaseEvidence&) const = default;
};

/// Consecutive events [begin, end) with equal evidence. Sixteen bytes, since a trace may have one for each
/// event.
struct EvidenceSpan
{
    std::int32_t begin = 0;
    std::int32_t end = 0;
    std::int32_t allocations = 0; ///< events of the range that allocate
    PhaseEvidence evidence;
    Grade grade = Grade::C; ///< grade of the phase
    /// True if an annotation ends a step before the first event; in the result, if it also ends a backward.
    bool beginsStep = false;
};

/// Computes phases from spans that tile a device's events. Events without evidence get the phase of a
/// neighbour (`phaseOfGap`), or stay Unknown. Events without Python frames continue a backward only up to the
/// end of a step, if some of them allocate after it.
///
/// `zero_grad` continues the phase before it. With `pythonOnly`, which means that the trace has no C++
/// frames, allocations without frames after a phase of the model are Backward, which runs on threads of
/// autograd. O(spans).
std::vector<PhaseRange> phasesFromEvidence(Column<EvidenceSpan> spans, bool pythonOnly);

} // namespace highwater
