#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"

namespace highwater::cli {

/// The folders below which files may be read, with all links resolved.
class GrantedFolders
{
public:
    /// Fails with CannotRead where one is no folder.
    static Result<GrantedFolders> of(const std::vector<std::string>& folders);

    const std::vector<std::string>& folders() const { return m_folders; }

    /// The path with all links resolved, of a file or folder below one of these; a relative path is looked
    /// up in each. Of a folder, every file that it lists must be below one of these, too. Fails with
    /// BadRequest, and with the same sentence for whatever lies outside, whether it is there or not.
    Result<std::string> resolve(const std::string& path) const;

    /// The same of a folder of which nothing is read but the names in it.
    Result<std::string> resolveFolder(const std::string& path) const;
    /// Whether a path, with all links resolved, is one of these folders or lies below one.
    bool isReadable(const std::string& path) const;

private:
    /// `shown`: the path as it was asked for.
    Result<std::string> resolveAbsolute(const std::string& path, const std::string& shown) const;
    Result<std::string> resolveAny(const std::string& path) const;
    Result<std::string> withEntriesBelow(const std::string& path, const std::string& resolved) const;

    std::vector<std::string> m_folders;
};

} // namespace highwater::cli
