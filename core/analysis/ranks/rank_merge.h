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

/// The first failed request of a rank; none: it did not run out of memory.
std::optional<RankFailure> failureOf(const RankSummary& summary);

/// Merges the ranks of a run one by one. Of each some kilobytes are kept: its figures, the largest total of
/// at most `kMostStepsOfRank` of its steps, and `kMostSitesOfRank` call sites at its peak; nothing else of
/// what is added outlives the call.
class RankMerge
{
public:
    /// The identity must be complete: it is taken from the summary. `figures` of the same file, where they
    /// tell more than the summary; null: its own. Returns what is kept of them. O(steps + sites).
    std::shared_ptr<const RankFile> add(
        MainCandidate facts, RankSummary summary, const RankFile* figures = nullptr);
    /// All that another merge has. O(its ranks × (settings + sites)).
    void absorb(RankMerge other);
    /// A file that is no rank. `rank`: as its name tells.
    void addTrouble(RankTrouble trouble);
    /// A rank that is not read yet is not missing.
    void expect(std::int64_t rank) { m_expected.insert(rank); }
    std::size_t size() const { return m_ranks.size(); }

    /// Everything that was added, of one run: that of the file `shown`, where it was added, else that of the
    /// main file (`chooseMain`, `rank` as there). The merge is empty afterwards. Of several dumps of a
    /// process at one step of the training one is a rank, the others are duplicates. O(ranks × (log ranks +
    /// steps)).
    RunRanks finish(std::optional<std::int64_t> rank = {}, const std::string& shown = {});

private:
    struct Kept
    {
        MainCandidate facts;
        std::size_t process = 0; ///< as in `FilePlace`
        MergedRank rank;
        std::shared_ptr<const RankFile> file;
        std::vector<std::pair<std::int64_t, Bytes>> steps; ///< number and largest total
        std::vector<std::uint32_t> settings; ///< in m_settings, ascending
        std::optional<RankFailure> failure;
    };

    void place(const std::vector<FilePlace>& places);
    void setOtherRunsAside(const MainChoice& choice, RunRanks& run);
    void setCopiesAside();
    std::uint32_t settingNumber(const NamedText& setting);
    void setForeignAside(const std::string& mainPath);
    void orderRanks();
    StepHeat heat() const;
    std::vector<SettingOfRanks> differentSettings() const;

    std::vector<Kept> m_ranks;
    std::vector<RankTrouble> m_troubles;
    std::map<NamedText, std::uint32_t> m_settingNumbers;
    std::vector<NamedText> m_settings;
    std::set<std::int64_t> m_expected;
};

} // namespace highwater
