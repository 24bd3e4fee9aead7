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
    std::size_t rank = 0; ///< index into `RunRanks::ranks`
    std::int64_t event = 0;
    FailureTime at; ///< its step is a number as in `StepHeat::steps`
    Bytes requestedBytes = 0;
    std::string site; ///< empty without a stack
};

/// The data of a rank that are kept after its summary is released. The ranks are parallel to the rows of
/// `StepHeat`.
struct MergedRank
{
    RankIdentity identity;
    std::size_t file = 0; ///< index into `RunRanks::table.files`
    std::string peakStep; ///< name of the step with the peak; empty if there is none
    std::string peakPhase; ///< "backward"; empty if unknown
    bool startsLate = false; ///< its numbers of steps, except those of profilers, are not those of the run
    std::int64_t stepCount = 0; ///< number of steps that count
    std::optional<Bytes> growthPerStep;
    std::int64_t growthSteps = 0;
    bool leaks = false; ///< a finding reports a leak across steps
    bool cutOff = false;
    Bytes firstEndBytes = 0; ///< at the end of the first step that counts
    Bytes lastEndBytes = 0; ///< at the end of the last step that counts
    std::optional<Bytes> freeAtPeak; ///< bytes reserved but free at the peak
    SharedCode code = SharedCode::Some; ///< other values mean that the file may belong to another run
};

/// The largest total of each rank in each step: one row per rank, one column per step.
struct StepHeat
{
    static constexpr Bytes kNone = -1; ///< the rank does not have the step

    std::vector<std::int64_t> steps; ///< number of the first step of each column, ascending
    /// If above 1, each column has the largest total of so many neighbouring steps.
    std::int64_t stepsPerColumn = 1;
    std::vector<Bytes> peaks; ///< row by row

    std::size_t rows() const { return steps.empty() ? 0 : peaks.size() / steps.size(); }
    Bytes at(std::size_t row, std::size_t column) const { return peaks[row * steps.size() + column]; }
};

/// The ranks of one pipeline stage, some of which leak; `stage` is nullopt if it is unknown.
struct StageLeak
{
    std::optional<std::int64_t> stage;
    std::size_t rankCount = 0; ///< number of ranks in the stage
    std::vector<std::size_t> leaking; ///< indices into `RunRanks::ranks`
    Bytes medianPerStep = 0; ///< median of the leaking ranks
};

/// A value of a setting and the ranks that have it.
struct SettingValue
{
    std::optional<std::string> value; ///< no value if the setting is not set
    std::size_t rankCount = 0;
    std::vector<std::size_t> first; ///< up to six of them, as indices into `RunRanks::ranks`; none if not set
};

/// A setting that differs between the ranks. Recordings that are cut off do not count, because settings are
/// stored at the end. The most frequent value comes first.
struct SettingOfRanks
{
    std::string name;
    std::vector<SettingValue> values;
};

/// A file that is not used as a rank of the run.
struct RankTrouble
{
    enum class Kind : std::uint8_t
    {
        Damaged, ///< cannot be read
        Foreign, ///< recorded by another program
        Duplicate, ///< another file of the same rank is used
    };
    Kind kind = Kind::Damaged;
    std::string path;
    std::optional<std::int64_t> rank; ///< nullopt if unknown
    std::string reason; ///< a sentence without subject and full stop
    bool isUsedLog = false; ///< the main rank's findings read it as a log of the run
};

/// Returns "damaged", "foreign", "duplicate".
std::string_view toText(RankTrouble::Kind kind);

/// The merged ranks of a run, for command line, report and window. A plain value that owns its data and
/// refers to no trace or summary.
struct RunRanks
{
    RankTable table; ///< figures, groups and outliers; files in order of rank
    std::vector<MergedRank> ranks; ///< parallel to the files of `table`
    StepHeat heat;
    std::vector<RankFailure> failures; ///< the first of each rank, the earliest first
    std::vector<StageLeak> leaks; ///< by stage; only those where some rank leaks
    std::vector<SettingOfRanks> settings; ///< by name; only those that differ
    std::vector<RankTrouble> troubles; ///< by path
    RunMain shown; ///< main file among all added files, and the other runs among them
    std::vector<std::int64_t> missing; ///< ranks without a file
    std::size_t processCount = 0; ///< number of processes; one may have dumps of several steps
    std::size_t highest = 0; ///< index into `ranks`: the one with the largest peak
    std::size_t main = 0; ///< index into `ranks`: the one to look at first, by `chooseMain`
    std::vector<std::string> sentences; ///< the main results, most important first

    const RankDevice* deviceOf(const MergedRank& rank) const { return table.files[rank.file]->mainDevice(); }
    /// Returns "rank 3", or the file's name if the rank is not known.
    std::string nameOf(std::size_t rank) const;
};

} // namespace highwater
