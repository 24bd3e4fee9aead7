#pragma once

#include "app/workspace/document/device_findings.h"
#include "core/run/note.h"

namespace highwater::gui {

/// A note that says what the finding says: its title, its evidence as a Markdown list, what to do next. It is
/// pinned to where the finding is seen first: its event, else its step, else the first place that its
/// evidence leads to.
Note findingNote(const Finding& finding, const DeviceFindings& found);

} // namespace highwater::gui
