#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/note.h"

namespace highwater {

/// The notes that were read, and warnings about what was ignored.
struct ReadNotes
{
    Notes notes;
    std::vector<std::string> warnings; ///< sentences: "note 3: author is not known and left out"
};

/// Reads `[{"title": "…", "text": "Markdown", "run": "before|after", "file": "…", "device": "cuda:0",
/// "color": "red|orange|green|blue|purple|grey", "at": …}]`, or the same list as "notes" of an object. All
/// members may be absent. `at` is absent or `{}` for the run as a whole, else one of
///
///     {"event": 5}                     right after it; −1: before the first
///     {"range": [1, 9]}                events 1 to 8
///     {"step": 2}                      as `highwater peaks` lists them, from 0
///     {"allocation": {"event": 5}}     or {"address": "0x7f064c000000"} where it is older than the trace
///     {"site": "train.py:12 step"}
///     {"row": {"group": "site", "key": "…"}}
///     {"line": 72}
///
/// Breaks of lines in a title become spaces. Fails with Malformed and one sentence that names the note (from
/// 1) and the member that is something else than it should be or beyond the limits of note.h; where the text
/// is no JSON with the byte at which it stops being some (Truncated where it only ends too early); with
/// LimitExceeded for more than 64 MiB, 64 levels or 2,000,000 values. O(bytes).
Result<ReadNotes> parseNotes(std::string_view json);

} // namespace highwater
