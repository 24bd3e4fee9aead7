#pragma once

namespace highwater::gui {

/// Exit codes of `highwater-gui`, with the same meaning as those of `highwater`.
enum ExitCode
{
    Done = 0,
    WrongUsage = 2,
    CannotReadOrWrite = 3,
    Incomplete = 4 ///< a file is truncated; the part before the cut was used
};

} // namespace highwater::gui
