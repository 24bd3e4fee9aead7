#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A temporary folder for one rehearsal, `highwater-rehearsal-XXXXXX`. The destructor removes it with
/// everything in it. If the process is killed, the next rehearsal of the same user removes the folder. A
/// folder in use is locked, perhaps by a process in another container; the system releases the lock however
/// the process ends.
class RehearsalFolder
{
public:
    /// Creates the folder in `parent`, and removes the folders that earlier processes have left there. Fails
    /// with CannotRead.
    static Result<RehearsalFolder> create(const std::filesystem::path& parent);
    RehearsalFolder(RehearsalFolder&& other) noexcept;
    RehearsalFolder& operator=(RehearsalFolder&&) = delete;
    ~RehearsalFolder();

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    /// False on file systems without locks, where other processes cannot see when this one ends.
    bool isLocked() const { return m_isLocked; }

private:
    RehearsalFolder(std::filesystem::path path, int handle, bool isLocked)
        : m_path(std::move(path))
        , m_handle(handle)
        , m_isLocked(isLocked)
    {
    }
    std::filesystem::path m_path; ///< empty once moved from
    int m_handle; ///< holds the lock while it is open
    bool m_isLocked;
};

} // namespace highwater::rehearse
