#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace highwater {

/// A file that appears completely or not at all. It is written next to its target under a temporary name,
/// flushed to disk, then moved into place in one step. Until then, and on any error before, the existing
/// file is unchanged.
///
/// The destructor removes the temporary file. Only a killed program leaves its file behind
/// (`.highwater-save-TARGET-PROCESS-NUMBER.part`, where TARGET is a hash of the target's name). A program
/// that starts later and saves the same file removes it if that process has ended.
///
/// The new file takes over the permissions of the file it replaces and, if allowed, its owner. A symbolic
/// link is kept: the file it points to is replaced. Only regular files are ever replaced.
class AtomicFile
{
public:
    /// Fails with CannotRead and a message such as "cannot be saved: its folder does not exist".
    static Result<AtomicFile> create(const std::string& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    AtomicFile(const AtomicFile&) = delete;
    /// Discards the file unless it was moved into place.
    ~AtomicFile();

    /// Returns false if writing failed, now or earlier; `commit` returns the reason.
    bool write(std::string_view bytes);
    /// Flushes everything to disk, so that `commit` cannot run out of space. To save several files together,
    /// call it on each before any `commit`. Fails as `commit` does. Call it after the last `write`.
    Result<void> finish();
    /// Moves the file into place; call it once. Fails with CannotRead: "cannot be saved: no space left on the
    /// disk".
    Result<void> commit();

private:
    AtomicFile(std::string target, std::string temporary, std::FILE* file)
        : m_target(std::move(target))
        , m_temporary(std::move(temporary))
        , m_file(file)
    {
    }
    void close();
    void discard();

    std::string m_target; ///< after resolving all links
    std::string m_temporary; ///< empty once moved into place or discarded
    std::FILE* m_file; ///< null once closed
    int m_error = 0; ///< errno of the first failure
};

/// Returns the reason that a file cannot be saved, from an errno value: "no space left on the disk".
std::string saveErrorText(int error);

/// Removes the temporary files of all targets that killed programs of this user have left in a folder before
/// this program started. Call it only for this program's own folders, such as its cache: in other folders
/// another machine may be writing.
void removeSaveLeftovers(const std::string& folder);

/// Writes the whole file in one call (`AtomicFile`).
Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);

} // namespace highwater
