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
std::optional<RankFailure> failureOf(const RankSummary& summary);

/// Merges the ranks of a run one by one. Keeps some kilobytes of each: its figures, the largest total of at
/// most `kMostStepsOfRank` of its steps, and `kMostSitesOfRank` call sites at its peak. Nothing else that is
/// added outlives the call.
class RankMerge
{
public:
    /// Adds a rank. Its identity is taken from the summary and must be complete. `figures` of the same file
    /// replace the summary's if they have a main device; null to use the summary's. Returns the figures that
    /// are kept. O(steps + sites).
    std::shared_ptr<const RankFile> add(
        MainCandidate facts, RankSummary summary, const RankFile* figures = nullptr);
    /// Adds everything that another merge has. O(its ranks × (settings + sites)).
    void absorb(RankMerge other);
    /// Adds a file that is no rank. `trouble.rank` comes from its name.
    void addTrouble(RankTrouble trouble);
    /// Declares a rank that is not read yet, so that it does not count as missing.
    void expect(std::int64_t rank) { m_expected.insert(rank); }
    std::size_t size() const { return m_ranks.size(); }

    /// Returns everything that was added for one run: the run of the file `shown` if that was added, else the
    /// run of the main file (see `chooseMain`, also for `rank`). The merge is empty afterwards. If a process
    /// has several dumps at one training step, one of them is the rank, and the others are duplicates.
    /// O(ranks × (log ranks + steps)).
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
