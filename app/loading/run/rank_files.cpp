#include "app/loading/run/rank_files.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "app/loading/background.h"
#include "app/loading/files/small_file.h"
#include "app/loading/rank_identity.h"
#include "app/loading/run/main_candidate.h"
#include "app/loading/run/run_assembly.h"
#include "app/loading/summary_file.h"
#include "core/analysis/ranks/evidence_of_run.h"
#include "core/analysis/ranks/rank_merge.h"
#include "core/study/summarize.h"
#include "importers/source/file_source.h"
#include "importers/summary/summary_reader.h"

namespace highwater {

namespace {

namespace fs = std::filesystem;

/// Number of files whose summaries are read before they are passed on in order.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kMaxFolderDepth = 8;

/// Adds the files of a folder and its subfolders, sorted by name.
void addFolder(const std::string& folder, std::size_t depth, std::vector<std::string>& paths)
{
    std::vector<std::string> inside;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (!entry->path().filename().string().starts_with('.'))
            inside.push_back(entry->path().string());
    std::ranges::sort(inside);
    for (std::string& path : inside) {
        std::error_code unknown;
        if (fs::is_directory(path, unknown) && !fs::is_symlink(path, unknown)) {
            if (depth < kMaxFolderDepth)
                addFolder(path, depth + 1, paths);
        } else if (fs::is_regular_file(path, unknown)) {
            paths.push_back(std::move(path));
        }
    }
}

/// Adds the paths in a list of files.
Result<void> addList(const std::string& list, std::vector<std::string>& paths)
{
    constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
    const Result<std::string> text
        = readSmallFile(list, "exceeds the limit for a list of files (64 MiB)", kMaxBytes);
    if (!text)
        return fail(text.error().code, fmt::format("the list {} {}", list, text.error().message));
    std::istringstream file(*text);
    const fs::path folder = fs::path(list).parent_path();
    for (std::string line; std::getline(file, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (!line.empty() && line[0] != '#')
            paths.push_back(fs::path(line).is_absolute() ? line : (folder / line).string());
    }
    return {};
}

/// The summary in a file, or the error in reading the file. `isRead` is false for a recording, which is still
/// to be read.
struct SniffedRank
{
    bool isRead = false;
    Result<RankSummary> summary = RankSummary();
};

/// Reads the file if it is a summary, and only its first bytes otherwise.
SniffedRank readIfSummary(const std::string& path, const LoadOptions& load)
{
    const Result<bool> isSummary = isSummaryFile(path);
    if (!isSummary)
        return {true, tl::unexpected(isSummary.error())};
    if (!*isSummary)
        return {};
    Result<std::unique_ptr<ByteSource>> file = openFile(path, load.stop);
    if (!file)
        return {true, tl::unexpected(file.error())};
    ImportOptions options;
    options.maxMemoryBytes = load.maxMemoryBytes ? load.maxMemoryBytes : memoryLimitForLoading();
    options.stop = load.stop;
    return {true, interruptible(load.stop, [&]() -> Result<RankSummary> {
                return readSummary(**file, options, SummaryParts::Figures);
            })};
}

/// Reads a whole recording and reduces it to what the merge needs.
Result<ReadRank> rankOfRecording(const std::string& path, const LoadOptions& load)
{
    return interruptible(load.stop, [&]() -> Result<ReadRank> {
        const Result<ImportedTrace> imported = loadFile(path, load);
        if (!imported)
            return tl::unexpected(imported.error());
        const Trace& trace = *imported->trace;
        if (trace.devices.empty())
            return fail(ErrorCode::UnknownFormat, "no GPU memory recorded; not used as a rank");
        Result<RunParts> parts = partsOf(shownName(path), *imported, {});
        if (!parts)
            return tl::unexpected(parts.error());
        const RunStudy study(*std::move(parts));
        const DeviceFigures figures = deviceFigures(trace, study.device()->device);
        return ReadRank{
            rankSummary(path, study), mainCandidate(path, trace, study.device()->device, &figures)};
    });
}

/// Returns, at index i, the total size of the first i files in bytes.
std::vector<std::uint64_t> bytesUpTo(const std::vector<std::string>& paths)
{
    std::vector<std::uint64_t> sums{0};
    for (const std::string& path : paths) {
        std::error_code error;
        const std::uintmax_t bytes = fs::file_size(path, error);
        sums.push_back(sums.back() + (error ? 0 : bytes));
    }
    return sums;
}

/// Reads those of the files [first, last) that are summaries, in parallel.
std::vector<SniffedRank> readBatch(
    const std::vector<std::string>& paths, std::size_t first, std::size_t last, const LoadOptions& load)
{
    std::vector<SniffedRank> batch(last - first);
    const std::size_t workers = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    std::atomic<std::size_t> nextIndex = first;
    const auto work = [&] {
        for (std::size_t i = nextIndex++; i < last; i = nextIndex++)
            batch[i - first] = readIfSummary(paths[i], load);
        return true;
    };
    std::vector<std::future<bool>> helpers;
    for (std::size_t i = 1; i < std::min(workers, last - first); ++i)
        helpers.push_back(inBackground(work));
    work();
    for (std::future<bool>& helper : helpers)
        helper.get();
    return batch;
}

/// Completes a summary that was read: one without a rank gets the identity from its path, if that names a
/// rank.
Result<ReadRank> rankOfSummary(const std::string& path, Result<RankSummary> summary)
{
    if (!summary)
        return tl::unexpected(summary.error());
    if (!summary->identity.rank)
        if (RankIdentity fromPath = identityFromPath(path); fromPath.rank)
            summary->identity = std::move(fromPath);
    MainCandidate facts = mainCandidate(path, *summary);
    return ReadRank{*std::move(summary), std::move(facts)};
}

} // namespace

Result<std::vector<std::string>> rankPaths(const std::vector<std::string>& arguments)
{
    std::vector<std::string> paths;
    for (const std::string& argument : arguments) {
        std::error_code error;
        if (argument.starts_with('@') && !fs::exists(argument, error)) {
            if (Result<void> added = addList(argument.substr(1), paths); !added)
                return tl::unexpected(added.error());
        } else if (fs::is_directory(argument, error)) {
            addFolder(argument, 0, paths);
        } else {
            paths.push_back(argument);
        }
    }
    std::set<std::string> known;
    std::erase_if(paths, [&](const std::string& path) { return !known.insert(path).second; });
    return paths;
}

Result<void> readRanks(
    const std::vector<std::string>& paths, const LoadOptions& load, const RankTaker& receive)
{
    const std::vector<std::uint64_t> bytesBefore = bytesUpTo(paths);
    ThrottledProgress progress(load.progress);
    LoadOptions silent = load; // the progress within one file says nothing about all of them
    silent.progress = nullptr;
    for (std::size_t first = 0; first < paths.size(); first += kBatch) {
        const std::size_t last = std::min(first + kBatch, paths.size());
        std::vector<SniffedRank> batch = readBatch(paths, first, last, silent);
        for (std::size_t i = first; i < last; ++i) {
            if (load.stop.stopRequested())
                return fail(ErrorCode::Cancelled, "cancelled");
            SniffedRank& read = batch[i - first];
            receive(i,
                read.isRead ? rankOfSummary(paths[i], std::move(read.summary))
                            : rankOfRecording(paths[i], silent));
            progress.report(bytesBefore[i + 1], bytesBefore.back());
        }
    }
    return {};
}

RankSummary rankSummary(const std::string& path, const RunStudy& study)
{
    RankSummary summary = summarize(study, kLeanestSummary);
    summary.identity = identityOf(path, study.trace());
    return summary;
}

RankTrouble rankTrouble(const std::string& path, const Error& error)
{
    const std::optional<std::int64_t> rank = identityFromPath(path).rank;
    std::error_code unknown;
    const bool isEmptyRank = rank && fs::file_size(path, unknown) == 0;
    const bool isForeign = error.code == ErrorCode::UnknownFormat && !isEmptyRank;
    return {isForeign ? RankTrouble::Kind::Foreign : RankTrouble::Kind::Damaged, path, rank, toText(error)};
}

Result<RunRanks> mergeRankFiles(const std::vector<std::string>& paths, const RankFilesOptions& options)
{
    return interruptible(options.load.stop, [&]() -> Result<RunRanks> {
        RankMerge merge;
        const Result<void> read
            = readRanks(paths, options.load, [&](std::size_t path, Result<ReadRank> rank) {
                  if (rank) {
                      merge.add(std::move(rank->facts), std::move(rank->summary));
                      return;
                  }
                  merge.addTrouble(rankTrouble(paths[path], rank.error()));
                  if (options.trouble)
                      options.trouble(paths[path], rank.error());
              });
        if (!read)
            return tl::unexpected(read.error());
        return merge.finish();
    });
}

} // namespace highwater
