#pragma once

#include "core/run/note.h"
#include "core/study/run_study.h"

namespace highwater::gui {

/// A note that says what the finding says: its title, its evidence as a Markdown list, what to do next. It is
/// pinned to where the finding is seen first: its event, else its step, else the first place that its
/// evidence leads to. What another rank shows has no place in this file.
Note findingNote(const Finding& finding, const RunStudy& run);

} // namespace highwater::gui
