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
/// Line breaks in a title become spaces. Fails with Malformed if a member has the wrong type or the limits
/// of note.h are exceeded; the message names the note, from 1, and the member. Also fails as
/// `parseJsonDocument` does. O(bytes).
Result<ParsedNotes> parseNotes(std::string_view json);

} // namespace highwater
