#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/note.h"

namespace highwater {

/// Notes from a file, and warnings about members that were ignored.
struct ParsedNotes
{
    Notes notes;
    std::vector<std::string> warnings; ///< Sentences: "note 3: author is unknown and ignored"
};

/// Reads `[{"title": "…", "text": "Markdown", "run": "before|after", "file": "…", "device": "cuda:0",
/// "color": "red|orange|green|blue|purple|grey", "at": …}]`, or an object with this list as "notes". All
/// members are optional. A note on the run as a whole has no `at` or an empty object; other notes have one
/// of these:
///
///     {"event": 5}                     right after event 5; −1 is before the first
///     {"range": [1, 9]}                events 1 to 8
///     {"step": 2}                      as listed by `highwater peaks`, from 0
///     {"allocation": {"event": 5}}     or {"address": "0x7f064c000000"} if made before recording began
///     {"site": "train.py:12 step"}
///     {"row": {"group": "site", "key": "…"}}
///     {"line": 72}
///
/// Line breaks in a title become spaces. Fails with Malformed and one sentence that names the note, from
/// 1, and the member that has the wrong type or exceeds the limits of note.h. A text that is not JSON fails
/// with the byte at which it stops being JSON (Truncated if it only ends early). Fails with LimitExceeded
/// beyond 64 MiB, 64 levels or 2,000,000 values. O(bytes).
Result<ParsedNotes> parseNotes(std::string_view json);

} // namespace highwater
