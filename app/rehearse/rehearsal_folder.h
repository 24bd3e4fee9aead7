#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace highwater::rehearse {

/// A temporary folder for one rehearsal, removed with all that is in it. A process that is killed leaves it
/// behind (`highwater-rehearsal-XXXXXX`); the next rehearsal of the same user removes it. The process holds a
/// lock on its folder, which the system releases when the process ends, however it ends: a folder with a lock
/// is in use, also by a process in another container.
class RehearsalFolder
{
public:
    /// Makes it in `parent`, and removes there what earlier processes have left. Fails with CannotRead.
    static Result<RehearsalFolder> create(const std::filesystem::path& parent);
    RehearsalFolder(RehearsalFolder&& other) noexcept;
    RehearsalFolder& operator=(RehearsalFolder&&) = delete;
    ~RehearsalFolder();

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    /// False on file systems without locks: others cannot see when this process ends.
    bool isLocked() const { return m_isLocked; }

private:
    RehearsalFolder(std::filesystem::path path, int handle, bool isLocked)
        : m_path(std::move(path))
        , m_handle(handle)
        , m_isLocked(isLocked)
    {
    }
    std::filesystem::path m_path; ///< empty: moved from
    int m_handle; ///< holds the lock while it is open
    bool m_isLocked;
};

} // namespace highwater::rehearse
