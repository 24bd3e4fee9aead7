#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/run/note.h"

/// Notes as a part of a larger JSON document; the form is that of note_json.h.
namespace highwater {

struct DocumentProblems;

/// A list of notes; what is wrong with it, and what is left out, goes to `problems`. Gives what stands before
/// the first wrong note.
Notes notesOf(const nlohmann::json& list, DocumentProblems& problems);
nlohmann::ordered_json jsonOf(const Notes& notes);
nlohmann::ordered_json jsonOf(const Note& note);

} // namespace highwater
