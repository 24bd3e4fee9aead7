#pragma once

#include <string>

#include "core/run/note_json.h"

namespace highwater {

/// The user's notes from a JSON file (`parseNotes`). Fails with CannotRead, with LimitExceeded for more than
/// 64 MiB, or with what is wrong with the notes.
Result<ReadNotes> loadNotes(const std::string& path);

} // namespace highwater
