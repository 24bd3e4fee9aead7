#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A temporary folder for one rehearsal, removed with everything in it. A process that is killed leaves it
/// behind (`highwater-rehearsal-XXXXXX`); the next rehearsal of the same user removes it. The process holds a
/// lock on its folder, which the system releases however the process ends: a locked folder is in use, perhaps
/// by a process in another container.
class RehearsalFolder
{
public:
    /// Makes the folder in `parent`, and removes those that earlier processes have left there. Fails with
    /// CannotRead.
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
