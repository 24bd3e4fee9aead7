#pragma once

#include "app/workspace/compare/compare_session.h"
#include "app/workspace/compare/sweep_session.h"
#include "app/workspace/document/document_loader.h"
#include "app/workspace/document/run_session.h"

namespace highwater::gui {

/// What loads files for a window: the run, the one that is compared with it, and several for a table.
struct OpenSessions
{
    DocumentLoader loader; ///< of the run
    RunSession run{loader};
    CompareSession other;
    SweepSession sweep;
};

} // namespace highwater::gui
