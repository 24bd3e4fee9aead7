#include "app/cli/commands/ranked_findings.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "core/study/gpu_answer.h"

namespace highwater::cli {

namespace {

/// Returns the call sites that the evidence names.
std::vector<std::string_view> sitesOf(const Finding& finding)
{
    std::vector<std::string_view> sites;
    for (const Evidence& piece : finding.evidence)
        if (const auto* const site = std::get_if<SiteTarget>(&piece.target))
            sites.emplace_back(site->key);
    return sites;
}

/// True if the findings of two ranks are about the same code, whatever their bytes.
bool isSameFinding(const Finding& a, const Finding& b)
{
    return a.rule == b.rule && a.kind == b.kind && sitesOf(a) == sitesOf(b);
}

bool hasSameFigures(const Finding& a, const Finding& b)
{
    return a.title == b.title
        && std::ranges::equal(a.evidence, b.evidence, {}, &Evidence::sentence, &Evidence::sentence);
}

} // namespace

std::vector<const RankedFinding*> inReadingOrder(const std::vector<RankedFinding>& all)
{
    std::vector<const RankedFinding*> order;
    for (const RankedFinding& found : all)
        order.push_back(&found);
    std::ranges::stable_sort(order, [](const RankedFinding* a, const RankedFinding* b) {
        return a->isNamed != b->isNamed ? a->isNamed : readsBefore(a->finding, b->finding);
    });
    return order;
}

std::vector<RankedFinding> collectFindings(const Run& run, bool hasGpu)
{
    const std::string& mainPath = run.sources.front().path;
    std::vector<RankedFinding> all;
    const Finding* const named = run.study->findingAt(run.study->diagnosis().named);
    for (const Finding& finding : run.study->findings())
        all.push_back({finding, mainPath, {}, false, &finding == named, placeOf(finding, *run.study),
            hasGpu ? fitSentence(*run.study, finding) : ""});
    const auto isMain = [&](const RankFindings& rank) { return rank.member.path == mainPath; };
    for (const bool ofMain : {true, false})
        for (const RankFindings& rank : run.rankFindings) {
            if (isMain(rank) != ofMain)
                continue;
            for (const Finding& finding : rank.findings) {
                auto known = std::ranges::find_if(
                    all, [&](const RankedFinding& found) { return isSameFinding(found.finding, finding); });
                if (known == all.end())
                    known = all.insert(known, {finding, rank.member.path, {}});
                known->ranks.push_back(rank.member);
                known->differs |= !hasSameFigures(known->finding, finding);
            }
        }
    std::ranges::stable_sort(all,
        [](const RankedFinding& a, const RankedFinding& b) { return comesBefore(a.finding, b.finding); });
    return all;
}

} // namespace highwater::cli
