#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::cli {

/// The folders below which an agent may read files. Their paths are kept with all symbolic links resolved.
class GrantedFolders
{
public:
    /// Fails with CannotRead if one of `folders` is not a folder.
    static Result<GrantedFolders> of(const std::vector<std::string>& folders);

    const std::vector<std::string>& folders() const { return m_folders; }

    /// Returns the absolute path, without links, of a file or folder below one of these folders; a relative
    /// path is looked up in each. The files directly in a folder, except hidden ones, must be below these
    /// folders, too. Fails with BadRequest; its message does not reveal if a path outside exists.
    Result<std::string> resolve(const std::string& path) const;

    /// Resolves the path of a folder as `resolve` does, without checking the files in it. Fails with
    /// BadRequest also if the path is a file.
    Result<std::string> resolveFolder(const std::string& path) const;
    /// True if the path is one of these folders or inside one. Its links must have been resolved.
    bool isReadable(const std::string& path) const;

private:
    /// `shown` is the path as it was requested.
    Result<std::string> resolveAbsolute(const std::string& path, const std::string& shown) const;
    Result<std::string> resolveAny(const std::string& path) const;
    Result<std::string> withCheckedEntries(const std::string& path, const std::string& resolved) const;

    std::vector<std::string> m_folders;
};

} // namespace highwater::cli
