#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/run_alignment.h"
#include "core/figure/note_flag.h"
#include "core/report/report_material.h"

/// Where the notes of a report stand: in words, and in its pictures. Their numbers are their positions in the
/// list, from 1.
namespace highwater {

/// "after · event 5,701, step 3, backward · 20.10 GiB live". Says so where the file has no such place, or
/// where the note is about a file or device that the report does not show. O(live) for sites and rows.
std::string placeWords(const ReportMaterial& material, const Note& note);

/// Notes on the run's device as flags over its events; steps are ranges, allocations stand where they begin.
std::vector<NoteFlag> eventFlags(const ReportMaterial& material, const RunMaterial& run);
/// Those of both runs at places of the common axis.
std::vector<NoteFlag> alignedFlags(const ReportMaterial& material, const RunAlignment& alignment);
/// Over the run's steps, by index.
std::vector<NoteFlag> stepFlags(const ReportMaterial& material, const RunMaterial& run);
/// Those of both runs over the pairs of steps, by index.
std::vector<NoteFlag> stepPairFlags(const ReportMaterial& material);
/// Notes on lines of a log of the run.
std::vector<NoteFlag> lineFlags(
    const ReportMaterial& material, const RunMaterial& run, const std::string& log);

} // namespace highwater
