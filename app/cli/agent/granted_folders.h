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

    /// Resolves all links in the path of a file or folder below one of these folders; a relative path is
    /// looked up in each. If the path is a folder, every file in that folder must be below one of these
    /// folders, too. Fails with BadRequest, with the same message for every path outside, whether or not it
    /// exists.
    Result<std::string> resolve(const std::string& path) const;

    /// Resolves the path of a folder in the same way, to list the names in that folder: its files are not
    /// checked. Fails with BadRequest also if the path is a file.
    Result<std::string> resolveFolder(const std::string& path) const;
    /// True if a path, with all links resolved, is one of these folders or is inside one.
    bool isReadable(const std::string& path) const;

private:
    /// `shown` is the path as it was requested.
    Result<std::string> resolveAbsolute(const std::string& path, const std::string& shown) const;
    Result<std::string> resolveAny(const std::string& path) const;
    Result<std::string> withCheckedEntries(const std::string& path, const std::string& resolved) const;

    std::vector<std::string> m_folders;
};

} // namespace highwater::cli
