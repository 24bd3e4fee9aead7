#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/diff/matching/step_alignment.h"
#include "core/figure/sheet/note_flag.h"
#include "core/report/material/report_material.h"

/// Where notes stand in pictures. Their numbers are their positions in the list, from 1.
namespace highwater {

/// A device that pictures show, and how notes call it.
struct NotedDevice
{
    const DeviceStudy& study;
    std::string file; ///< name without folders
    NoteRun run = NoteRun::After; ///< where there is one run alone it is the run after
};

/// Notes on the device as flags over its events; steps are ranges, allocations stand where they begin.
std::vector<NoteFlag> eventFlags(const Notes& notes, const NotedDevice& device);
/// Those of both devices at places of their common axis.
std::vector<NoteFlag> alignedFlags(
    const Notes& notes, const NotedDevice& before, const NotedDevice& after, const RunAlignment& alignment);
/// Over the device's steps, by index.
std::vector<NoteFlag> stepFlags(const Notes& notes, const NotedDevice& device);
/// Those of both devices over the pairs of their steps, by index in AlignedSteps::pairs.
std::vector<NoteFlag> stepPairFlags(
    const Notes& notes, const NotedDevice& before, const NotedDevice& after, const AlignedSteps& aligned);

/// Of a run that tells allocations.
NotedDevice notedDevice(const RunMaterial& run);
/// Notes on lines of a log of the run, by line.
std::vector<NoteFlag> lineFlags(
    const ReportMaterial& material, const RunMaterial& run, const std::string& log);

} // namespace highwater
