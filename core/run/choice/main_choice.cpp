#include "core/run/choice/main_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/run/choice/run_sorting.h"

namespace highwater {

namespace {

/// The combined facts of the dumps of one process, which is one rank.
struct RankDumps
{
    std::size_t leader = 0; ///< The dump that represents the rank
    bool ranOutOfMemory = false;
    FailureTime firstFailure;
    Bytes peakBytes = 0;
};

/// True if `later` represents the process rather than `earlier`, an earlier dump of the same process.
bool isBetterLeader(const MainCandidate& later, const MainCandidate& earlier)
{
    if (later.ranOutOfMemory != earlier.ranOutOfMemory)
        return later.ranOutOfMemory;
    return later.ranOutOfMemory || later.peakBytes > earlier.peakBytes;
}

/// True if `a` is known to be earlier than `b`.
bool failsBefore(const FailureTime& a, const FailureTime& b)
{
    if (a.time && b.time)
        return *a.time < *b.time;
    return a.step && b.step && *a.step < *b.step;
}

/// True if dump `a` of a process ends before `b`; without comparable times, compares step and path.
bool isDumpedBefore(const MainCandidate& a, const MainCandidate& b)
{
    const RunEvidence& left = a.evidence;
    const RunEvidence& right = b.evidence;
    if (left.times && right.times && left.clock == right.clock && left.times->end != right.times->end)
        return left.times->end < right.times->end;
    return isBefore(a.member, b.member);
}

/// Combines the dumps of each process. `order` lists the files by rank; the result is in the order of each
/// process's first file.
std::vector<RankDumps> joinDumps(std::span<const MainCandidate> files, const std::vector<FilePlace>& places,
    std::vector<std::size_t> order)
{
    std::map<std::size_t, std::size_t> firstPosition; // position of each process's first file in `order`
    for (std::size_t i = 0; i < order.size(); ++i)
        firstPosition.emplace(places[order[i]].process, i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const std::size_t left = firstPosition[places[a].process];
        const std::size_t right = firstPosition[places[b].process];
        return left != right ? left < right : isDumpedBefore(files[a], files[b]);
    });
    std::vector<RankDumps> ranks;
    for (const std::size_t i : order) {
        const MainCandidate& file = files[i];
        if (ranks.empty() || places[ranks.back().leader].process != places[i].process) {
            ranks.push_back({i, file.ranOutOfMemory, file.failure, file.peakBytes});
            continue;
        }
        RankDumps& rank = ranks.back();
        if (isBetterLeader(file, files[rank.leader]))
            rank.leader = i;
        if (file.ranOutOfMemory && (!rank.ranOutOfMemory || failsBefore(file.failure, rank.firstFailure)))
            rank.firstFailure = file.failure;
        rank.ranOutOfMemory = rank.ranOutOfMemory || file.ranOutOfMemory;
        rank.peakBytes = std::max(rank.peakBytes, file.peakBytes);
    }
    return ranks;
}

/// Chooses a rank by its failure or peak. The places of the result are empty.
MainChoice chooseAmong(const std::vector<RankDumps>& ranks)
{
    std::vector<std::size_t> failed;
    std::vector<FailureTime> failures;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (ranks[i].ranOutOfMemory) {
            failed.push_back(i);
            failures.push_back(ranks[i].firstFailure);
        }
    if (!failed.empty())
        return {ranks[failed[inOrderOfFailure(failures).front()]].leader, MainReason::FailedFirst, {}};
    return {std::ranges::max_element(ranks, {}, &RankDumps::peakBytes)->leader, MainReason::LargestPeak, {}};
}

} // namespace

std::string_view toText(MainReason reason)
{
    switch (reason) {
    case MainReason::Only: return "only";
    case MainReason::FailedFirst: return "failed-first";
    case MainReason::LargestPeak: return "largest-peak";
    case MainReason::Chosen: break;
    }
    return "chosen";
}

std::optional<MainChoice> chooseMain(std::span<const MainCandidate> files, std::optional<std::int64_t> rank)
{
    std::vector<FilePlace> places = sortIntoRuns(files);
    const auto isWanted = [&](std::size_t i) { return !rank || places[i].rank == rank; };
    FileContent bestContent = FileContent::Unreadable;
    std::size_t bestCount = 0;
    for (std::size_t i = 0; i < files.size(); ++i)
        bestContent = std::max(bestContent, isWanted(i) ? files[i].content : FileContent::Unreadable);
    if (bestContent == FileContent::Unreadable)
        return std::nullopt;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].content != bestContent)
            continue;
        ++bestCount;
        if (isWanted(i))
            order.push_back(i);
    }
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return isBefore(files[a].member, files[b].member); });
    MainChoice choice = chooseAmong(joinDumps(files, places, std::move(order)));
    choice.places = std::move(places);
    if (bestCount == 1)
        choice.reason = MainReason::Only;
    else if (rank)
        choice.reason = MainReason::Chosen;
    return choice;
}

std::optional<std::int64_t> comparedRank(const MainChoice& before, const MainChoice& after)
{
    const bool isFromAfter
        = before.reason != MainReason::FailedFirst && after.reason == MainReason::FailedFirst;
    return (isFromAfter ? after : before).place().rank;
}

bool IncrementalMainChoice::isShown(const MainCandidate& file) const
{
    return !m_shown.empty() && file.member.path == m_shown && file.content != FileContent::Unreadable;
}

std::size_t IncrementalMainChoice::add(MainCandidate file)
{
    m_files.push_back(std::move(file));
    const std::size_t added = m_files.size() - 1;
    if (isShown(m_files[m_kept]))
        return m_kept;
    const std::array<MainCandidate, 2> candidates{m_files[m_kept], m_files[added]};
    const std::optional<MainChoice> choice = chooseMain(candidates, m_rank);
    if (isShown(m_files[added]) || (choice && choice->file == 1))
        m_kept = added;
    return m_kept;
}

std::optional<MainChoice> IncrementalMainChoice::choice(const std::vector<MainCandidate>& others) const
{
    std::vector<MainCandidate> files = m_files;
    files.insert(files.end(), others.begin(), others.end());
    const auto shown = std::ranges::find_if(files, [&](const MainCandidate& file) { return isShown(file); });
    if (shown == files.end())
        return chooseMain(files, m_rank);
    return MainChoice{static_cast<std::size_t>(shown - files.begin()),
        files.size() == 1 ? MainReason::Only : MainReason::Chosen, sortIntoRuns(files)};
}

Error noSuchRank(std::int64_t rank, const std::vector<MainCandidate>& files)
{
    std::set<std::int64_t> ranks;
    for (const MainCandidate& file : files)
        if (file.member.rank && file.content != FileContent::Unreadable)
            ranks.insert(*file.member.rank);
    return {ErrorCode::BadRequest,
        ranks.empty() ? fmt::format("there is no rank {}; no ranks were detected in these files", rank)
                      : fmt::format("there is no rank {} (there are: {})", rank, fmt::join(ranks, ", ")),
        {}};
}

RunMain runMain(const std::vector<MainCandidate>& files, const MainChoice& choice)
{
    RunMain main{files[choice.file].member, files[choice.file].device, choice.reason, 0, 0, {}};
    main.member.rank = choice.place().rank;
    std::set<std::size_t> processes;
    std::set<std::size_t> failed;
    std::map<std::size_t, OtherRun> others;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const FilePlace& place = choice.places[i];
        if (files[i].content == FileContent::Unreadable)
            continue;
        if (place.run != choice.place().run) {
            others[place.run].paths.push_back(files[i].member.path);
            continue;
        }
        ++main.fileCount;
        if (files[i].content == FileContent::Allocations)
            processes.insert(place.process);
        if (files[i].ranOutOfMemory && files[i].content == files[choice.file].content)
            failed.insert(place.process);
    }
    main.failedCount = failed.size();
    main.rankCount = processes.size();
    for (auto& [run, other] : others) {
        std::ranges::sort(other.paths);
        other.why
            = contradictionBetween(files, choice.places, choice.place().run, run).value_or(Contradiction{});
        main.others.push_back(std::move(other));
    }
    return main;
}

std::string otherRunText(const OtherRun& other)
{
    constexpr std::size_t kMaxNamed = 4;
    std::vector<std::string> names;
    for (const std::string& path : other.paths)
        if (names.size() < kMaxNamed)
            names.push_back(sanitizedText(fileName(path)));
    const std::size_t more = other.paths.size() - names.size();
    return fmt::format("{}{} {} of another run ({}).", fmt::join(names, ", "),
        more > 0 ? fmt::format(" and {} more", formatCount(more)) : "",
        other.paths.size() == 1 ? "is" : "are", other.why.reason);
}

std::string mainText(const RunMain& main)
{
    if (main.fileCount < 2)
        return {};
    const std::string name = main.rankCount > 1 && main.member.rank
        ? fmt::format("rank {} (of {} ranks)", *main.member.rank, main.rankCount)
        : fmt::format("{}, one of {} files", sanitizedText(main.member.fileName()), main.fileCount);
    switch (main.reason) {
    case MainReason::Only: return name;
    case MainReason::FailedFirst:
        return name + ", which ran out of memory" + (main.failedCount > 1 ? " first" : "");
    case MainReason::LargestPeak: return name + ", which has the highest peak";
    case MainReason::Chosen: break;
    }
    return name + ", as chosen";
}

std::vector<std::size_t> inOrderOfFailure(std::span<const FailureTime> failures)
{
    std::vector<std::size_t> order(failures.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto sortBy = [&](auto field) {
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return failures[i].*field; });
    };
    if (std::ranges::all_of(failures, [](const FailureTime& failure) { return failure.time.has_value(); }))
        sortBy(&FailureTime::time);
    else if (std::ranges::all_of(
                 failures, [](const FailureTime& failure) { return failure.step.has_value(); }))
        sortBy(&FailureTime::step);
    return order;
}

} // namespace highwater
