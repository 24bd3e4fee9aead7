#include "core/study/finding_place.h"

#include "core/analysis/stacks/call_site.h"

namespace highwater {

namespace {

FailurePlace placeOfFrame(const Trace& trace, FrameId id)
{
    const Frame& frame = trace.stacks.frame(id);
    return {std::string(trace.text(frame.file)), frame.line, std::string(trace.text(frame.function))};
}

} // namespace

std::optional<FailurePlace> placeOf(const Finding& finding, const RunStudy& study)
{
    const Trace& trace = study.trace();
    if (!finding.keepers.empty() && !finding.keepers.front().frame.isNone())
        return placeOfFrame(trace, finding.keepers.front().frame);
    const std::vector<AllocationIndex> allocations = allocationsOf(finding);
    if (study.device() && !allocations.empty()) {
        const FrameId code = codeFrame(trace, study.device()->allocations.stack(allocations.front()));
        if (!code.isNone())
            return placeOfFrame(trace, code);
    }
    const bool isOfFailure = isFailure(finding) || study.findingAt(study.diagnosis().named) == &finding;
    return isOfFailure ? study.diagnosis().place : std::nullopt;
}

} // namespace highwater
