#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace highwater {

/// A file that appears whole or not at all: written beside its place under another name, brought to the disk,
/// then put in its place in one step. Until then, and whatever goes wrong before, what is there stays as it
/// is; the other file is removed. Only a program that is killed meanwhile leaves it behind
/// (`.highwater-save-TARGET-PROCESS-NUMBER.part`, TARGET a hash of the file's name); a later program that
/// saves the same file removes it, where that process lives no more.
///
/// A file that is replaced hands on its permissions and, where that is allowed, its owner. A symbolic link
/// stays one: the file that it leads to is replaced. What is no regular file is never replaced.
class AtomicFile
{
public:
    /// Fails with CannotRead and a sentence: "cannot be saved: its folder does not exist".
    static Result<AtomicFile> create(const std::string& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    AtomicFile(const AtomicFile&) = delete;
    /// Gives the file up unless it is in its place.
    ~AtomicFile();

    /// False: it did not work, now or before; `commit` will say why.
    bool write(std::string_view bytes);
    /// Puts the file in its place. Fails with CannotRead: "cannot be saved: no space left on the device".
    Result<void> commit();

private:
    AtomicFile(std::string target, std::string temporary, std::FILE* file)
        : m_target(std::move(target))
        , m_temporary(std::move(temporary))
        , m_file(file)
    {
    }
    void close();

    std::string m_target; ///< behind all links
    std::string m_temporary;
    std::FILE* m_file; ///< null: in its place, or given up
    int m_error = 0; ///< the system's number of what went wrong first
};

/// All at once.
Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);

} // namespace highwater
