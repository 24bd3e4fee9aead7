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
};

/// Computes phases from spans that tile a device's events. A gap, which has no evidence, takes the phase of a
/// neighbour.
///
/// `zero_grad` continues the phase before it. A gap between two spans of one phase gets that phase. Between
/// different phases, it gets the earlier phase, unless the end of that phase is known: allocations after an
/// optimizer get the next phase, and those after an annotation stay Unknown. In files with only Python
/// frames, allocations without frames after forward are backward, which runs on threads of autograd.
/// O(spans).
std::vector<PhaseRange> phasesFromEvidence(Column<EvidenceSpan> spans, bool pythonOnly);

} // namespace highwater
