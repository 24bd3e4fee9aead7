#include "app/cli/commands/ranked_findings.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "core/analysis/detectors/rule_table.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
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

/// Returns a title without its figures: "The peak is , in step" of "The peak is 3 GiB, in step 1".
std::string wordsOf(std::string_view title)
{
    static const re2::RE2 kFigure("[0-9][0-9,.:]*( ?([KMGT]i)?B\\b)?");
    std::string words(title);
    re2::RE2::GlobalReplace(&words, kFigure, "");
    return words;
}

/// True if the findings of two ranks say the same of the same code, whatever their figures.
bool isSameFinding(const Finding& a, const Finding& b)
{
    return a.rule == b.rule && a.kind == b.kind && a.grade == b.grade && sitesOf(a) == sitesOf(b)
        && wordsOf(a.title) == wordsOf(b.title);
}

bool hasSameDetails(const Finding& a, const Finding& b)
{
    return a.remedy.savedBytes == b.remedy.savedBytes
        && std::ranges::equal(a.evidence, b.evidence, {}, &Evidence::sentence, &Evidence::sentence);
}

/// Returns the entry that a finding of a rank belongs to, `all.end()` if there is none. One rank may have
/// several findings with the same words; each has its own entry, if possible one with the same figures.
std::vector<RankedFinding>::iterator entryOf(
    const Finding& finding, const RunMember& member, std::vector<RankedFinding>& all)
{
    const auto isFree = [&](const RankedFinding& found) {
        return isSameFinding(found.finding, finding)
            && std::ranges::none_of(
                found.ranks, [&](const FindingRank& rank) { return rank.member.path == member.path; });
    };
    const auto same = std::ranges::find_if(all,
        [&](const RankedFinding& found) { return found.finding.title == finding.title && isFree(found); });
    return same != all.end() ? same : std::ranges::find_if(all, isFree);
}

/// True if the finding guesses a failure's cause that the logs of the run tell: `ofRun` has the cause with a
/// better grade.
bool isToldByLogs(const Finding& finding, const std::vector<Finding>& ofRun)
{
    const Rule* const rule = ruleNamed(finding.rule);
    return rule && rule->is(Rule::FromLogs) && std::ranges::any_of(ofRun, [&](const Finding& known) {
        return known.rule == finding.rule && known.grade < finding.grade;
    });
}

std::string nameOfMember(const RunMember& member)
{
    return member.rank ? std::to_string(*member.rank) : sanitizedText(member.fileName());
}

/// True if `ranks` is worth a word: not if only the main rank has the finding, or if the run has one rank.
bool namesRanks(const RankedFinding& found, const Run& run)
{
    const bool isOfMain = found.path == run.sources.front().path;
    return !found.ranks.empty() && (!isOfMain || found.ranks.size() > 1);
}

/// Returns "0, 3", with bytes "0 (2 GiB), 3 (4 GiB)", in the order of the ranks; at most eight are named.
std::string listedRanks(const std::vector<FindingRank>& ranks, bool hasBytes)
{
    std::vector<RunMember> members;
    for (const FindingRank& rank : ranks)
        members.push_back(rank.member);
    sortByRank(members);
    constexpr std::size_t kMaxNamed = 8;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(members.size(), kMaxNamed); ++i) {
        const auto rank = std::ranges::find(
            ranks, members[i].path, [](const FindingRank& one) { return one.member.path; });
        names.push_back(nameOfMember(members[i])
            + (hasBytes && rank != ranks.end() ? fmt::format(" ({})", formatBytes(rank->bytes)) : ""));
    }
    const std::size_t more = members.size() - names.size();
    const auto [least, most] = std::ranges::minmax(ranks, {}, &FindingRank::bytes);
    return fmt::format("{}{}{}", fmt::join(names, ", "),
        more > 0 ? " and " + counted(more, "other", "others") : "",
        more > 0 && hasBytes ? fmt::format(", {} to {}", formatBytes(least.bytes), formatBytes(most.bytes))
                             : "");
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
        all.push_back({finding, mainPath, {}, false, false, &finding == named, placeOf(finding, *run.study),
            hasGpu ? fitSentence(*run.study, finding) : ""});
    const auto isMain = [&](const RankFindings& rank) { return rank.member.path == mainPath; };
    for (const bool ofMain : {true, false})
        for (const RankFindings& rank : run.rankFindings) {
            if (isMain(rank) != ofMain)
                continue;
            for (const Finding& finding : rank.findings) {
                auto known = entryOf(finding, rank.member, all);
                if (known == all.end() && (ofMain || isToldByLogs(finding, run.study->findings())))
                    continue; // The study of the run, which reads the logs too, has replaced this finding.
                if (known == all.end())
                    known = all.insert(known, {finding, rank.member.path, {}});
                known->ranks.push_back({rank.member, finding.bytes});
                known->titleDiffers |= known->finding.title != finding.title;
                known->detailsDiffer |= !hasSameDetails(known->finding, finding);
            }
        }
    std::ranges::stable_sort(all,
        [](const RankedFinding& a, const RankedFinding& b) { return comesBefore(a.finding, b.finding); });
    return all;
}

std::string titleOf(const RankedFinding& found, const Run& run)
{
    std::string title = sanitizedText(found.finding.title);
    if (!found.titleDiffers || !namesRanks(found, run))
        return title;
    const RunMember& member = found.ranks.front().member;
    return fmt::format(
        "{}{}: {}", member.rank ? "Rank " : "", nameOfMember(member), lowerFirst(std::move(title)));
}

std::string ranksText(const RankedFinding& found, const Run& run, bool hasDetails)
{
    if (!namesRanks(found, run))
        return {};
    const bool areNumbered = std::ranges::all_of(
        found.ranks, [](const FindingRank& rank) { return rank.member.rank.has_value(); });
    const auto onRanks = [&](std::size_t count) {
        return !areNumbered ? "in " : count == 1 ? "on rank " : "on ranks ";
    };
    if (found.titleDiffers) {
        const std::vector<FindingRank> others(found.ranks.begin() + 1, found.ranks.end());
        const bool hasBytes = std::ranges::any_of(
            others, [&](const FindingRank& rank) { return rank.bytes != found.finding.bytes; });
        return fmt::format("also {}{}{}", onRanks(others.size()), listedRanks(others, hasBytes),
            hasBytes ? "" : ", with other figures");
    }
    const std::size_t count = found.ranks.size();
    const std::string_view noun = areNumbered ? "on {} ranks" : "in {} files";
    const std::string all = count == 2 ? "both" : "all " + formatCount(count);
    const std::string who = count > 1 && count == run.rankFindings.size()
        ? fmt::format(fmt::runtime(noun), all)
        : onRanks(count) + listedRanks(found.ranks, false);
    const RunMember& first = found.ranks.front().member;
    return found.detailsDiffer && hasDetails
        ? fmt::format("{}; details of {}{}", who, first.rank ? "rank " : "", nameOfMember(first))
        : who;
}

} // namespace highwater::cli
