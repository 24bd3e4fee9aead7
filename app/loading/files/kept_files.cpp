#include "app/loading/files/kept_files.h"

#include <algorithm>

namespace highwater {

namespace {

constexpr std::size_t kMaxKeptFiles = 6;
/// Limit for the files' total size on disk. The latest file is kept whatever its size.
constexpr std::uint64_t kMaxKeptBytes = std::uint64_t{2} << 30;

} // namespace

void KeptFiles::recordUse(const std::string& path, std::shared_ptr<const Trace> trace)
{
    for (auto& [usedPath, usedTrace] : m_used)
        if (usedPath == path) {
            usedTrace = std::move(trace);
            return;
        }
    m_used.emplace_back(path, std::move(trace));
}

std::optional<ImportedTrace> KeptFiles::find(const std::string& path)
{
    const std::scoped_lock lock(m_mutex);
    const auto kept = std::ranges::find(m_kept, path, &Kept::path);
    if (kept == m_kept.end())
        return std::nullopt;
    if (identityAt(path) != kept->imported.file) {
        m_kept.erase(kept);
        return std::nullopt;
    }
    std::rotate(m_kept.begin(), kept, kept + 1);
    recordUse(path, m_kept.front().imported.trace);
    return m_kept.front().imported;
}

void KeptFiles::keep(const std::string& path, const ImportedTrace& imported)
{
    const std::scoped_lock lock(m_mutex);
    recordUse(path, imported.trace);
    std::erase_if(m_kept, [&](const Kept& kept) { return kept.path == path; });
    if (!imported.file || !imported.fileIsSettled)
        return;
    m_kept.push_front({path, imported});
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (const Kept& kept : m_kept) {
        bytes += kept.imported.file->bytes;
        if (count > 0 && (count == kMaxKeptFiles || bytes > kMaxKeptBytes))
            break;
        ++count;
    }
    m_kept.resize(count);
}

std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> KeptFiles::takeUsed()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_used, {});
}

} // namespace highwater
