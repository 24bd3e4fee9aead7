#include "core/analysis/detectors/rank_outlier.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_sentences.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::string_view kRule = "rank-outlier";

/// Returns the most typical rank of a group: the one nearest to the median.
const RankRow& typicalOf(const RankTable& ranks, std::size_t group)
{
    const RankRow* nearest = nullptr;
    for (const RankRow& row : ranks.rows)
        if (row.group == group && (!nearest || std::abs(row.aboveMedian) < std::abs(nearest->aboveMedian)))
            nearest = &row;
    return *nearest;
}

std::string nameOfRank(const RankTable& ranks, const RankRow& row)
{
    std::string name = rankName(ranks, row);
    if (name.starts_with("rank"))
        name[0] = 'R';
    return name;
}

void addRankEvidence(const RankTable& ranks, const RankRow& row, Finding& finding)
{
    const RankGroup& group = ranks.groups[row.group];
    const RankDevice& device = *ranks.deviceOf(row);
    finding.addEvidence(EventTarget{device.peakEvent}, "The rank peaks at {}, the median at {}; {}",
        formatBytes(device.peakBytes), formatBytes(group.medianPeak),
        group.deviation == 0
            ? std::string("at least half of the ranks peak at the median")
            : fmt::format("half of the ranks are within {} of the median", formatBytes(group.deviation)));
    const RankRow& typical = typicalOf(ranks, row.group);
    // A site that uses less explains nothing about a rank that uses more.
    const auto difference = largestSiteDifference(device, *ranks.deviceOf(typical));
    if (difference && (difference->bytes > 0) == (row.aboveMedian > 0))
        finding.addEvidence(SiteTarget{difference->key}, "The largest difference to {} is {} at {}",
            rankName(ranks, typical), formatBytesDelta(difference->bytes), siteLabel(difference->key));
    if (device.ooms > 0)
        finding.addEvidence(EventTarget{device.firstOom}, "The rank ran out of memory {}",
            counted(device.ooms, "time", "times"));
}

} // namespace

std::vector<RankFinding> findRankOutliers(const RankTable& ranks)
{
    std::vector<RankFinding> findings;
    for (const RankRow& row : ranks.rows) {
        if (!row.outlier)
            continue;
        const bool isAbove = row.aboveMedian > 0;
        Finding finding;
        finding.rule = kRule;
        finding.grade = Grade::A;
        finding.kind = isAbove ? FindingKind::Fault : FindingKind::Fact;
        finding.device = ranks.deviceOf(row)->ordinal;
        finding.event = ranks.deviceOf(row)->peakEvent;
        finding.bytes = std::abs(row.aboveMedian);
        finding.title = fmt::format("{} peaks {} {} the median of {} ranks", nameOfRank(ranks, row),
            formatBytes(finding.bytes), isAbove ? "above" : "below", ranks.groups[row.group].ranks);
        addRankEvidence(ranks, row, finding);
        // The distance is what the rank needs above the others. No single action is known to save it.
        finding.remedy.action = isAbove
            ? "Balance the ranks' batches by tokens rather than sequences, or compare the two files to find "
              "what this rank alone keeps"
            : "This rank uses its GPU less than the others: compare the two files";
        finding.wouldDisprove = "Wrong if the ranks differ by design, such as pipeline stages";
        findings.push_back({row, std::move(finding)});
    }
    return findings;
}

bool isRankOutlier(const Finding& finding)
{
    return finding.rule == kRule;
}

} // namespace highwater
