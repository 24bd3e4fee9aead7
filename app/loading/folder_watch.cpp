#include "app/loading/folder_watch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string_view>
#include <system_error>

#include "app/loading/load_file.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/characters.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 8> kEndings{
    ".pickle", ".pkl", ".json", ".html", ".gz", ".zst", ".sqlite", ".hwt"};

/// True for a name that is not hidden and ends like that of a snapshot or trace.
bool hasRecordingName(const std::string& name)
{
    return !name.starts_with('.')
        && std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// Removes the digits, which tell the ranks of a run apart.
std::string withoutDigits(std::string name)
{
    std::erase_if(name, isDigit);
    return name;
}

} // namespace

Result<std::vector<ListedFile>> listRecordings(const std::filesystem::path& folder)
{
    std::error_code error;
    std::vector<ListedFile> files;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        std::error_code gone; // deleted after it was listed
        if (!entry->is_regular_file(gone) || !hasRecordingName(entry->path().filename().string()))
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
    : m_quietTime(quiet)
{
    for (const ListedFile& file : present)
        m_known.emplace(file.path, file);
}

std::vector<std::string> FolderWatch::look(const std::vector<ListedFile>& listing, Nanoseconds now)
{
    std::map<std::string, NewFile> newFiles;
    for (const ListedFile& file : listing) {
        const auto known = m_known.find(file.path);
        if (file.bytes == 0 || (known != m_known.end() && known->second == file))
            continue;
        const auto seenBefore = m_newFiles.find(file.path);
        const bool isSame = seenBefore != m_newFiles.end() && seenBefore->second.file == file;
        newFiles.emplace(file.path, NewFile{file, isSame ? seenBefore->second.since : now});
    }
    m_newFiles = std::move(newFiles);
    std::set<std::string> namesInWriting;
    for (const auto& [path, file] : m_newFiles)
        if (now - file.since < m_quietTime)
            namesInWriting.insert(withoutDigits(path));
    std::vector<std::string> completeFiles;
    std::erase_if(m_newFiles, [&](auto& entry) {
        auto& [path, file] = entry;
        const Nanoseconds unchangedTime = now - file.since;
        const bool isWaiting
            = unchangedTime < kMaxQuietPeriods * m_quietTime && namesInWriting.contains(withoutDigits(path));
        if (unchangedTime < m_quietTime || isWaiting)
            return false;
        completeFiles.push_back(path);
        m_known.insert_or_assign(path, std::move(file.file));
        return true;
    });
    return completeFiles;
}

Arrival classifyArrival(const std::string& path, const StopToken& stop)
{
    LoadOptions options;
    options.stop = stop;
    const Result<ImportedTrace> read = loadFile(path, options);
    if (!read)
        return Arrival::Part;
    return isLog(*read->trace) ? Arrival::Log : read->incomplete ? Arrival::Part : Arrival::Recording;
}

} // namespace highwater
