#pragma once

#include <string>
#include <vector>

#include "core/report/input/report_material.h"

/// The texts of the report's first page.
namespace highwater {

/// Returns a sentence on the finding that best explains the run; empty if there is none.
std::string causeSentence(const RunStudy& study);
/// Returns the action to take next; empty if there is none.
std::string nextStepSentence(const RunStudy& study);

/// Returns cause, effect and next step, a sentence each; for two runs also the settings that changed.
ReportFacts firstPageFacts(const ReportMaterial& material);

/// Returns further findings with their actions, most important first: "… Call optimizer.zero_grad(…) (saves
/// 174.52 MiB in this run)." Omits the action in the answer; may be empty.
std::vector<std::string> furtherActions(const RunMaterial& run);

/// Returns the facts only people know: impact, failing line, suspects ruled out, owner. They are filled in
/// from notes on the run as a whole with these titles, the failing line also from the recording; the others
/// stay blank.
ReportFacts fieldsFor(const ReportMaterial& material);
/// True if the note fills in such a field, where it is then shown.
bool isField(const Note& note);

} // namespace highwater
