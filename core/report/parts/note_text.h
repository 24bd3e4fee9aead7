#pragma once

#include <string>

#include "core/report/input/note_lookup.h"

namespace highwater {

/// The run of the report that the note is about; null: the report does not show it.
const RunMaterial* runOfNote(const ReportMaterial& material, const Note& note);
/// Whether the note is about the file and device that the report shows for the run.
bool isAboutDevice(const RunMaterial& run, const Note& note);

/// The log that a note on a line is about: the one it names, else the only one; null: none.
const RunLog* logOfNote(const RunMaterial& run, const Note& note);

/// "after · event 5,701, step 3, backward · 20.10 GiB live". Says so if the file has no such place, or if the
/// report does not show the note's file or device.
std::string placeWords(NoteLookup& lookup, const Note& note);

} // namespace highwater
