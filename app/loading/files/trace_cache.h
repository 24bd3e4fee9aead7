#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "importers/importer.h"

namespace highwater {

/// Large files that were read once, stored in the compact format so that they open quickly. Bounded: least
/// recently used entries are removed first. An entry belongs to one path and one identity of the file; a
/// changed or replaced file is read again. Everything in it can be deleted at any time.
class TraceCache
{
public:
    /// Files below this size open quickly enough without it.
    static constexpr std::uint64_t kMinFileBytes = std::uint64_t{32} << 20;
    static constexpr std::uint64_t kDefaultMaxBytes = std::uint64_t{2} << 30;

    explicit TraceCache(std::filesystem::path folder, std::uint64_t maxBytes = kDefaultMaxBytes);

    /// Path of the entry for this file, if there is one; it counts as used now.
    std::optional<std::string> find(const std::string& path, const FileIdentity& file) const;
    /// Stores a trace that was completely read from the file, unless the file changed meanwhile, or changed
    /// so recently that it could change again without a sign. Failing to write is not an error.
    void store(const std::string& path, const ImportedTrace& imported) const;
    void clear() const;

    /// The user's cache folder by the XDG rules; none without a home.
    static std::optional<std::filesystem::path> defaultFolder();

private:
    std::optional<std::filesystem::path> entryOf(const std::string& path, const FileIdentity& file) const;
    void evict() const;

    std::filesystem::path m_folder;
    std::uint64_t m_maxBytes;
};

} // namespace highwater
