#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater {

/// Returns the first failed request of a rank; nothing if it did not run out of memory.
std::optional<RankFailure> firstFailure(const RankSummary& summary);

/// Merges the ranks of a run one by one. Keeps some kilobytes of each rank: its figures, the totals of at
/// most `kMaxStepsOfRank` steps, and `kMaxSitesOfRank` call sites at its peak. The rest of a summary is
/// released when `add` returns.
class RankMerge
{
public:
    /// Adds a rank. The summary must contain its complete identity. If `figures` of the same file have a main
    /// device, they replace the figures of the summary; null to use those of the summary. Returns the kept
    /// figures. O(steps + n log n) for n settings and call sites.
    std::shared_ptr<const RankFile> add(
        MainCandidate facts, RankSummary summary, const RankFile* figures = nullptr);
    /// Adds everything that another merge has. O(ranks × settings × log settings) of the other merge.
    void absorb(RankMerge other);
    /// Adds a file that cannot be used as a rank.
    void addTrouble(RankTrouble trouble);
    /// Declares a rank whose file is not read yet, so that it does not count as missing.
    void expect(std::int64_t rank) { m_expected.insert(rank); }
    std::size_t size() const { return m_ranks.size(); }

    /// Returns the merged ranks of one run, and leaves the merge empty. It is the run of the file `shown` if
    /// that was added, else the run of the main file (see `chooseMain`, also for `rank`). If a process has
    /// several dumps at one training step, one of them is used as the rank and the others are duplicates.
    /// O(ranks × (log ranks + removed files + groups) + n log n) for n steps, settings and call sites of all
    /// ranks.
    RunRanks finish(std::optional<std::int64_t> rank = {}, const std::string& shown = {});

private:
    struct Entry
    {
        MainCandidate facts;
        std::size_t process = 0; ///< as in `FilePlace`
        MergedRank rank;
        std::shared_ptr<const RankFile> file;
        std::vector<std::pair<std::int64_t, Bytes>> steps; ///< number and largest total
        std::vector<std::uint32_t> settings; ///< indices into m_settings, ascending
        std::optional<RankFailure> failure;
    };

    void forgetLocalRanks();
    void assignRanks(const std::vector<FilePlace>& places);
    void setOtherRunsAside(const MainChoice& choice, RunRanks& run);
    void setCopiesAside();
    std::uint32_t settingNumber(const NamedText& setting);
    void setForeignAside(const std::string& mainPath);
    void orderRanks();
    StepHeat stepHeat() const;
    std::vector<SettingOfRanks> differentSettings() const;

    std::vector<Entry> m_ranks;
    std::vector<RankTrouble> m_troubles;
    std::map<NamedText, std::uint32_t> m_settingNumbers;
    std::vector<NamedText> m_settings;
    std::set<std::int64_t> m_expected;
};

} // namespace highwater
