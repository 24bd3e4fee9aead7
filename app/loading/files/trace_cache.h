#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Large files that were read once, stored in the compact format so that they open quickly. Bounded: least
/// recently used entries are removed first. An entry belongs to one path, size and modification time; a
/// changed file is read again. Everything in it can be deleted at any time.
class TraceCache
{
public:
    /// Files below this size open quickly enough without it.
    static constexpr std::uint64_t kMinFileBytes = std::uint64_t{32} << 20;
    static constexpr std::uint64_t kDefaultMaxBytes = std::uint64_t{2} << 30;

    explicit TraceCache(std::filesystem::path folder, std::uint64_t maxBytes = kDefaultMaxBytes);

    /// Path of the entry for this file, if there is one; it counts as used now.
    std::optional<std::string> find(const std::string& path) const;
    /// Stores the trace that was completely read from this file. Failing to write is not an error.
    void store(const std::string& path, const Trace& trace) const;
    void clear() const;

    /// The user's cache folder by the XDG rules; none without a home.
    static std::optional<std::filesystem::path> defaultFolder();

private:
    std::optional<std::filesystem::path> entryOf(const std::string& path) const;
    void evict() const;

    std::filesystem::path m_folder;
    std::uint64_t m_maxBytes;
};

} // namespace highwater
