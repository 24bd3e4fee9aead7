#pragma once

#include <string>

#include "core/report/material/note_lookup.h"

namespace highwater {

/// The run of the report that the note is about; null: the report does not show it.
const RunMaterial* runOfNote(const ReportMaterial& material, const Note& note);
/// Whether the note is about the file and the device by which the report shows the run.
bool isAboutDevice(const RunMaterial& run, const Note& note);

/// The log that a note on a line is about: the one that it names, else the only one; null: none of them.
const ReportLog* logOfNote(const RunMaterial& run, const Note& note);

/// "after · event 5,701, step 3, backward · 20.10 GiB live". Says so where the file has no such place, or
/// where the note is about a file or device that the report does not show.
std::string placeWords(NoteLookup& lookup, const Note& note);

} // namespace highwater
