#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/run/choice/file_facts.h"

/// Which files are of one run, and which recordings of one process.
namespace highwater {

/// Files are of one run unless they contradict each other (`contradictionOfRecordings`,
/// `contradictionOfLog`). A file that could be of several runs is of the one that it has most in common with:
/// time, code, name. Parallel to the files, and the same in whichever order these are. O(files × runs ×
/// marks).
std::vector<FilePlace> sortIntoRuns(std::span<const MainCandidate> files);

/// The first contradiction between a file of one run and a file of another; none: they are one run.
std::optional<Contradiction> contradictionBetween(std::span<const MainCandidate> files,
    std::span<const FilePlace> places, std::size_t run, std::size_t other);

} // namespace highwater
