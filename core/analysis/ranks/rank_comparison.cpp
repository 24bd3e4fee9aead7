#include "core/analysis/ranks/rank_comparison.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "core/analysis/ranks/rank_sentences.h"
#include "core/base/median.h"

namespace highwater {

namespace {

constexpr std::size_t kFewestRanks = 3;
/// Scales the median absolute deviation so that it equals the standard deviation of a normal distribution.
constexpr double kDeviationScale = 1.4826;
constexpr double kMaxDeviations = 3.5;
constexpr double kLeastShare = 0.02;

/// Returns step, pipeline stage and quantity: ranks are compared only if all three are equal.
std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, Quantity> comparisonKeyOf(
    const RankFile& file, const RankDevice& device)
{
    return {file.member.step, file.member.stage, device.quantity};
}

class Comparison
{
public:
    explicit Comparison(std::vector<std::shared_ptr<const RankFile>> files)
    {
        m_table.files = std::move(files);
        m_hasKnownRank = std::ranges::any_of(
            m_table.files, [](const auto& file) { return file->member.rank.has_value(); });
    }

    RankTable makeTable()
    {
        for (std::size_t i = 0; i < m_table.files.size(); ++i)
            addRows(i);
        for (std::size_t group = 0; group < m_table.groups.size(); ++group)
            measureGroup(group);
        m_table.sentences = rankSentences(m_table);
        return std::move(m_table);
    }

private:
    void addRows(std::size_t index)
    {
        const RankFile& file = *m_table.files[index];
        RankRow main{index, RankRow::kNone, RankRow::kNone, 0, false};
        if (const RankDevice* device = file.mainDevice()) {
            main.device = file.main;
            if (!file.isIncomplete && (file.member.rank || !m_hasKnownRank))
                main.group = groupOf(file, *device);
        }
        m_table.rows.push_back(main);
        for (std::size_t device = 0; device < file.devices.size(); ++device)
            if (device != file.main)
                m_table.rows.push_back({index, device, RankRow::kNone, 0, false});
    }

    std::size_t groupOf(const RankFile& file, const RankDevice& device)
    {
        const auto key = comparisonKeyOf(file, device);
        const auto found = std::ranges::find_if(m_table.groups, [&](const RankGroup& group) {
            return key == std::tuple(group.step, group.stage, group.quantity);
        });
        if (found != m_table.groups.end())
            return static_cast<std::size_t>(found - m_table.groups.begin());
        RankGroup group;
        std::tie(group.step, group.stage, group.quantity) = key;
        m_table.groups.push_back(group);
        return m_table.groups.size() - 1;
    }

    void measureGroup(std::size_t index)
    {
        std::vector<RankRow*> rows;
        std::vector<Bytes> peaks;
        for (RankRow& row : m_table.rows)
            if (row.group == index) {
                rows.push_back(&row);
                peaks.push_back(m_table.deviceOf(row)->peakBytes);
            }
        RankGroup& group = m_table.groups[index];
        group.rankCount = rows.size();
        group.medianPeak = median(peaks);
        group.lowestPeak = *std::ranges::min_element(peaks);
        group.highestPeak = *std::ranges::max_element(peaks);
        std::vector<Bytes> distances;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i]->aboveMedian = peaks[i] - group.medianPeak;
            distances.push_back(std::abs(rows[i]->aboveMedian));
        }
        group.deviation = median(distances);
        const double limit = std::max(kMaxDeviations * kDeviationScale * static_cast<double>(group.deviation),
            kLeastShare * static_cast<double>(group.medianPeak));
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i]->isOutlier = rows.size() >= kFewestRanks && static_cast<double>(distances[i]) > limit;
    }

    RankTable m_table;
    bool m_hasKnownRank = false;
};

} // namespace

RankTable compareRanks(std::vector<std::shared_ptr<const RankFile>> files)
{
    return Comparison(std::move(files)).makeTable();
}

} // namespace highwater
