#pragma once

#include "app/workspace/compare/compare_session.h"
#include "app/workspace/compare/sweep_session.h"
#include "app/workspace/document/document_loader.h"
#include "app/workspace/document/run_session.h"

namespace highwater::gui {

/// The sessions that load files for a window: the open run, the run compared with it, and the runs of a
/// table.
struct OpenSessions
{
    DocumentLoader loader; ///< for the open run
    RunSession run{loader};
    CompareSession other;
    SweepSession sweep;
};

} // namespace highwater::gui
