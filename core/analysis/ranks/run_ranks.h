#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_table.h"
#include "core/analysis/ranks/shared_code.h"
#include "core/run/choice/main_choice.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater {

/// A failed request of a rank.
struct RankFailure
{
    std::size_t rank = 0; ///< in `RunRanks::ranks`
    std::int64_t event = 0;
    FailureTime at; ///< its step's number as in `StepHeat::steps`
    Bytes requestedBytes = 0;
    std::string site; ///< empty: no stack
};

/// What of a rank is kept after its summary is given up; parallel to the rows of `StepHeat`.
struct MergedRank
{
    RankIdentity identity;
    std::size_t file = 0; ///< in `RunRanks::table.files`
    std::string peakStep; ///< name of the step that holds the peak; empty: none
    std::string peakPhase; ///< "backward"; empty: not known
    std::int64_t steps = 0; ///< that count
    std::optional<Bytes> growthPerStep;
    std::int64_t growthSteps = 0;
    bool leaks = false; ///< a finding says that every step keeps memory
    bool cutOff = false;
    Bytes firstEndBytes = 0; ///< at the end of the first step that counts
    Bytes lastEndBytes = 0; ///< and of the last
    std::optional<Bytes> freeAtPeak; ///< reserved and free
    SharedCode code = SharedCode::Some; ///< else it may not be of this run
};

/// The largest total of each rank in each step: one row a rank, one column a step.
struct StepHeat
{
    static constexpr Bytes kNone = -1; ///< the rank does not have the step

    std::vector<std::int64_t> steps; ///< number of each column, ascending; of joined steps the first
    std::int64_t stepsPerColumn = 1; ///< above 1: neighbouring steps are joined by their largest
    std::vector<Bytes> peaks; ///< row by row

    std::size_t rows() const { return steps.empty() ? 0 : peaks.size() / steps.size(); }
    Bytes at(std::size_t row, std::size_t column) const { return peaks[row * steps.size() + column]; }
};

/// Ranks of one pipeline stage (or of none that is known) of which some leak.
struct StageLeak
{
    std::optional<std::int64_t> stage;
    std::size_t ranks = 0; ///< of the stage
    std::vector<std::size_t> leaking; ///< in `RunRanks::ranks`
    Bytes medianPerStep = 0; ///< of those that leak
};

/// A value of a setting and the ranks that have it.
struct SettingValue
{
    std::optional<std::string> value; ///< none: not set
    std::size_t ranks = 0;
    std::vector<std::size_t> first; ///< some of them, in `RunRanks::ranks`
};

/// A setting that is not the same on all ranks whose recordings are whole; its values by how many ranks have
/// them.
struct SettingOfRanks
{
    std::string name;
    std::vector<SettingValue> values;
};

/// A file that is no rank of the run.
struct RankTrouble
{
    enum class Kind : std::uint8_t
    {
        Damaged, ///< cannot be read
        Foreign, ///< no recording of this run
        Duplicate, ///< of a rank that another file tells
    };
    Kind kind = Kind::Damaged;
    std::string path;
    std::optional<std::int64_t> rank; ///< as far as its name tells
    std::string reason; ///< a sentence without its subject and full stop
};

/// "damaged", "foreign", "duplicate".
std::string_view toText(RankTrouble::Kind kind);

/// The ranks of a run, merged: what command line, report and window show. A plain value.
struct RunRanks
{
    RankTable table; ///< figures, groups, outliers; its files in order of rank
    std::vector<MergedRank> ranks; ///< in the same order, those that could be read
    StepHeat heat;
    std::vector<RankFailure> failures; ///< the first of each rank, the earliest first
    std::vector<StageLeak> leaks; ///< by stage; only those where some rank leaks
    std::vector<SettingOfRanks> settings; ///< by name; only those that differ
    std::vector<RankTrouble> troubles; ///< by path
    RunMain shown; ///< its main file, among all that were merged, and other runs among them
    std::vector<std::int64_t> missing; ///< ranks that no file tells
    std::size_t processes = 0; ///< of `ranks`: of a process there may be dumps of several steps
    std::size_t highest = 0; ///< in `ranks`: the one with the largest peak
    std::size_t main = 0; ///< in `ranks`: the one to look at first, by `chooseMain`
    std::vector<std::string> sentences; ///< the main results, most important first

    const RankDevice* deviceOf(const MergedRank& rank) const { return table.files[rank.file]->mainDevice(); }
    /// "rank 3"; the file's name where the rank is not known.
    std::string nameOf(std::size_t rank) const;
};

} // namespace highwater
