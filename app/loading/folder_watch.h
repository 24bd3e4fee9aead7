#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/units.h"

namespace highwater {

/// A file as listed in its folder
struct ListedFile
{
    std::string path;
    std::uintmax_t bytes = 0;
    Nanoseconds changed = 0; ///< time of the last write, by the clock of the file system

    bool operator==(const ListedFile&) const = default;
};

/// Lists a folder's files whose names end like those of snapshots and traces, sorted by name. Logs are left
/// out, since they grow all through a run. Fails if the folder cannot be read.
Result<std::vector<ListedFile>> listRecordings(const std::filesystem::path& folder);

/// Compares successive listings of a folder to find recordings that are new and no longer being written.
class FolderWatch
{
public:
    /// A file must not have changed for this long, since a slow disk pauses between two writes.
    static constexpr Nanoseconds kQuiet = 2'000'000'000;
    /// A file waits at most this many quiet times for files with similar names.
    static constexpr Nanoseconds kMostQuietTimes = 5;

    /// Files in `present` are not new until they change.
    explicit FolderWatch(const std::vector<ListedFile>& present, Nanoseconds quiet = kQuiet);

    /// Takes a listing made at `now`, by a steady clock, and returns each new file once it has not changed
    /// for the quiet time. A file waits only for files whose paths differ from its own in digits alone: those
    /// are written as ranks of the same run, and are returned with it. A file that changes afterwards is new
    /// again. O(files × log(files)).
    std::vector<std::string> look(const std::vector<ListedFile>& listing, Nanoseconds now);

private:
    struct Fresh
    {
        ListedFile file;
        Nanoseconds since = 0; ///< time at which it was first seen in this state
    };

    Nanoseconds m_quiet;
    std::map<std::string, ListedFile> m_known; ///< reported already, or present from the start
    std::map<std::string, Fresh> m_fresh;
};

/// How complete a file in a watched folder is.
enum class Arrival : std::uint8_t
{
    Recording, ///< complete
    Part, ///< cut off, or not readable yet
    Log ///< may go on growing
};

/// Reads the whole file.
Arrival arrivalOf(const std::string& path, const StopToken& stop);

} // namespace highwater
