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

struct PhaseEvidence
{
    Phase phase = Phase::Unknown; ///< Unknown for sources without evidence
    PhaseSource source = PhaseSource::Silent;

    bool hasPhase() const { return phase != Phase::Unknown; }
    bool operator==(const PhaseEvidence&) const = default;
};

/// Consecutive events [begin, end) with the same evidence. Sixteen bytes, since there may be one for each
/// event.
struct EvidenceSpan
{
    std::int32_t begin = 0;
    std::int32_t end = 0;
    std::int32_t allocations = 0; ///< events of the range that allocate
    PhaseEvidence evidence;
    Grade grade = Grade::C; ///< grade of the phase
};

/// Computes phases from ranges that tile a device's events: those without evidence take the phase of their
/// neighbours.
///
/// `zero_grad` continues the phase before it. A range without evidence between two ranges of one phase
/// belongs to that phase. Between different phases it belongs to the earlier one, unless that is an optimizer
/// or an annotation, whose end is known: allocations after an optimizer belong to the next phase, those after
/// an annotation stay Unknown. In files with only Python frames, events without frames after forward ran on
/// autograd's threads: backward. O(runs).
std::vector<PhaseRange> phasesFromEvidence(Column<EvidenceSpan> spans, bool pythonOnly);

} // namespace highwater
