#include "core/run/choice/run_sorting.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

namespace highwater {

namespace {

/// A recording is compared with at most this many of a run, or of its own rank: the last ones added.
constexpr std::size_t kMaxDumps = 8;
/// Recordings without a rank are compared with the others of their run only if there are at most this many.
constexpr std::size_t kMaxUnranked = 64;

/// The files of a run so far, and the combined facts of its recordings.
struct RunFiles
{
    std::vector<std::size_t> files;
    std::map<std::int64_t, std::vector<std::size_t>> byRank; ///< Recordings by rank
    std::vector<std::size_t> recordings;
    RunEvidence evidence;
};

class RunSorter
{
public:
    explicit RunSorter(std::span<const MainCandidate> files)
        : m_files(files)
        , m_places(files.size())
    {
    }

    std::vector<FilePlace> sorted()
    {
        std::vector<std::size_t> order(m_files.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
            return isRecording(a) != isRecording(b) ? isRecording(a)
                                                    : isBefore(m_files[a].member, m_files[b].member);
        });
        for (const std::size_t file : order)
            assignToRun(file);
        numberProcesses();
        return std::move(m_places);
    }

    std::optional<Contradiction> contradictionWith(std::size_t file, const RunFiles& run) const
    {
        const RunEvidence& evidence = m_files[file].evidence;
        if (!isRecording(file))
            return run.recordings.empty() ? std::nullopt : contradictionOfLog(evidence, run.evidence);
        const std::optional<std::int64_t> rank = m_files[file].member.rank;
        if (rank && run.evidence.worldSize && *rank >= *run.evidence.worldSize)
            return Contradiction{Contradiction::Kind::WorldSize, "one run has no such rank"};
        if (const auto same = rank ? run.byRank.find(*rank) : run.byRank.end(); same != run.byRank.end())
            return contradictionOfSameRank(evidence, same->second);
        for (const std::size_t other : lastDumps(run.recordings))
            if (auto found = contradictionOfRecordings(
                    evidence, m_files[other].evidence, false, rank && m_files[other].member.rank))
                return found;
        return std::nullopt;
    }

    void add(std::size_t file, RunFiles& run) const
    {
        run.files.push_back(file);
        if (!isRecording(file))
            return;
        const MainCandidate& added = m_files[file];
        run.recordings.push_back(file);
        if (added.member.rank)
            run.byRank[*added.member.rank].push_back(file);
        addEvidence(run.evidence, added.evidence, run.recordings.size() == 1);
    }

private:
    bool isRecording(std::size_t file) const { return m_files[file].content == FileContent::Allocations; }

    static std::span<const std::size_t> lastDumps(const std::vector<std::size_t>& files)
    {
        return std::span(files).last(std::min(files.size(), kMaxDumps));
    }

    std::optional<Contradiction> contradictionOfSameRank(
        const RunEvidence& evidence, const std::vector<std::size_t>& dumps) const
    {
        for (const std::size_t other : lastDumps(dumps))
            if (auto found = contradictionOfRecordings(evidence, m_files[other].evidence, true, false))
                return found;
        return std::nullopt;
    }

    /// Adds a recording's facts to those of its run, with which further files are compared. Times on another
    /// clock than the times so far are left out.
    static void addEvidence(RunEvidence& combined, const RunEvidence& added, bool isFirst)
    {
        if (isFirst) {
            combined = added;
            return;
        }
        if (combined.clock == added.clock && combined.times && added.times)
            combined.times = {std::min(combined.times->begin, added.times->begin),
                std::max(combined.times->end, added.times->end)};
        else if (!combined.times) {
            combined.times = added.times;
            combined.clock = added.clock;
        }
        if (!combined.worldSize)
            combined.worldSize = added.worldSize;
        std::vector<std::uint64_t> code;
        std::ranges::set_union(combined.code, added.code, std::back_inserter(code));
        code.resize(std::min(code.size(), RunEvidence::kMaxFunctions));
        combined.code = std::move(code);
        combined.failedRequests.insert(
            combined.failedRequests.end(), added.failedRequests.begin(), added.failedRequests.end());
        combined.reservedPeakBytes = std::max(combined.reservedPeakBytes, added.reservedPeakBytes);
    }

    /// Measures how much the file has in common with the run; larger is more.
    std::tuple<bool, double, std::size_t> similarity(std::size_t file, const RunFiles& run) const
    {
        const MainCandidate& first = m_files[run.files.front()];
        const MainCandidate& added = m_files[file];
        const std::string& a = first.member.path;
        const std::string& b = added.member.path;
        const auto common = std::ranges::mismatch(a, b).in1 - a.begin();
        return {timeBetween(added.evidence, run.evidence) == Nanoseconds{0},
            sharedCodeShare(added.evidence, run.evidence), static_cast<std::size_t>(common)};
    }

    void assignToRun(std::size_t file)
    {
        std::optional<std::size_t> bestRun;
        for (std::size_t run = 0; run < m_runs.size(); ++run)
            if (!contradictionWith(file, m_runs[run])
                && (!bestRun || similarity(file, m_runs[run]) > similarity(file, m_runs[*bestRun])))
                bestRun = run;
        if (!bestRun) {
            bestRun = m_runs.size();
            m_runs.emplace_back();
        }
        add(file, m_runs[*bestRun]);
        m_places[file].run = *bestRun;
    }

    /// True if no recording has a rank and all recordings of the same kind belong to one process. Recordings
    /// of different kinds cannot be compared, so nothing then speaks against one process for all.
    bool areKindsOfOneProcess(const RunFiles& run, const std::vector<std::size_t>& process) const
    {
        std::map<TraceKind, std::size_t> processOfKind;
        return std::ranges::all_of(run.recordings, [&](std::size_t file) {
            const auto [known, isNew] = processOfKind.emplace(m_files[file].evidence.kind, process[file]);
            return !m_files[file].member.rank && (isNew || known->second == process[file]);
        });
    }

    void numberProcesses()
    {
        std::vector<std::size_t> process(m_files.size());
        std::iota(process.begin(), process.end(), std::size_t{0});
        const auto merge = [&](std::size_t a, std::size_t b) {
            const auto [lower, higher] = std::minmax({process[a], process[b]});
            if (lower != higher)
                std::ranges::replace(process, higher, lower);
        };
        for (const RunFiles& run : m_runs) {
            for (const auto& [rank, dumps] : run.byRank)
                for (const std::size_t dump : dumps)
                    merge(dump, dumps.front());
            for (const std::size_t file : unranked(run))
                for (const std::size_t other : run.recordings)
                    if (other != file
                        && isSameProcess(m_files[file].evidence, m_files[other].evidence) == SameProcess::Yes)
                        merge(file, other);
            if (areKindsOfOneProcess(run, process))
                for (const std::size_t file : run.recordings)
                    merge(file, run.recordings.front());
        }
        std::map<std::size_t, std::int64_t> ranks;
        for (std::size_t file = 0; file < m_files.size(); ++file)
            if (m_files[file].member.rank)
                ranks.emplace(process[file], *m_files[file].member.rank);
        for (std::size_t file = 0; file < m_files.size(); ++file) {
            m_places[file].process = process[file];
            if (const auto known = ranks.find(process[file]); known != ranks.end())
                m_places[file].rank = known->second;
        }
    }

    /// Returns the run's recordings without a rank; empty if there are too many to compare.
    std::vector<std::size_t> unranked(const RunFiles& run) const
    {
        std::vector<std::size_t> files;
        for (const std::size_t file : run.recordings)
            if (!m_files[file].member.rank)
                files.push_back(file);
        if (files.size() > kMaxUnranked)
            files.clear();
        return files;
    }

    std::span<const MainCandidate> m_files;
    std::vector<FilePlace> m_places;
    std::vector<RunFiles> m_runs;
};

} // namespace

std::vector<FilePlace> sortIntoRuns(std::span<const MainCandidate> files)
{
    return RunSorter(files).sorted();
}

std::optional<Contradiction> contradictionBetween(std::span<const MainCandidate> files,
    std::span<const FilePlace> places, std::size_t run, std::size_t otherRun)
{
    const RunSorter sorter(files);
    RunFiles runFiles;
    for (std::size_t file = 0; file < files.size(); ++file)
        if (places[file].run == run)
            sorter.add(file, runFiles);
    for (std::size_t file = 0; file < files.size(); ++file)
        if (places[file].run == otherRun)
            if (std::optional<Contradiction> found = sorter.contradictionWith(file, runFiles))
                return found;
    return std::nullopt;
}

} // namespace highwater
