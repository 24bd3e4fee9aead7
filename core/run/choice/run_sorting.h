#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/run/choice/file_facts.h"

/// Groups files into runs, and the recordings of a run into processes.
namespace highwater {

/// Assigns each file to a run and a process. Files belong to one run unless they contradict each other
/// (`contradictionOfRecordings`, `contradictionOfLog`). A recording is compared with at most the last eight
/// of its rank in the run, or of the run; without a rank it is matched to processes only in runs with at
/// most 64 such recordings. A file that fits several runs is assigned to the one that it has most in common
/// with in time, code and path. The result is parallel to `files`; which files belong together does not
/// depend on their order. O(files × runs × marks + files²).
std::vector<FilePlace> sortIntoRuns(std::span<const MainCandidate> files);

/// Returns the first contradiction between the runs numbered `run` and `otherRun`; nullopt if none is
/// found among the recordings that `sortIntoRuns` would compare.
std::optional<Contradiction> contradictionBetween(std::span<const MainCandidate> files,
    std::span<const FilePlace> places, std::size_t run, std::size_t otherRun);

} // namespace highwater
