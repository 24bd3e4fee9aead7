#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/steps/phase_table.h"

namespace highwater {

/// What an event's own word on its phase is worth.
enum class PhaseSource : std::uint8_t
{
    Annotation, ///< it lies in a range that names the phase
    Frames, ///< frames of its stack stand for the phase
    ZeroGrad, ///< it belongs to `zero_grad`, which may stand anywhere
    Silent, ///< its frames say nothing
    NoPython, ///< it has no Python frames, and those it has say nothing
};

struct PhaseEvidence
{
    Phase phase = Phase::Unknown; ///< Unknown for the sources that tell nothing
    PhaseSource source = PhaseSource::Silent;

    bool isTelling() const { return phase != Phase::Unknown; }
    bool operator==(const PhaseEvidence&) const = default;
};

/// Events [begin, end) that say the same.
struct EvidenceRun
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    PhaseEvidence evidence;
    std::int64_t allocations = 0; ///< events of the run that allocate
};

/// Phases out of runs that tile a device's events: what says nothing takes the phase of what stands around
/// it.
///
/// `zero_grad` continues the phase before it. Between two runs of one phase, silence belongs to it; between
/// different ones to the earlier, unless that is an optimizer or an annotation, whose end is known: what is
/// allocated behind an optimizer belongs to what comes next, behind an annotation it stays Unknown. In files
/// with Python frames only, what has none and follows forward ran on autograd's threads: backward. O(runs).
std::vector<PhaseRange> phasesFromEvidence(std::vector<EvidenceRun> runs, bool pythonOnly);

} // namespace highwater
