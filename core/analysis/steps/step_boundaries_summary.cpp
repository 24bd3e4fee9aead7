#include <algorithm>

#include "core/analysis/steps/step_boundaries.h"
#include "core/trace/summary/summary_document.h"

namespace highwater {

namespace {

/// Makes a step with the figures of the recording. The curve of a summary is not exact enough for them.
Step stepFrom(const SummaryStep& summaryStep)
{
    Step step;
    step.name = summaryStep.name;
    step.startBytes = summaryStep.startBytes;
    step.peakBytes = summaryStep.peakBytes;
    step.endBytes = summaryStep.endBytes;
    step.peakPhase = phaseFromText(summaryStep.peakPhase).value_or(Phase::Unknown);
    step.source = stepSourceFromText(summaryStep.source).value_or(StepSource::Whole);
    step.grade = gradeFromText(summaryStep.grade);
    step.isComplete = summaryStep.isComplete;
    return step;
}

} // namespace

std::optional<StepTable> summarySteps(const StepInput& input)
{
    const std::optional<SummaryNotes> notes = readSummaryNotes(input.trace.metadata);
    if (!notes || notes->steps.empty())
        return std::nullopt;
    StepTable table;
    table.reason = notes->stepReason;
    table.grade = Grade::A;
    const std::int64_t count = input.eventCount();
    for (const SummaryStep& summaryStep : notes->steps) {
        Step step = stepFrom(summaryStep);
        // Damaged notes must not break the tiling or leave a step without events.
        step.begin = table.steps.empty() ? 0 : table.steps.back().end;
        step.end
            = &summaryStep == &notes->steps.back() ? count : std::clamp(summaryStep.end, step.begin, count);
        if (step.end == step.begin)
            continue;
        step.peakEvent
            = std::clamp(summaryStep.peakEvent, step.begin - 1, std::max(step.begin - 1, step.end - 1));
        table.grade = std::max(table.grade, step.grade);
        table.source = step.source;
        table.steps.push_back(std::move(step));
    }
    return table;
}

} // namespace highwater
