#include "core/analysis/detectors/rank_outlier.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_sentences.h"
#include "core/analysis/stacks/call_site.h"
#include "core/base/text/name_text.h"
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

/// Returns the difference to a typical rank at the call site that differs most, if it has the sign of the
/// outlier: a site that uses less explains nothing about a rank that uses more.
std::optional<SiteDifference> explainingDifference(const RankTable& ranks, const RankRow& row)
{
    const auto difference
        = largestSiteDifference(*ranks.deviceOf(row), *ranks.deviceOf(typicalOf(ranks, row.group)));
    return difference && (difference->bytes > 0) == (row.aboveMedian > 0) ? difference : std::nullopt;
}

/// Returns what to do: even batches if their size is the cause, else the place or the ranks to compare.
std::string actionFor(const RankTable& ranks, const RankRow& row)
{
    const RankRow& typical = typicalOf(ranks, row.group);
    const std::string name = rankName(ranks, row);
    const std::string typicalName = rankName(ranks, typical);
    const bool isAbove = row.aboveMedian > 0;
    if (isAbove && commonFactor(*ranks.deviceOf(row), *ranks.deviceOf(typical)))
        return fmt::format(
            "Compare the tokens per batch on {} and {}; if they differ, balance them across ranks", name,
            typicalName);
    if (!isAbove)
        return fmt::format("Compare {} with {}, which uses more of its GPU", name, typicalName);
    if (const auto difference = explainingDifference(ranks, row))
        return fmt::format("Find why {} holds more than {} at {}", name, typicalName,
            withCallMarks(siteLabel(difference->key)));
    return fmt::format("Compare {} with {}, which shows what {} alone keeps", name, typicalName, name);
}

void addRankEvidence(const RankTable& ranks, const RankRow& row, Finding& finding)
{
    const RankGroup& group = ranks.groups[row.group];
    const RankDevice& device = *ranks.deviceOf(row);
    finding.addEvidence(EventTarget{device.peakEvent}, "{} peaks at {}; {}", nameOfRank(ranks, row),
        formatBytes(device.peakBytes),
        group.deviation == 0
            ? fmt::format("at least half of the ranks peak at {}", formatBytes(group.medianPeak))
            : fmt::format("half of the ranks peak within {} of the median, {}", formatBytes(group.deviation),
                formatBytes(group.medianPeak)));
    const RankRow& typical = typicalOf(ranks, row.group);
    if (const auto common = commonFactor(device, *ranks.deviceOf(typical)))
        finding.addEvidence(EventTarget{device.peakEvent},
            "On {}, {} call sites allocate {:.3g}× as much as on {}, probably because {}'s batches are "
            "larger",
            rankName(ranks, row), formatCount(common->sites), common->factor, rankName(ranks, typical),
            rankName(ranks, row));
    if (const auto difference = explainingDifference(ranks, row))
        finding.addEvidence(SiteTarget{difference->key}, "The largest difference to {} is {} at {}",
            rankName(ranks, typical), formatBytesDelta(difference->bytes),
            withCallMarks(siteLabel(difference->key)));
    if (device.oomCount > 0)
        finding.addEvidence(EventTarget{device.firstOom}, "The rank ran out of memory {}",
            counted(device.oomCount, "time", "times"));
}

} // namespace

std::vector<RankFinding> findRankOutliers(const RankTable& ranks)
{
    std::vector<RankFinding> findings;
    for (const RankRow& row : ranks.rows) {
        if (!row.isOutlier)
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
            formatBytes(finding.bytes), isAbove ? "above" : "below",
            formatCount(ranks.groups[row.group].rankCount));
        addRankEvidence(ranks, row, finding);
        // The distance is what the rank needs above the others. No single action is known to save it.
        finding.remedy.action = actionFor(ranks, row);
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
