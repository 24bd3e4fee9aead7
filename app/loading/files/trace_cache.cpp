#include "app/loading/files/trace_cache.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "app/loading/files/atomic_file.h"
#include "importers/native/native_format.h"
#include "importers/native/native_writer.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".hwt";

struct Entry
{
    fs::path path;
    fs::file_time_type lastUse;
    std::uint64_t bytes = 0;
};

/// Lists the entries of the cache; none if the folder cannot be read.
std::vector<Entry> entriesIn(const fs::path& folder)
{
    std::vector<Entry> entries;
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
        std::error_code ignored;
        if (file->path().extension() == kEnding)
            entries.push_back({file->path(), file->last_write_time(ignored), file->file_size(ignored)});
    }
    return entries;
}

} // namespace

TraceCache::TraceCache(fs::path folder, std::uint64_t maxBytes)
    : m_folder(std::move(folder))
    , m_maxBytes(maxBytes)
{
}

std::optional<fs::path> TraceCache::defaultFolder()
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && cache[0] == '/')
        return fs::path(cache) / "highwater";
    const char* home = std::getenv("HOME");
    return home && home[0] == '/' ? std::optional(fs::path(home) / ".cache" / "highwater") : std::nullopt;
}

std::optional<fs::path> TraceCache::entryOf(const std::string& path, const FileIdentity& file) const
{
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(path, error);
    if (error || file.bytes < kMinFileBytes)
        return std::nullopt;
    const std::string identity = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", absolute.string(), file.device,
        file.inode, file.bytes, file.modifiedNs, file.changedNs, native::kVersion);
    const XXH128_hash_t hash = XXH3_128bits(identity.data(), identity.size());
    return m_folder / fmt::format("{:016x}{:016x}{}", hash.high64, hash.low64, kEnding);
}

std::optional<std::string> TraceCache::find(const std::string& path, const FileIdentity& file) const
{
    const std::optional<fs::path> entry = entryOf(path, file);
    std::error_code error;
    if (!entry || !fs::is_regular_file(*entry, error))
        return std::nullopt;
    fs::last_write_time(*entry, fs::file_time_type::clock::now(), error);
    return entry->string();
}

void TraceCache::store(const std::string& path, const ImportedTrace& imported) const
{
    if (!imported.file || !imported.fileIsSettled)
        return;
    const std::optional<fs::path> entry = entryOf(path, *imported.file);
    std::error_code error;
    if (!entry || (fs::create_directories(m_folder, error), error))
        return;
    // Recordings contain source paths, so only the owner may read them.
    fs::permissions(m_folder, fs::perms::owner_all, error);
    removeSaveLeftovers(m_folder.string());
    Result<AtomicFile> file = AtomicFile::create(entry->string());
    if (!file || !writeNative(*imported.trace, [&](std::string_view bytes) { return file->write(bytes); }))
        return;
    if (file->commit())
        evict();
}

void TraceCache::evict() const
{
    std::vector<Entry> entries = entriesIn(m_folder);
    std::ranges::sort(entries, std::greater(), &Entry::lastUse);
    std::uint64_t total = 0;
    for (const Entry& entry : entries) {
        total += entry.bytes;
        std::error_code ignored;
        if (total > m_maxBytes)
            fs::remove(entry.path, ignored);
    }
}

void TraceCache::clear() const
{
    for (const Entry& entry : entriesIn(m_folder)) {
        std::error_code ignored;
        fs::remove(entry.path, ignored);
    }
}

} // namespace highwater
