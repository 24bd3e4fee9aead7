#pragma once

#include <string>

#include "core/report/input/note_lookup.h"

namespace highwater {

/// Returns "after · event 5,701, step 3, backward · 20.1 GiB (requested) in use". The text also says if the
/// file has no such place, or if the report does not show the note's file or device.
std::string notePlaceWords(NoteLookup& lookup, const Note& note);

} // namespace highwater
