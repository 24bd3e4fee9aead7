#pragma once

#include <string>
#include <vector>

#include "core/report/input/report_material.h"

/// Writes the texts of the report's first page.
namespace highwater {

/// Returns the action to take next; empty if there is none.
std::string nextStepSentence(const RunStudy& study);

/// Returns cause, effect, line and next step, as far as they are known; for two runs cause, effect and line
/// of the earlier one, the settings that changed, and the end, the remaining fault and the next step of the
/// later one.
ReportFacts firstPageFacts(const ReportMaterial& material);

/// Returns at most three further faults with their actions, in the order of `faultsToFix`: "… Call
/// optimizer.zero_grad(…). Saves 174.52 MiB." Omits the action that `firstPageFacts` names as the next step;
/// may be empty.
std::vector<std::string> furtherActions(const RunMaterial& run);

/// Returns the facts that only people know: impact, failing line, suspects ruled out, owner. Notes on the run
/// as a whole with these titles fill them in, and the recording of one of two runs may fill in the failing
/// line. A brief report omits the other fields; in a full one they stay blank.
ReportFacts fieldsToFillIn(const ReportMaterial& material);
/// True if the note fills in a field of `fieldsToFillIn`, which then shows the note's text.
bool fillsField(const Note& note);

} // namespace highwater
