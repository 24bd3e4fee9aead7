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

/// Which file of a run is shown first: one rule for the command line, the window, the report and agents.
namespace highwater {

/// Why a file is the main one.
enum class MainReason : std::uint8_t
{
    Only, ///< there is no other recording (or, without recordings, no other file)
    FailedFirst,
    LargestPeak,
    Chosen, ///< by the user
};
/// "only", "failed-first", "largest-peak", "chosen".
std::string_view toText(MainReason reason);

struct MainChoice
{
    std::size_t file = 0; ///< in the given candidates
    MainReason reason = MainReason::Only;
    std::vector<FilePlace> places; ///< of all candidates (`sortIntoRuns`)

    const FilePlace& place() const { return places[file]; } ///< of the main file

    bool operator==(const MainChoice&) const = default;
};

/// The rule. Recordings come before files with mere figures, and those before logs; among the best of these:
/// the rank that ran out of memory first, else the one with the largest peak, ties by rank. Several dumps of
/// a process stand for it together: the last that ran out of memory leads, else the one with the largest
/// peak. Of files that are of several runs the main file's run is the one that is shown.
/// `rank`: only files of this rank count, where there are any. None: no file can be read, or none is of that
/// rank. O(files × (runs + log files)).
std::optional<MainChoice> chooseMain(
    std::span<const MainCandidate> files, std::optional<std::int64_t> rank = {});

/// Two runs are compared by one rank: the one that failed first before the fix, else after it, else the main
/// one before. None: it is not known.
std::optional<std::int64_t> comparedRank(const MainChoice& before, const MainChoice& after);

/// Follows the choice while files are read one by one, so that of all recordings one is held at a time.
class MainKeeper
{
public:
    /// `rank` as for `chooseMain`. `shown`: path of a file that is the main one once it is added; may be
    /// empty.
    explicit MainKeeper(std::optional<std::int64_t> rank = {}, std::string shown = {})
        : m_rank(rank)
        , m_shown(std::move(shown))
    {
    }

    /// The file whose recording is to be held from now on: the added one, or as before. All facts together
    /// may lead to another one (`choice`). O(1).
    std::size_t add(MainCandidate file);
    /// Of all that were added, and of others that are not held, which are numbered behind them; none: as
    /// `chooseMain`.
    std::optional<MainChoice> choice(const std::vector<MainCandidate>& others = {}) const;
    const std::vector<MainCandidate>& files() const { return m_files; }

private:
    bool isShown(const MainCandidate& file) const;

    std::optional<std::int64_t> m_rank;
    std::string m_shown;
    std::vector<MainCandidate> m_files;
    std::size_t m_held = 0; ///< in `m_files`
};

/// Files that cannot be of the run that is shown.
struct OtherRun
{
    std::vector<std::string> paths; ///< in their order
    Contradiction why;

    bool operator==(const OtherRun&) const = default;
};

/// The main file of a run.
struct RunMain
{
    RunMember member;
    std::optional<std::int64_t> device; ///< ordinal of the one that is shown; none: the file has none
    MainReason reason = MainReason::Only;
    std::size_t files = 1; ///< of the run, as far as they could be read
    std::size_t ranks = 1; ///< processes of which there are recordings; 0: it has logs alone
    std::vector<OtherRun> others; ///< runs that are among the files, too

    bool operator==(const RunMain&) const = default;
};

/// The error where none of the files is of a rank: "there is no rank 7 (there are: 0, 1)".
Error noSuchRank(std::int64_t rank, const std::vector<MainCandidate>& files);

/// `choice` is of these files. O(files × runs).
RunMain runMain(const std::vector<MainCandidate>& files, const MainChoice& choice);
/// "b.pickle, b.log are of another run: one started 5 s after the other ended."
std::string otherRunText(const OtherRun& other);

/// "rank 2 of 4, which ran out of memory first"; empty: the run has one file.
std::string mainText(const RunMain& main);

/// Indices in the order of failure: by time where all of them have one, else by step where all have one, else
/// as given.
std::vector<std::size_t> inOrderOfFailure(std::span<const FailureTime> failures);

} // namespace highwater
