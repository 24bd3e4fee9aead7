#pragma once

#include "core/run/note.h"
#include "core/study/run_study.h"

namespace highwater::gui {

/// Makes a note from a finding: its title, the next step, and the evidence as a Markdown list. The note is
/// placed at the finding's event, else at its step, else at the first target of its evidence that has a
/// place. A finding about another rank has no place in this file.
Note findingNote(const Finding& finding, const RunStudy& run);

} // namespace highwater::gui
