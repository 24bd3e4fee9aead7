#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/run/choice/file_facts.h"

/// Groups files into runs, and the recordings of a run into processes.
namespace highwater {

/// Assigns each file to a run and a process. Files belong to one run unless they contradict each other
/// (`contradictionOfRecordings`, `contradictionOfLog`). A file that fits several runs is assigned to the
/// one that it has most in common with in time, code and path. The result is parallel to `files`; which
/// files belong together does not depend on their order. O(files × runs × marks + files²).
std::vector<FilePlace> sortIntoRuns(std::span<const MainCandidate> files);

/// Returns the first contradiction between the runs numbered `run` and `otherRun`; nullopt if their files can
/// belong to one run.
std::optional<Contradiction> contradictionBetween(std::span<const MainCandidate> files,
    std::span<const FilePlace> places, std::size_t run, std::size_t otherRun);

} // namespace highwater
