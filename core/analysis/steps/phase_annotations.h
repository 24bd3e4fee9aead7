#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/steps/phase_table.h"
#include "core/trace/trace.h"

namespace highwater {

/// Events [begin, end) that an annotation assigns to one phase.
struct AnnotatedPhase
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Phase phase = Phase::Unknown;
};

/// Returns the phase that the words of an annotation's name denote: "## forward ##",
/// "Optimizer.step#AdamW.step", "rollout". Unknown for most names, for `zero_grad`, and for names with words
/// of two phases ("forward_backward").
Phase phaseOfAnnotation(std::string_view name);

/// Returns the phases that annotations denote, not overlapping, by start. The innermost annotation that
/// denotes a phase wins. O(spans × log events).
std::vector<AnnotatedPhase> annotatedPhases(const Trace& trace, DeviceIndex device);

/// Returns the first events of the `ProfilerStep#N`, which end the step before; ascending, each once. Empty
/// for a file without these. An optimizer's annotation ends no step here: it may run within the backward,
/// once for each parameter. O(spans × log events).
std::vector<std::int64_t> profilerStepBegins(const Trace& trace, DeviceIndex device);

} // namespace highwater
