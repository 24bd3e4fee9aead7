#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/run_ranks.h"

namespace highwater {

/// Merges the ranks of a run one by one. Of each some kilobytes are kept: its figures, the largest total of
/// at most `kMostSteps` of its steps, and `kMostSites` call sites at its peak; nothing else of what is added
/// outlives the call.
class RankMerge
{
public:
    static constexpr std::size_t kMostSteps = 1024; ///< neighbours are joined by their largest
    static constexpr std::size_t kMostSites = 64;

    /// The identity must be complete: it is taken from the summary. Of two files of one rank (and the same
    /// step of the training) the later is a duplicate, or the one that did not run out of memory. `figures`
    /// of the same file, where they tell more than the summary; null: its own. Returns what is kept of them;
    /// null for a duplicate. O(steps + sites).
    std::shared_ptr<const RankFile> add(
        const std::string& path, RankSummary summary, const RankFile* figures = nullptr);
    /// All that another merge has. O(its ranks × (settings + sites)).
    void absorb(RankMerge other);
    /// A file that is no rank. `rank`: as its name tells.
    void addTrouble(RankTrouble trouble);
    /// A rank that is not read yet is not missing.
    void expect(std::int64_t rank) { m_expected.insert(rank); }
    std::size_t size() const { return m_ranks.size(); }

    /// Everything that was added; the merge is empty afterwards. O(ranks × (log ranks + steps)).
    RunRanks finish();

private:
    struct Kept
    {
        MergedRank rank;
        std::shared_ptr<const RankFile> file;
        std::vector<std::pair<std::int64_t, Bytes>> steps; ///< number and largest total
        std::vector<std::uint32_t> settings; ///< in m_settings, ascending
        std::optional<RankFailure> failure;
    };

    bool take(Kept kept);
    bool takeCopy(Kept& first, Kept kept);
    std::uint32_t settingNumber(const NamedText& setting);
    void setForeignAside();
    void orderRanks();
    StepHeat heat() const;
    std::vector<SettingOfRanks> differentSettings() const;

    std::vector<Kept> m_ranks;
    std::vector<RankTrouble> m_troubles;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> m_places; ///< by rank and step of training
    std::map<NamedText, std::uint32_t> m_settingNumbers;
    std::vector<NamedText> m_settings;
    std::set<std::int64_t> m_expected;
};

} // namespace highwater
