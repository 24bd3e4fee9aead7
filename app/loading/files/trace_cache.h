#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "importers/importer.h"

namespace highwater {

/// A folder with large files that were read once, stored in the compact format so that they open quickly. An
/// entry belongs to one path and one identity of the file; a changed or replaced file is read again. When an
/// entry is stored and the folder exceeds its limit, the least recently used entries are removed. All of its
/// content can be deleted at any time.
class TraceCache
{
public:
    /// Smaller files are not stored, since they open quickly anyway.
    static constexpr std::uint64_t kMinFileBytes = std::uint64_t{32} << 20;
    static constexpr std::uint64_t kDefaultMaxBytes = std::uint64_t{2} << 30;

    explicit TraceCache(std::filesystem::path folder, std::uint64_t maxBytes = kDefaultMaxBytes);

    /// Returns the path of this file's entry and marks it as just used; nullopt if there is none.
    std::optional<std::string> find(const std::string& path, const FileIdentity& file) const;
    /// Stores the trace, which must have been read completely from a file in another format. Does nothing for
    /// a small file, or if the file changed while it was read or shortly before. Write errors are ignored.
    void store(const std::string& path, const ImportedTrace& imported) const;
    /// Removes all entries.
    void clear() const;

    /// Returns the user's cache folder by the XDG rules; nullopt if there is no home folder.
    static std::optional<std::filesystem::path> defaultFolder();

private:
    std::optional<std::filesystem::path> entryOf(const std::string& path, const FileIdentity& file) const;
    void evict() const;

    std::filesystem::path m_folder;
    std::uint64_t m_maxBytes;
};

} // namespace highwater
