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

/// A file as listed in its folder.
struct ListedFile
{
    std::string path;
    std::uintmax_t bytes = 0;
    Nanoseconds changed = 0; ///< time of the last write, by the clock of the file system

    bool operator==(const ListedFile&) const = default;
};

/// Lists the files of a folder whose names end like those of snapshots and traces, sorted by path. Hidden
/// files and uncompressed logs are left out. Fails with CannotRead if the folder cannot be read.
Result<std::vector<ListedFile>> listRecordings(const std::filesystem::path& folder);

/// Compares successive listings of a folder to find recordings that are new and no longer being written.
class FolderWatch
{
public:
    /// A file counts as complete if it has not changed for this long. A slow disk may pause between two
    /// writes.
    static constexpr Nanoseconds kQuiet = 2'000'000'000;
    /// Limit, in multiples of the quiet time, for how long a file waits for files with similar names.
    static constexpr int kMaxQuietPeriods = 5;

    /// Files in `present` are not new until they change.
    explicit FolderWatch(const std::vector<ListedFile>& present, Nanoseconds quiet = kQuiet);

    /// Compares a listing made at `now`, by a steady clock, with the earlier ones. Returns each new file
    /// once, as soon as it is not empty and has not changed for the quiet time. A file that changes
    /// afterwards is new again. O(files × log(files)).
    ///
    /// A file also waits for files that are still being written and whose paths differ from its own only in
    /// digits, since those are ranks of the same run; it waits kMaxQuietPeriods quiet times at most.
    std::vector<std::string> look(const std::vector<ListedFile>& listing, Nanoseconds now);

private:
    struct NewFile
    {
        ListedFile file;
        Nanoseconds since = 0; ///< time at which it was first seen in this state
    };

    Nanoseconds m_quietTime;
    std::map<std::string, ListedFile> m_known; ///< reported already, or present from the start
    std::map<std::string, NewFile> m_newFiles;
};

/// The kind of a file in a watched folder, which decides if it is opened.
enum class Arrival : std::uint8_t
{
    Recording, ///< complete
    Part, ///< cut off, or cannot be read
    Log ///< may go on growing
};

/// Reads the whole file to find out its kind; Part if `stop` was requested. O(bytes).
Arrival classifyArrival(const std::string& path, const StopToken& stop);

} // namespace highwater
