#pragma once

#include "core/run/note.h"
#include "core/study/run_study.h"

namespace highwater::gui {

/// Makes a note from a finding: its title, its evidence as a Markdown list, and what to do next. The note is
/// placed at the finding's event, else its step, else the first place that its evidence leads to. A finding
/// about another rank has no place in this file.
Note findingNote(const Finding& finding, const RunStudy& run);

} // namespace highwater::gui
