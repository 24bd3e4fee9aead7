#include "app/cli/input/kept_inputs.h"

#include <algorithm>

#include <sys/stat.h>

namespace highwater::cli {

namespace {

constexpr std::size_t kMostFiles = 6;
/// Of the files as they lie on disk; one is kept whatever its size.
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 30;

} // namespace

std::optional<KeptInputs::Version> KeptInputs::versionOf(const std::string& path)
{
    struct stat about
    {
    };
    if (::stat(path.c_str(), &about) != 0)
        return std::nullopt;
    return Version{about.st_dev, about.st_ino, static_cast<std::uint64_t>(about.st_size),
        std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec};
}

void KeptInputs::use(const std::string& path, std::shared_ptr<const Trace> trace)
{
    const bool isKnown = std::ranges::any_of(m_used, [&](const auto& used) { return used.first == path; });
    if (!isKnown)
        m_used.emplace_back(path, std::move(trace));
}

std::optional<ImportedTrace> KeptInputs::find(const std::string& path)
{
    const std::scoped_lock lock(m_mutex);
    const auto kept = std::ranges::find(m_kept, path, &Kept::path);
    if (kept == m_kept.end())
        return std::nullopt;
    if (versionOf(path) != kept->version) {
        m_kept.erase(kept);
        return std::nullopt;
    }
    std::rotate(m_kept.begin(), kept, kept + 1);
    use(path, m_kept.front().imported.trace);
    return m_kept.front().imported;
}

void KeptInputs::keep(const std::string& path, const ImportedTrace& imported)
{
    const std::scoped_lock lock(m_mutex);
    use(path, imported.trace);
    const std::optional<Version> version = versionOf(path);
    if (!version)
        return;
    std::erase_if(m_kept, [&](const Kept& kept) { return kept.path == path; });
    m_kept.push_front({path, *version, imported});
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (const Kept& kept : m_kept) {
        bytes += kept.version.bytes;
        if (count > 0 && (count == kMostFiles || bytes > kMostBytes))
            break;
        ++count;
    }
    m_kept.resize(count);
}

std::vector<std::pair<std::string, std::shared_ptr<const Trace>>> KeptInputs::takeUsed()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_used, {});
}

} // namespace highwater::cli
