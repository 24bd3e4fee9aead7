#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/run/choice/file_facts.h"

/// Which files belong to one run, and which recordings to one process.
namespace highwater {

/// Sorts files into runs. Files belong to one run unless they contradict each other
/// (`contradictionOfRecordings`, `contradictionOfLog`). A file that fits several runs is assigned to the one
/// that it has most in common with: time, code, name. The result is parallel to the files and independent of
/// their order. O(files × runs × marks).
std::vector<FilePlace> sortIntoRuns(std::span<const MainCandidate> files);

/// Returns the first contradiction between a file of one run and a file of another; nullopt if they are one
/// run.
std::optional<Contradiction> contradictionBetween(std::span<const MainCandidate> files,
    std::span<const FilePlace> places, std::size_t run, std::size_t other);

} // namespace highwater
