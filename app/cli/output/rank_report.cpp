#include "app/cli/output/rank_report.h"

#include <algorithm>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/base/json.h"
#include "core/table/rank_table.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json groupJson(const RankGroup& group)
{
    return {{"step", orNull(group.step)}, {"stage", orNull(group.stage)},
        {"quantity", toText(group.quantity)}, {"ranks", group.rankCount},
        {"median_peak_bytes", group.medianPeak}, {"deviation_bytes", group.deviation},
        {"lowest_peak_bytes", group.lowestPeak}, {"highest_peak_bytes", group.highestPeak}};
}

} // namespace

RankTable RankReport::table() const
{
    std::vector<std::shared_ptr<const RankFile>> files = m_files;
    std::stable_sort(files.begin(), files.end(),
        [](const auto& a, const auto& b) { return isBefore(a->member, b->member); });
    return compareRanks(std::move(files));
}

bool RankReport::hasSeveralRanks() const
{
    return std::ranges::count_if(m_files, [](const auto& file) {
        return !file->devices.empty() || !file->error.empty();
    }) > 1;
}

Json RankReport::json() const
{
    const RankTable ranks = table();
    Json groups = Json::array();
    for (const RankGroup& group : ranks.groups)
        groups.push_back(groupJson(group));
    Json outliers = Json::array();
    for (const RankRow& row : ranks.rows)
        if (row.isOutlier) {
            const RunMember& member = ranks.files[row.file]->member;
            outliers.push_back(
                {{"rank", orNull(member.rank)}, {"path", member.path}, {"device", ranks.deviceOf(row)->label},
                    {"peak_bytes", ranks.deviceOf(row)->peakBytes}, {"above_median_bytes", row.aboveMedian}});
        }
    return {{"median_peak_bytes",
                ranks.groups.size() == 1 ? Json(ranks.groups.front().medianPeak) : Json(nullptr)},
        {"groups", groups}, {"outliers", outliers}, {"sentences", ranks.sentences}};
}

void RankReport::print() const
{
    const RankTable ranks = table();
    printTable(rankTable(ranks));
    for (const std::string& sentence : ranks.sentences)
        printOut("{}\n", sentence);
}

} // namespace highwater::cli
