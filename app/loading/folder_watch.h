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

/// A file as a listing of its folder shows it.
struct ListedFile
{
    std::string path;
    std::uintmax_t bytes = 0;
    Nanoseconds changed = 0; ///< when it was last written, by the clock of the file system

    bool operator==(const ListedFile&) const = default;
};

/// The files of a folder whose names end like those of snapshots and traces, by name; logs are not among
/// them, since they grow all through a run. Error: the folder cannot be read.
Result<std::vector<ListedFile>> listRecordings(const std::filesystem::path& folder);

/// Tells from one listing of a folder after the other which recordings are new and no longer being written.
class FolderWatch
{
public:
    /// For how long a file must not have changed: a slow disk pauses between two writes.
    static constexpr Nanoseconds kQuiet = 2'000'000'000;
    /// How many quiet times a file waits at most for files that are named like it.
    static constexpr Nanoseconds kMostQuietTimes = 5;

    /// What `present` lists is not new until it changes.
    explicit FolderWatch(const std::vector<ListedFile>& present, Nanoseconds quiet = kQuiet);

    /// Takes what is there at a moment of a steady clock. Gives each new file once it has not changed for the
    /// quiet time. It waits for no other file than those whose names differ from its own in numbers alone,
    /// which are written beside it as the ranks of one run, and are given with it. A file that changes
    /// afterwards is new again. O(files × log(files)).
    std::vector<std::string> look(const std::vector<ListedFile>& listing, Nanoseconds now);

private:
    struct Fresh
    {
        ListedFile file;
        Nanoseconds since = 0; ///< when it was first seen like this
    };

    Nanoseconds m_quiet;
    std::map<std::string, ListedFile> m_known; ///< given, or there from the start
    std::map<std::string, Fresh> m_fresh;
};

/// How far a file in a watched folder has come.
enum class Arrival : std::uint8_t
{
    Recording, ///< it ends where it should
    Part, ///< of a recording, or of anything that cannot be read yet
    Log ///< it may well go on growing
};

/// Reads all of the file.
Arrival arrivalOf(const std::string& path, const StopToken& stop);

} // namespace highwater
