#pragma once

#include <string>
#include <vector>

#include "core/report/input/report_material.h"

/// What page one says in words.
namespace highwater {

/// What explains the run best, a sentence; empty: nothing does.
std::string causeSentence(const RunStudy& study);
/// The action for it; empty: there is none.
std::string nextStepSentence(const RunStudy& study);

/// Cause, effect and next step, a sentence each; of two runs also the settings that were changed.
ReportFacts answerOf(const ReportMaterial& material);

/// What else there is to do: "Call optimizer.zero_grad(…) (saves 174.52 MiB in this run).", most important
/// first, without what the answer says; may be empty.
std::vector<std::string> furtherActions(const RunMaterial& run);

/// What only people know: impact, failing line, suspects ruled out, owner. Filled in from notes on the run as
/// a whole that are titled so, the failing line also from the recording; the others are blanks.
ReportFacts fieldsFor(const ReportMaterial& material);
/// Whether the note fills in such a field, and so is told there.
bool isField(const Note& note);

} // namespace highwater
