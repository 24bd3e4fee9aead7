#include "app/loading/files/workspace_store.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/loading/files/atomic_file.h"
#include "app/loading/files/file_hash.h"
#include "app/loading/files/small_file.h"
#include "core/base/text_format.h"
#include "importers/source/file_source.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20; // the same limit as `workspaceFromJson`
constexpr int kMaxDepth = 2;
constexpr std::size_t kMaxNames = 10'000;

/// Returns the size of a stored file or of a link's target; nullopt if there is no such file.
std::optional<std::uint64_t> sizeOf(const fs::path& path)
{
    std::error_code error;
    if (!isStoredFile(path))
        return std::nullopt;
    const std::uint64_t bytes = fs::file_size(path, error);
    return error ? std::nullopt : std::optional(bytes);
}

/// Reports the bytes of several files, read one after the other, as one growing number without a total.
class TotalProgress : public ProgressSink
{
public:
    explicit TotalProgress(ProgressSink* sink)
        : m_sink(sink)
    {
    }
    void progressed(std::uint64_t done, std::uint64_t) override
    {
        if (m_sink)
            m_sink->progressed(m_finishedBytes + done, 0);
    }
    void finished(std::uint64_t bytes) { m_finishedBytes += bytes; }

private:
    ProgressSink* m_sink;
    std::uint64_t m_finishedBytes = 0;
};

/// The files of some folders by size. The folders are read when the first file is searched for.
class FilesBySize
{
public:
    explicit FilesBySize(std::vector<std::string> folders)
        : m_folders(std::move(folders))
    {
    }

    const std::vector<fs::path>& ofSize(std::uint64_t bytes)
    {
        if (!std::exchange(m_isRead, true))
            for (const std::string& folder : m_folders)
                read(folder);
        return m_files[bytes];
    }

private:
    void read(const fs::path& folder)
    {
        std::error_code error;
        fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator() && m_names < kMaxNames;
             entry.increment(error)) {
            ++m_names;
            if (entry.depth() >= kMaxDepth)
                entry.disable_recursion_pending();
            if (const std::optional<std::uint64_t> bytes = sizeOf(entry->path()))
                m_files[*bytes].push_back(entry->path());
        }
    }

    std::vector<std::string> m_folders;
    std::map<std::uint64_t, std::vector<fs::path>> m_files;
    std::size_t m_names = 0;
    bool m_isRead = false;
};

class Resolver
{
public:
    Resolver(fs::path folder, const ResolveOptions& options)
        : m_folder(std::move(folder))
        , m_options(options)
        , m_progress(options.progress)
        , m_files(foldersOf(m_folder, options))
    {
    }

    ResolvedSource resolve(const WorkspaceReference& reference)
    {
        const std::vector<fs::path> places = placesOf(reference);
        std::optional<fs::path> changed;
        for (const fs::path& place : places) {
            if (isSameFile(place, reference))
                return {SourceState::Found, place.string()};
            if (!changed && sizeOf(place))
                changed = place;
        }
        if (!reference.sha256.empty() && reference.bytes)
            for (const fs::path& file : m_files.ofSize(*reference.bytes))
                if (isSameFile(file, reference))
                    return {SourceState::Moved, file.string()};
        if (changed)
            return {SourceState::Changed, changed->string()};
        return {SourceState::Missing, places.empty() ? std::string() : places.front().string()};
    }

private:
    static std::vector<std::string> foldersOf(const fs::path& workspaceFolder, const ResolveOptions& options)
    {
        std::vector<std::string> folders{workspaceFolder.string()};
        folders.insert(folders.end(), options.folders.begin(), options.folders.end());
        return folders;
    }

    std::vector<fs::path> placesOf(const WorkspaceReference& reference) const
    {
        std::vector<fs::path> places;
        if (!reference.path.empty())
            places.push_back((m_folder / reference.path).lexically_normal());
        if (fs::path(reference.lastSeen).is_absolute())
            places.push_back(fs::path(reference.lastSeen).lexically_normal());
        return places;
    }

    bool isSameFile(const fs::path& path, const WorkspaceReference& reference)
    {
        const std::optional<std::uint64_t> bytes = sizeOf(path);
        if (!bytes || (reference.bytes && *bytes != *reference.bytes))
            return false;
        if (reference.sha256.empty())
            return reference.bytes.has_value();
        return hashOf(path, *bytes) == reference.sha256;
    }

    std::optional<std::string> hashOf(const fs::path& path, std::uint64_t bytes)
    {
        FileHashes& hashes = m_options.hashes ? *m_options.hashes : m_hashes;
        const std::optional<std::string> hash = hashes.hashOf(path.string(), &m_progress, m_options.stop);
        m_progress.finished(bytes);
        return hash;
    }

    fs::path m_folder;
    const ResolveOptions& m_options;
    TotalProgress m_progress;
    FilesBySize m_files;
    FileHashes m_hashes;
};

/// Resolves links in the folder's path but keeps the file's name, even if the file itself is a link.
fs::path withRealFolder(const fs::path& path)
{
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
    return error ? absolute.lexically_normal() : folder / absolute.filename();
}

fs::path folderOfWorkspace(const std::string& workspacePath)
{
    return withRealFolder(workspacePath).parent_path();
}

/// Sets the path relative to the folder if the last place is known.
void makeRelative(WorkspaceReference& reference, const fs::path& folder)
{
    if (!reference.lastSeen.empty())
        reference.path = withRealFolder(reference.lastSeen).lexically_relative(folder).generic_string();
}

} // namespace

std::string stateText(const WorkspaceReference& reference, const ResolvedSource& resolved)
{
    const std::string path = sanitizedText(resolved.path);
    switch (resolved.state) {
    case SourceState::Found: return {};
    case SourceState::Moved: return fmt::format("was found at {}", path);
    case SourceState::Missing: return "is neither at its old place nor near the workspace";
    case SourceState::Changed: break;
    }
    const std::optional<std::uint64_t> currentBytes = sizeOf(resolved.path);
    if (!currentBytes || !reference.bytes || *currentBytes == *reference.bytes)
        return "is not the saved file, but has the same size";
    const std::string currentSize = formatBytes(static_cast<Bytes>(*currentBytes));
    const std::string savedSize = formatBytes(static_cast<Bytes>(*reference.bytes));
    const bool isDistinct = currentSize != savedSize;
    return fmt::format("is not the saved file ({} instead of {})",
        isDistinct ? currentSize : formatExactBytes(static_cast<Bytes>(*currentBytes)),
        isDistinct ? savedSize : formatExactBytes(static_cast<Bytes>(*reference.bytes)));
}

Result<std::vector<ResolvedSource>> resolveReferences(const std::vector<WorkspaceReference>& references,
    const std::string& workspaceFolder, const ResolveOptions& options)
{
    Resolver resolver(withRealFolder(fs::path(workspaceFolder) / "x").parent_path(), options);
    std::vector<ResolvedSource> resolved;
    for (const WorkspaceReference& reference : references) {
        resolved.push_back(resolver.resolve(reference));
        if (options.stop.stopRequested())
            return fail(ErrorCode::Cancelled, "cancelled");
    }
    return resolved;
}

bool isWorkspaceFile(const std::string& path)
{
    if (fs::path(path).extension() == ".highwater")
        return true;
    if (!sizeOf(path))
        return false;
    std::string head(256, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return looksLikeWorkspace(head);
}

Result<ParsedWorkspace> readWorkspace(const std::string& path)
{
    return readSmallFile(path, "exceeds the limit for a workspace (64 MiB)", kMaxBytes)
        .and_then([](const std::string& text) { return workspaceFromJson(text); });
}

Result<OpenedWorkspace> openWorkspace(const std::string& path, const ResolveOptions& options)
{
    Result<ParsedWorkspace> read = readWorkspace(path);
    if (!read)
        return tl::unexpected(read.error());
    std::vector<WorkspaceReference> references;
    for (const WorkspaceSource& source : read->file.sources)
        references.push_back(source.file);
    if (read->file.configuration)
        references.push_back(*read->file.configuration);
    Result<std::vector<ResolvedSource>> resolved
        = resolveReferences(references, folderOfWorkspace(path).string(), options);
    if (!resolved)
        return tl::unexpected(resolved.error());
    OpenedWorkspace opened{std::move(*read), std::move(*resolved), {}};
    if (opened.read.file.configuration) {
        opened.configuration = std::move(opened.sources.back());
        opened.sources.pop_back();
    }
    return opened;
}

Result<void> saveWorkspace(const std::string& path, WorkspaceFile file)
{
    const fs::path folder = folderOfWorkspace(path);
    for (WorkspaceSource& source : file.sources)
        makeRelative(source.file, folder);
    if (file.configuration)
        makeRelative(*file.configuration, folder);
    const std::string text = workspaceToJson(file);
    if (text.size() > kMaxBytes)
        return fail(ErrorCode::LimitExceeded, "cannot be saved: it would exceed 64 MiB");
    return writeFileAtomically(path, text);
}

Result<void> addHashes(WorkspaceFile& file, FileHashes& hashes, ProgressSink* progress, const StopToken& stop)
{
    TotalProgress totalProgress(progress);
    const auto add = [&](WorkspaceReference& reference) {
        const std::optional<std::uint64_t> bytes = sizeOf(reference.lastSeen);
        if (!bytes)
            return;
        if (const std::optional<std::string> hash = hashes.hashOf(reference.lastSeen, &totalProgress, stop)) {
            reference.bytes = bytes;
            reference.sha256 = *hash;
        }
        totalProgress.finished(*bytes);
    };
    for (WorkspaceSource& source : file.sources)
        add(source.file);
    if (file.configuration)
        add(*file.configuration);
    if (stop.stopRequested())
        return fail(ErrorCode::Cancelled, "cancelled");
    return {};
}

WorkspaceReference referenceTo(const std::string& path)
{
    std::error_code error;
    return {{}, fs::absolute(path, error).lexically_normal().string(), {}, sizeOf(path)};
}

} // namespace highwater
