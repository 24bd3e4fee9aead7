#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/run/choice/run_evidence.h"
#include "core/run/run.h"

namespace highwater {

/// How much a file knows about memory, the least first.
enum class FileContent : std::uint8_t
{
    Unreadable, ///< or in no known form
    Messages, ///< a log with series, messages, or neither
    Devices, ///< figures of a device without its allocations
    Allocations, ///< a rank's recording
};

/// When and where a request for memory failed, as far as that is known.
struct FailureTime
{
    std::optional<Nanoseconds> time; ///< since the epoch
    std::optional<std::int64_t> step; ///< number of the step
};

/// The facts about one file that the choice depends on.
struct MainCandidate
{
    RunMember member;
    FileContent content = FileContent::Unreadable;
    bool ranOutOfMemory = false;
    FailureTime failure; ///< of the first failed request; meaningless unless it ran out of memory
    Bytes peakBytes = 0; ///< of its main device; of a log its largest memory figure
    std::optional<std::int64_t> device = {}; ///< ordinal of that device; none: it has none
    RunEvidence evidence = {};
};

/// Where a file belongs.
struct FilePlace
{
    std::size_t run = 0;
    std::size_t process = 0; ///< files of one number are dumps of one process
    std::optional<std::int64_t> rank; ///< its own, else that of another dump of its process

    bool operator==(const FilePlace&) const = default;
};

} // namespace highwater
