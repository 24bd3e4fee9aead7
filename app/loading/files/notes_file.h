#pragma once

#include <string>

#include "core/run/note_json.h"

namespace highwater {

/// Reads the user's notes from a JSON file (`parseNotes`). Fails with CannotRead, with LimitExceeded above 64
/// MiB, or with the problem in the notes.
Result<ParsedNotes> loadNotes(const std::string& path);

} // namespace highwater
