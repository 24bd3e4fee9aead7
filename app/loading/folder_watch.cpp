#include "app/loading/folder_watch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <system_error>

#include "app/loading/load_file.h"
#include "core/analysis/logs/log_failures.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kEndings{
    ".pickle", ".pkl", ".json", ".html", ".gz", ".zst", ".sqlite", ".hwt"};

bool endsLikeARecording(const std::string& name)
{
    return !name.starts_with('.')
        && std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

} // namespace

Result<std::vector<ListedFile>> listRecordings(const std::filesystem::path& folder)
{
    std::error_code error;
    std::vector<ListedFile> files;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        std::error_code gone; // between the listing and a look at it
        if (!entry->is_regular_file(gone) || !endsLikeARecording(entry->path().filename().string()))
            continue;
        ListedFile file{entry->path().string(), entry->file_size(gone), 0};
        file.changed = std::chrono::duration_cast<std::chrono::nanoseconds>(
            entry->last_write_time(gone).time_since_epoch())
                           .count();
        if (!gone)
            files.push_back(std::move(file));
    }
    if (error)
        return fail(ErrorCode::CannotRead, "cannot read the folder: " + error.message());
    std::ranges::sort(files, {}, &ListedFile::path);
    return files;
}

FolderWatch::FolderWatch(const std::vector<ListedFile>& present, Nanoseconds quiet)
    : m_quiet(quiet)
{
    for (const ListedFile& file : present)
        m_known.emplace(file.path, file);
}

std::vector<std::string> FolderWatch::look(const std::vector<ListedFile>& listing, Nanoseconds now)
{
    std::map<std::string, Fresh> fresh;
    for (const ListedFile& file : listing) {
        const auto known = m_known.find(file.path);
        if (file.bytes == 0 || (known != m_known.end() && known->second == file))
            continue;
        const auto before = m_fresh.find(file.path);
        const bool isSame = before != m_fresh.end() && before->second.file == file;
        fresh.emplace(file.path, Fresh{file, isSame ? before->second.since : now});
    }
    m_fresh = std::move(fresh);
    const auto isQuiet = [&](const auto& each) { return now - each.second.since >= m_quiet; };
    std::vector<std::string> written;
    if (!std::ranges::all_of(m_fresh, isQuiet))
        return written;
    for (auto& [path, file] : m_fresh) {
        written.push_back(path);
        m_known.insert_or_assign(path, std::move(file.file));
    }
    m_fresh.clear();
    return written;
}

bool isCompleteRecording(const std::string& path, const StopToken& stop)
{
    LoadOptions options;
    options.stop = stop;
    const Result<ImportedTrace> read = loadFile(path, options);
    return read && !read->incomplete && !isLog(*read->trace);
}

} // namespace highwater
