#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/base/column.h"

namespace highwater {

/// What kind of evidence an event has for its phase.
enum class PhaseSource : std::uint8_t
{
    Annotation, ///< it lies in a range that names the phase
    Frames, ///< frames of its stack identify the phase
    ZeroGrad, ///< it belongs to `zero_grad`, which may run anywhere
    Silent, ///< its frames do not identify a phase
    NoPython, ///< it has no Python frames, and its other frames do not identify a phase
};

struct PhaseEvidence
{
    Phase phase = Phase::Unknown; ///< Unknown for sources without evidence
    PhaseSource source = PhaseSource::Silent;

    bool isTelling() const { return phase != Phase::Unknown; }
    bool operator==(const PhaseEvidence&) const = default;
};

/// Consecutive events [begin, end) with the same evidence. Sixteen bytes: there may be one for each event.
struct EvidenceRun
{
    std::int32_t begin = 0;
    std::int32_t end = 0;
    std::int32_t allocations = 0; ///< events of the run that allocate
    PhaseEvidence evidence;
    Grade grade = Grade::C; ///< of the phase
};

/// Computes phases from runs that tile a device's events: runs without evidence take the phase of their
/// neighbours.
///
/// `zero_grad` continues the phase before it. A run without evidence between two runs of one phase belongs to
/// that phase; between different ones to the earlier, unless that is an optimizer or an annotation, whose end
/// is known: allocations after an optimizer belong to the next phase, those after an annotation stay Unknown.
/// In files with Python frames only, events without frames after forward ran on autograd's threads: backward.
/// O(runs).
std::vector<PhaseRange> phasesFromEvidence(Column<EvidenceRun> runs, bool pythonOnly);

} // namespace highwater
