#include "app/cli/output/rank_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/text_table.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/base/json_or_null.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json groupJson(const RankGroup& group)
{
    return {{"step", orNull(group.step)}, {"stage", orNull(group.stage)},
        {"quantity", toText(group.quantity)}, {"ranks", group.ranks}, {"median_peak_bytes", group.medianPeak},
        {"deviation_bytes", group.deviation}, {"lowest_peak_bytes", group.lowestPeak},
        {"highest_peak_bytes", group.highestPeak}};
}

std::string outOfMemoryText(const RankDevice& device, const Style& style)
{
    if (device.ooms == 0)
        return {};
    return style.warning(device.ooms == 1 ? "out of memory at event " + formatCount(device.firstOom)
                                          : fmt::format("out of memory {} times", formatCount(device.ooms)));
}

std::vector<std::string> cells(const RankTable& table, const RankRow& row, const Style& style)
{
    const RunMember& member = table.files[row.file]->member;
    std::vector<std::string> out{
        member.rank ? member.label() : "rank not known", sanitizedText(member.fileName())};
    const RankDevice* device = table.deviceOf(row);
    if (!device)
        return out;
    out.push_back(device->label);
    out.push_back(formatBytes(device->peakBytes));
    out.push_back(row.group == RankRow::kNone ? "" : formatBytesDelta(row.aboveMedian));
    out.push_back(device->peakEvent < 0 ? "at the start" : "at event " + formatCount(device->peakEvent));
    out.push_back(formatBytes(device->reservedPeakBytes) + " reserved");
    out.push_back(row.outlier ? style.strong("outlier") : "");
    out.push_back(outOfMemoryText(*device, style));
    return out;
}

} // namespace

RankTable RankReport::table() const
{
    std::vector<std::shared_ptr<const RankFile>> files = m_files;
    std::stable_sort(files.begin(), files.end(),
        [](const auto& a, const auto& b) { return isBefore(a->member, b->member); });
    return compareRanks(std::move(files));
}

Json RankReport::json() const
{
    const RankTable ranks = table();
    Json groups = Json::array();
    for (const RankGroup& group : ranks.groups)
        groups.push_back(groupJson(group));
    Json outliers = Json::array();
    for (const RankRow& row : ranks.rows)
        if (row.outlier) {
            const RunMember& member = ranks.files[row.file]->member;
            outliers.push_back(
                {{"rank", orNull(member.rank)}, {"path", member.path}, {"device", ranks.deviceOf(row)->label},
                    {"peak_bytes", ranks.deviceOf(row)->peakBytes}, {"above_median_bytes", row.aboveMedian}});
        }
    return {{"median_peak_bytes",
                ranks.groups.size() == 1 ? Json(ranks.groups.front().medianPeak) : Json(nullptr)},
        {"groups", groups}, {"outliers", outliers}, {"sentences", ranks.sentences}};
}

std::string RankReport::text(const Style& style) const
{
    using Align = TextTable::Align;
    const RankTable ranks = table();
    TextTable lines({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
        Align::Right, Align::Left, Align::Left});
    for (const RankRow& row : ranks.rows)
        lines.add(cells(ranks, row, style));
    std::string out = style.strong("Ranks") + "\n" + lines.text();
    for (const std::string& sentence : ranks.sentences)
        out += sentence + "\n";
    return out;
}

} // namespace highwater::cli
