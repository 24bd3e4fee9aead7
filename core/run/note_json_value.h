#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/run/note.h"

/// Notes as part of a larger JSON document, in the format of note_json.h.
namespace highwater {

struct DocumentProblems;

/// Reads a list of notes; errors and warnings go to `problems`. Returns the notes before the first invalid
/// one.
Notes readNotes(const nlohmann::json& list, DocumentProblems& problems);
nlohmann::ordered_json jsonOf(const Notes& notes);
nlohmann::ordered_json jsonOf(const Note& note);

} // namespace highwater
