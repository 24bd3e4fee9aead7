#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/run/choice/run_evidence.h"
#include "core/run/run.h"

namespace highwater {

/// The memory data of a file, from least to most.
enum class FileContent : std::uint8_t
{
    Unreadable, ///< Unreadable or in an unrecognized format
    Messages, ///< A log, with or without series and messages
    Devices, ///< Figures of a device without its allocations
    Allocations, ///< A rank's recording
};

/// When a request for memory failed, as far as known.
struct FailureTime
{
    std::optional<Nanoseconds> time; ///< Since the epoch
    std::optional<std::int64_t> step; ///< Number of the step
};

/// The facts about one file on which the choice of the main file depends.
struct MainCandidate
{
    RunMember member;
    FileContent content = FileContent::Unreadable;
    bool ranOutOfMemory = false;
    FailureTime failure; ///< Time of the first failed request; meaningless unless `ranOutOfMemory`
    Bytes peakBytes = 0; ///< Peak of its main device; for a log, its largest memory figure
    std::optional<std::int64_t> device = {}; ///< Ordinal of that device; nullopt if it has none
    RunEvidence evidence = {};
};

/// The run, process and rank of a file.
struct FilePlace
{
    std::size_t run = 0;
    std::size_t process = 0; ///< Files with the same number are dumps of one process
    std::optional<std::int64_t> rank; ///< Rank of the file, else of another dump of its process

    bool operator==(const FilePlace&) const = default;
};

} // namespace highwater
