#include "core/run/choice/run_sorting.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

namespace highwater {

namespace {

/// A file is compared with at most this many recordings of a run, or of its own rank.
constexpr std::size_t kMostDumps = 8;
/// A run's files without a rank are compared pairwise only if there are at most this many.
constexpr std::size_t kMostUnranked = 64;

/// The files of a run so far, and the combined facts of its recordings.
struct RunFiles
{
    std::vector<std::size_t> files;
    std::map<std::int64_t, std::vector<std::size_t>> byRank; ///< Recordings by rank
    std::vector<std::size_t> recordings;
    RunEvidence all;
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
            place(file);
        numberProcesses();
        return std::move(m_places);
    }

    std::optional<Contradiction> between(std::size_t file, const RunFiles& run) const
    {
        const RunEvidence& evidence = m_files[file].evidence;
        if (!isRecording(file))
            return run.recordings.empty() ? std::nullopt : contradictionOfLog(evidence, run.all);
        const std::optional<std::int64_t> rank = m_files[file].member.rank;
        if (rank && run.all.worldSize && *rank >= *run.all.worldSize)
            return Contradiction{Contradiction::Kind::WorldSize, "one run has no such rank"};
        if (const auto known = rank ? run.byRank.find(*rank) : run.byRank.end(); known != run.byRank.end())
            return withOwnRank(evidence, known->second);
        for (const std::size_t other : lastOf(run.recordings))
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
        join(run.all, added.evidence, run.recordings.size() == 1);
    }

private:
    bool isRecording(std::size_t file) const { return m_files[file].content == FileContent::Allocations; }

    static std::span<const std::size_t> lastOf(const std::vector<std::size_t>& files)
    {
        return std::span(files).last(std::min(files.size(), kMostDumps));
    }

    std::optional<Contradiction> withOwnRank(
        const RunEvidence& evidence, const std::vector<std::size_t>& dumps) const
    {
        for (const std::size_t other : lastOf(dumps))
            if (auto found = contradictionOfRecordings(evidence, m_files[other].evidence, true, false))
                return found;
        return std::nullopt;
    }

    static void join(RunEvidence& all, const RunEvidence& added, bool isFirst)
    {
        if (isFirst) {
            all = added;
            return;
        }
        if (all.clock == added.clock && all.times && added.times)
            all.times = {
                std::min(all.times->begin, added.times->begin), std::max(all.times->end, added.times->end)};
        else if (!all.times) {
            all.times = added.times;
            all.clock = added.clock;
        }
        if (!all.worldSize)
            all.worldSize = added.worldSize;
        std::vector<std::uint64_t> code;
        std::ranges::set_union(all.code, added.code, std::back_inserter(code));
        code.resize(std::min(code.size(), RunEvidence::kMostFunctions));
        all.code = std::move(code);
        all.failedRequests.insert(
            all.failedRequests.end(), added.failedRequests.begin(), added.failedRequests.end());
        all.reservedPeakBytes = std::max(all.reservedPeakBytes, added.reservedPeakBytes);
    }

    /// Measures how much the file has in common with the run; larger is more.
    std::tuple<bool, double, std::size_t> likeness(std::size_t file, const RunFiles& run) const
    {
        const MainCandidate& first = m_files[run.files.front()];
        const MainCandidate& added = m_files[file];
        const std::string& a = first.member.path;
        const std::string& b = added.member.path;
        const auto common = std::ranges::mismatch(a, b).in1 - a.begin();
        return {timeBetween(added.evidence, run.all) == Nanoseconds{0}, sharedCode(added.evidence, run.all),
            static_cast<std::size_t>(common)};
    }

    void place(std::size_t file)
    {
        std::optional<std::size_t> best;
        for (std::size_t run = 0; run < m_runs.size(); ++run)
            if (!between(file, m_runs[run])
                && (!best || likeness(file, m_runs[run]) > likeness(file, m_runs[*best])))
                best = run;
        if (!best) {
            best = m_runs.size();
            m_runs.emplace_back();
        }
        add(file, m_runs[*best]);
        m_places[file].run = *best;
    }

    /// True if no recording has a rank and all recordings of the same kind belong to one process.
    /// Recordings of different kinds cannot be compared, so they then count as one process.
    bool areKindsOfOneProcess(const RunFiles& run, const std::vector<std::size_t>& process) const
    {
        std::map<TraceKind, std::size_t> ofKind;
        return std::ranges::all_of(run.recordings, [&](std::size_t file) {
            const auto [known, isNew] = ofKind.emplace(m_files[file].evidence.kind, process[file]);
            return !m_files[file].member.rank && (isNew || known->second == process[file]);
        });
    }

    void numberProcesses()
    {
        std::vector<std::size_t> process(m_files.size());
        std::iota(process.begin(), process.end(), std::size_t{0});
        const auto unite = [&](std::size_t a, std::size_t b) {
            const std::size_t from = process[a];
            const std::size_t to = process[b];
            if (from != to)
                std::ranges::replace(process, std::max(from, to), std::min(from, to));
        };
        for (const RunFiles& run : m_runs) {
            for (const auto& [rank, dumps] : run.byRank)
                for (const std::size_t dump : dumps)
                    unite(dump, dumps.front());
            for (const std::size_t file : unranked(run))
                for (const std::size_t other : run.recordings)
                    if (other != file
                        && isSameProcess(m_files[file].evidence, m_files[other].evidence) == SameProcess::Yes)
                        unite(file, other);
            if (areKindsOfOneProcess(run, process))
                for (const std::size_t file : run.recordings)
                    unite(file, run.recordings.front());
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
        if (files.size() > kMostUnranked)
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
    std::span<const FilePlace> places, std::size_t run, std::size_t other)
{
    const RunSorter sorter(files);
    RunFiles of;
    for (std::size_t file = 0; file < files.size(); ++file)
        if (places[file].run == run)
            sorter.add(file, of);
    for (std::size_t file = 0; file < files.size(); ++file)
        if (places[file].run == other)
            if (std::optional<Contradiction> found = sorter.between(file, of))
                return found;
    return std::nullopt;
}

} // namespace highwater
