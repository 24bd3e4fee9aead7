#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::cli {

/// The folders in which files may be read, subfolders included; with all links resolved.
class GrantedFolders
{
public:
    /// Fails with CannotRead if one is not a folder.
    static Result<GrantedFolders> of(const std::vector<std::string>& folders);

    const std::vector<std::string>& folders() const { return m_folders; }

    /// Resolves all links in the path of a file or folder below one of these folders; a relative path is
    /// looked up in each. For a folder, every file that it lists must be below one of these folders, too.
    /// Fails with BadRequest, with the same message for every path outside, whether or not it exists.
    Result<std::string> resolve(const std::string& path) const;

    /// Does the same for a folder of which only the names in it are read.
    Result<std::string> resolveFolder(const std::string& path) const;
    /// True if a path, with all links resolved, is one of these folders or is inside one.
    bool isReadable(const std::string& path) const;

private:
    /// `shown` is the path as it was requested.
    Result<std::string> resolveAbsolute(const std::string& path, const std::string& shown) const;
    Result<std::string> resolveAny(const std::string& path) const;
    Result<std::string> withEntriesBelow(const std::string& path, const std::string& resolved) const;

    std::vector<std::string> m_folders;
};

} // namespace highwater::cli
