#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/choice/file_facts.h"

/// The rule for which file of a run is shown first, shared by the command line, the window, the report and
/// agents.
namespace highwater {

/// The reason why a file is the main one.
enum class MainReason : std::uint8_t
{
    Only, ///< No other file has the same kind of content
    FailedFirst,
    LargestPeak,
    Chosen, ///< Chosen by the user
};
/// Returns "only", "failed-first", "largest-peak", "chosen".
std::string_view toText(MainReason reason);

/// The main file, the reason for it, and the run of every candidate.
struct MainChoice
{
    std::size_t file = 0; ///< Index of the main file in the given candidates
    MainReason reason = MainReason::Only;
    std::vector<FilePlace> places; ///< Places of all candidates, from `sortIntoRuns`

    const FilePlace& place() const { return places[file]; } ///< Place of the main file

    bool operator==(const MainChoice&) const = default;
};

/// Chooses the main file. Recordings come before files with only totals, and those before logs. Among the
/// files of the best kind, the rank that ran out of memory first wins (`inOrderOfFailure`); if none did, the
/// one with the largest peak. Ties, and failures without comparable times, go to the lowest rank. If a
/// process has several dumps, the last one that ran out of memory represents it, or else the one with the
/// largest peak. If the files belong to several runs, the run of the main file is shown.
///
/// With `rank`, only files of this rank count, and the reason is Chosen unless it is Only. Returns nullopt if
/// no file is readable or no readable file has that rank. Costs as much as `sortIntoRuns`.
std::optional<MainChoice> chooseMain(
    std::span<const MainCandidate> files, std::optional<std::int64_t> rank = {});

/// Returns the rank by which two runs are compared: the main rank of `before`, or that of `after` if only
/// `after` has a main file that was chosen for failing first. Nullopt if that rank is unknown.
std::optional<std::int64_t> comparedRank(const MainChoice& before, const MainChoice& after);

/// Applies the rule of `chooseMain` while files are read one by one, so that only one recording is kept in
/// memory at a time. Keeps the facts about every added file.
class IncrementalMainChoice
{
public:
    /// `rank` is as for `chooseMain`. `shown` is the path of the file that the user wants as the main one;
    /// it wins once it is added, if it is readable. May be empty.
    explicit IncrementalMainChoice(std::optional<std::int64_t> rank = {}, std::string shown = {})
        : m_rank(rank)
        , m_shown(std::move(shown))
    {
    }

    /// Adds a file and returns `kept`: the added one, or the one kept so far. The final `choice` may be
    /// another file, since it compares all files at once. O(marks).
    std::size_t add(MainCandidate file);
    /// Returns the index of the file whose recording must be kept; 0 before the first file.
    std::size_t kept() const { return m_kept; }
    /// Chooses among all added files and `others`, whose recordings are not in memory and whose indices
    /// follow those of the added files. Returns nullopt as `chooseMain` does.
    std::optional<MainChoice> choice(const std::vector<MainCandidate>& others = {}) const;
    const std::vector<MainCandidate>& files() const { return m_files; }

private:
    bool isShown(const MainCandidate& file) const;

    std::optional<std::int64_t> m_rank;
    std::string m_shown;
    std::vector<MainCandidate> m_files;
    std::size_t m_kept = 0;
};

/// Files that cannot belong to the run shown.
struct OtherRun
{
    std::vector<std::string> paths; ///< Sorted
    Contradiction why;

    bool operator==(const OtherRun&) const = default;
};

/// The main file of a run.
struct RunMain
{
    RunMember member;
    std::optional<std::int64_t> device; ///< Ordinal of the device shown; nullopt if the file has none
    MainReason reason = MainReason::Only;
    std::size_t fileCount = 1; ///< Number of readable files of the run
    std::size_t rankCount = 1; ///< Number of processes with recordings of allocations; may be 0
    std::vector<OtherRun> others; ///< Other runs among the files
    /// Number of processes that ran out of memory according to files of the same kind as the main file.
    std::size_t failedCount = 0;

    bool operator==(const RunMain&) const = default;
};

/// Returns the error BadRequest for a rank without files: "there is no rank 7 (there are: 0, 1)".
Error noSuchRank(std::int64_t rank, const std::vector<MainCandidate>& files);

/// Describes the main file; `choice` must be the choice among `files`. O(files × runs).
RunMain runMain(const std::vector<MainCandidate>& files, const MainChoice& choice);
/// Returns "b.pickle, b.log are of another run (one started 5 s after the other ended)."; names at most four
/// files and counts the others.
std::string otherRunText(const OtherRun& other);

/// Returns "rank 2 (of 4 ranks), which ran out of memory first"; empty if the run has one file.
std::string mainText(const RunMain& main);

/// Returns the indices of the failures in order of time if all have a time, else in order of step if all
/// have a step. Otherwise the given order is kept.
std::vector<std::size_t> inOrderOfFailure(std::span<const FailureTime> failures);

} // namespace highwater
