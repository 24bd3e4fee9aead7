#pragma once

#include <string>
#include <vector>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/analysis/diff/matching/step_alignment.h"
#include "core/figure/drawing/note_flag.h"
#include "core/report/input/report_material.h"

/// Finds the positions of notes in figures; notes on what the device or log does not have are left out. A
/// note's number is its position in the list, from 1.
namespace highwater {

/// A device shown in figures, and how notes refer to it.
struct NotedDevice
{
    const DeviceStudy& study;
    std::string file; ///< Name without folders
    NoteRun run = NoteRun::After; ///< A single run is `After`
};

/// Returns flags for notes on the device over its events; steps are ranges, allocations are flagged at their
/// alloc event.
std::vector<NoteFlag> eventFlags(const Notes& notes, const NotedDevice& device);
/// Returns flags for notes on both devices on their common axis.
std::vector<NoteFlag> alignedFlags(
    const Notes& notes, const NotedDevice& before, const NotedDevice& after, const RunAlignment& alignment);
/// Returns flags for notes over the device's steps, by index.
std::vector<NoteFlag> stepFlags(const Notes& notes, const NotedDevice& device);
/// Returns flags for notes on both devices over the pairs of their steps, by index in AlignedSteps::pairs.
std::vector<NoteFlag> stepPairFlags(
    const Notes& notes, const NotedDevice& before, const NotedDevice& after, const AlignedSteps& aligned);

/// Returns the device of a run with allocations.
NotedDevice notedDevice(const RunMaterial& run);
/// Returns flags for notes on lines of a log of the run, by line; `log` is its name.
std::vector<NoteFlag> lineFlags(
    const ReportMaterial& material, const RunMaterial& run, const std::string& log);

} // namespace highwater
