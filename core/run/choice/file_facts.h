#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/run/choice/run_evidence.h"
#include "core/run/run.h"

namespace highwater {

/// The kind of memory data that a file has. Later values are more detailed.
enum class FileContent : std::uint8_t
{
    Unreadable, ///< Unreadable or in an unrecognized format
    Messages, ///< A log, even one without series and messages
    Devices, ///< Totals of a device, but not its allocations
    Allocations, ///< A rank's recording
};

/// The time at which a request for memory failed, as far as it is known.
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
    std::optional<std::int64_t> device = {}; ///< Ordinal of the main device; nullopt if the file has none
    RunEvidence evidence = {};
};

/// The run and the process to which a file was assigned. Files with the same number belong together;
/// numbers are only unique within one call of `sortIntoRuns`.
struct FilePlace
{
    std::size_t run = 0;
    std::size_t process = 0; ///< Files with the same number are dumps of one process
    std::optional<std::int64_t> rank; ///< Rank of the file; if unknown, that of another dump of its process

    bool operator==(const FilePlace&) const = default;
};

} // namespace highwater
