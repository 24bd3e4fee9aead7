#include "core/analysis/ranks/run_rank_sentences.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/analysis/steps/phase_table.h"
#include "core/base/text/name_text.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// The most entries that are named; further entries are only counted.
constexpr std::size_t kMaxNamed = 6;
constexpr std::string_view kTaken = " are taken";

/// Returns "3, 7 and 12", "1, 2, 3, 4, 5, 6 and 40 others".
std::string listOf(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kMaxNamed; ++i) {
        const bool isLast = i + 1 == names.size();
        text += i == 0 ? "" : isLast ? " and " : ", ";
        text += names[i];
    }
    return names.size() > kMaxNamed
        ? fmt::format("{} and {}", text, counted(names.size() - kMaxNamed, "other", "others"))
        : text;
}

/// Returns "rank 4", "ranks 4 and 7".
std::string ranksText(const RunRanks& run, const std::vector<std::size_t>& ranks)
{
    const std::string word = "rank ";
    std::vector<std::string> names;
    for (const std::size_t rank : ranks)
        names.push_back(run.nameOf(rank));
    const bool areAllNumbered = names.size() > 1
        && std::ranges::all_of(names, [&](const std::string& name) { return name.starts_with(word); });
    if (areAllNumbered)
        for (std::string& name : names)
            name.erase(0, word.size());
    return (areAllNumbered ? "ranks " : "") + listOf(names);
}

bool hasKnownRank(const RunRanks& run)
{
    return std::ranges::any_of(
        run.ranks, [](const MergedRank& rank) { return rank.identity.rank.has_value(); });
}

/// Returns "4 ranks"; "4 files" if no rank is known, since such files may be dumps of one process.
std::string countedMembers(const RunRanks& run, std::size_t count)
{
    return hasKnownRank(run) ? counted(count, "rank", "ranks") : counted(count, "file", "files");
}

std::string stageText(const std::optional<std::int64_t>& stage)
{
    return stage ? fmt::format(" (stage {})", *stage) : std::string();
}

/// Returns what tells the numbers of a rank's steps from those of the run.
std::string_view ofRecording(const MergedRank& rank)
{
    return rank.startsLate ? " of the recording" : "";
}

/// Returns ", in the backward of step 2", ", in step 2" or ", in backward"; empty if neither is known.
std::string momentText(const MergedRank& rank)
{
    if (rank.peakStep.empty())
        return rank.peakPhase.empty() ? "" : ", in " + rank.peakPhase;
    return fmt::format(", in {}{}{}",
        rank.peakPhase.empty() ? "" : fmt::format("the {} of ", phaseNoun(rank.peakPhase)),
        sanitizedText(rank.peakStep), ofRecording(rank));
}

std::string peakText(const RunRanks& run)
{
    const MergedRank& rank = run.ranks[run.highest];
    const std::string host = rank.identity.host.empty() ? "" : " on " + sanitizedText(rank.identity.host);
    // Dumps of one process are files of one rank.
    const std::string all = hasKnownRank(run) && run.processCount > 1
        ? counted(run.processCount, "rank", "ranks")
        : counted(run.ranks.size(), "file", "files");
    std::string text = fmt::format("Of {}, {}{}{} has the highest peak, {}", all, run.nameOf(run.highest),
        stageText(rank.identity.pp), host, formatBytes(run.deviceOf(rank)->peakBytes));
    return text + momentText(rank) + ".";
}

/// Adds the moment of the highest peak to a sentence of the table on this rank, which gives the peak.
std::string withMoment(std::string sentence, const RunRanks& run)
{
    const std::size_t end = sentence.find(").");
    if (end != std::string::npos && sentence.starts_with(upperFirst(run.nameOf(run.highest)) + " peaks "))
        sentence.insert(end + 1, momentText(run.ranks[run.highest]));
    return sentence;
}

/// True if the table's own sentence on outliers gives the highest peak.
bool isHighestAnOutlier(const RunRanks& run)
{
    return std::ranges::any_of(run.table.rows, [&](const RankRow& row) {
        return row.file == run.ranks[run.highest].file && row.isOutlier && row.aboveMedian > 0;
    });
}

std::string failureText(const RunRanks& run)
{
    const RankFailure& first = run.failures.front();
    const MergedRank& rank = run.ranks[first.rank];
    // The diagnosis and the table of failures say what the only rank that failed requested, and where.
    if (run.failures.size() == 1)
        return fmt::format("Of {}, only {}{} ran out of memory.", countedMembers(run, run.ranks.size()),
            run.nameOf(first.rank), stageText(rank.identity.pp));
    std::string text = fmt::format(
        "{}{} ran out of memory first", upperFirst(run.nameOf(first.rank)), stageText(rank.identity.pp));
    if (first.at.step)
        text += fmt::format(", in step {}{}", *first.at.step, ofRecording(rank));
    if (first.at.time)
        text += fmt::format(", at {}", formatTimestamp(*first.at.time));
    text += fmt::format(": {} requested", formatBytes(first.requestedBytes));
    if (!first.site.empty())
        text += " by " + withCallMarks(sanitizedText(first.site));
    std::vector<std::size_t> others;
    for (std::size_t i = 1; i < run.failures.size(); ++i)
        others.push_back(run.failures[i].rank);
    const bool isOrderKnown = first.at.time || first.at.step;
    return text + "; then " + ranksText(run, others)
        + (isOrderKnown ? "." : ". Their order is unknown; they are sorted by number.");
}

std::string leakText(const RunRanks& run, const StageLeak& leak)
{
    const std::string perStep = formatBytes(leak.medianPerStep);
    if (leak.stage && leak.leaking.size() == leak.rankCount && leak.rankCount > 1)
        return fmt::format(
            "Stage {} leaks: all {} of its ranks keep more after every step, {} per step (median).",
            *leak.stage, formatCount(leak.rankCount), perStep);
    return fmt::format("{}{} {} more after every step, {} per step (median).",
        upperFirst(ranksText(run, leak.leaking)),
        leak.stage ? fmt::format(" of stage {}'s {}", *leak.stage, formatCount(leak.rankCount)) : "",
        leak.leaking.size() == 1 ? "keeps" : "keep", perStep);
}

std::string settingText(const RunRanks& run, const SettingOfRanks& setting)
{
    const auto valueText = [](const SettingValue& value) {
        return !value.value        ? std::string("not set")
            : value.value->empty() ? std::string("empty")
                                   : sanitizedText(*value.value);
    };
    const SettingValue& rareValue = setting.values.back();
    const SettingValue& usualValue = setting.values.front();
    std::string rareRanks = counted(rareValue.rankCount, "rank", "ranks");
    if (rareValue.rankCount <= rareValue.first.size() && !rareValue.first.empty())
        rareRanks = ranksText(run, rareValue.first);
    return fmt::format("{} differs: {} on {}, {} on {}.", upperFirst(nameText(setting.name)),
        valueText(usualValue), counted(usualValue.rankCount, "rank", "ranks"), valueText(rareValue),
        rareRanks);
}

void addTroubles(const RunRanks& run, RankTrouble::Kind kind, std::vector<std::string>& sentences)
{
    std::size_t count = 0;
    for (const RankTrouble& trouble : run.troubles)
        if (trouble.kind == kind && ++count <= kMaxNamed)
            sentences.push_back(
                fmt::format("{}: {}.", sanitizedText(fileName(trouble.path)), trouble.reason));
    if (count > kMaxNamed)
        sentences.push_back(
            fmt::format("The same applies to {} more files.", formatCount(count - kMaxNamed)));
}

/// Names the ranks that may belong to another run: their code is not recorded, or is not shared.
void addDoubts(const RunRanks& run, std::vector<std::string>& sentences)
{
    std::vector<std::size_t> withoutCode;
    std::vector<std::size_t> unrelated;
    for (std::size_t i = 0; i < run.ranks.size(); ++i) {
        if (run.ranks[i].code == SharedCode::NotRecorded)
            withoutCode.push_back(i);
        if (run.ranks[i].code == SharedCode::Other)
            unrelated.push_back(i);
    }
    if (!withoutCode.empty())
        sentences.push_back(fmt::format("{} {} no stacks, so whether {} of this run could not be checked.",
            upperFirst(ranksText(run, withoutCode)), withoutCode.size() == 1 ? "has" : "have",
            withoutCode.size() == 1 ? "it is" : "they are"));
    if (!unrelated.empty())
        sentences.push_back(
            fmt::format("{} {} no code at the peak with the other ranks, so {} be another program.",
                upperFirst(ranksText(run, unrelated)), unrelated.size() == 1 ? "shares" : "share",
                unrelated.size() == 1 ? "it may" : "they may"));
}

/// Returns the plural of a detected field or of its source: "ranks", "file names", "pp ranks".
std::string inPlural(const std::string& name)
{
    if (name == "content")
        return "the files' contents";
    if (name.size() == 2) // pp, tp, dp, ep
        return name + " ranks";
    constexpr std::array<std::string_view, 5> kPlain{"rank", "step", "host", "file name", "folder"};
    return sanitizedText(name) + (std::ranges::find(kPlain, name) != kPlain.end() ? "s" : "");
}

/// Returns "Ranks are taken from file names, and pp ranks from folders (11 ranks)."; empty if nothing is
/// known. What is taken from the same source for all ranks has no count.
std::string identityText(const RunRanks& run)
{
    std::map<std::pair<std::string, std::string>, std::size_t> countByDetection;
    for (const MergedRank& rank : run.ranks)
        for (const NamedText& detection : rank.identity.found)
            ++countByDetection[detection];
    std::vector<std::pair<NamedText, std::size_t>> detections(
        countByDetection.begin(), countByDetection.end());
    std::stable_partition(
        detections.begin(), detections.end(), [](const auto& each) { return each.first.first == "rank"; });
    std::vector<std::string> parts;
    for (const auto& [detection, count] : detections)
        parts.push_back(fmt::format("{}{} from {}{}", inPlural(detection.first), parts.empty() ? kTaken : "",
            inPlural(detection.second),
            count == run.ranks.size() ? "" : fmt::format(" ({})", countedMembers(run, count))));
    return parts.empty() ? std::string() : upperFirst(listOf(parts)) + ".";
}

} // namespace

std::string_view toText(RankTrouble::Kind kind)
{
    switch (kind) {
    case RankTrouble::Kind::Damaged: return "damaged";
    case RankTrouble::Kind::Foreign: return "foreign";
    case RankTrouble::Kind::Duplicate: break;
    }
    return "duplicate";
}

std::string RunRanks::nameOf(std::size_t rank) const
{
    const RunMember& member = table.files[ranks[rank].file]->member;
    if (!member.rank)
        return sanitizedText(member.fileName());
    return table.groups.size() < 2 || !member.step ? fmt::format("rank {}", *member.rank)
                                                   : sanitizedText(member.label());
}

void tellUsedLogs(RunRanks& run, const std::set<std::string>& logNames)
{
    for (RankTrouble& trouble : run.troubles)
        if (trouble.kind == RankTrouble::Kind::Foreign
            && logNames.contains(std::string(fileName(trouble.path)))) {
            trouble.isUsedLog = true;
            trouble.reason = "read as a log of the run, not as a rank";
        }
    run.sentences = runRankSentences(run);
}

bool repeatsDiagnosis(const std::string& sentence)
{
    return sentence.starts_with("Of ") && contains(sentence, ", only ")
        && sentence.ends_with(" ran out of memory.");
}

bool namesDetection(const std::string& sentence)
{
    return contains(sentence, std::string(kTaken) + " from ");
}

bool repeatsRankTable(const std::string& sentence)
{
    return namesDetection(sentence) || contains(sentence, " has the highest peak, ")
        || (contains(sentence, " the median of ") && !contains(sentence, ", a typical rank, at "));
}

std::vector<std::string> runRankSentences(const RunRanks& run)
{
    std::vector<std::string> sentences;
    for (const OtherRun& other : run.shown.others)
        sentences.push_back(otherRunText(other));
    if (!run.failures.empty())
        sentences.push_back(failureText(run));
    if (run.ranks.size() > 1 && !isHighestAnOutlier(run))
        sentences.push_back(peakText(run));
    for (const StageLeak& leak : run.leaks)
        sentences.push_back(leakText(run, leak));
    // Out-of-memory failures are reported above, missing files below.
    for (const std::string& sentence : run.table.sentences)
        if (!sentence.ends_with("ran out of memory.") && !contains(sentence, "out-of-memory failure")
            && !sentence.starts_with("There is no file of"))
            sentences.push_back(isHighestAnOutlier(run) ? withMoment(sentence, run) : sentence);
    for (std::size_t i = 0; i < run.settings.size() && i < kMaxNamed; ++i)
        sentences.push_back(settingText(run, run.settings[i]));
    if (run.settings.size() > kMaxNamed)
        sentences.push_back(fmt::format(
            "{} differ, too.", counted(run.settings.size() - kMaxNamed, "other setting", "other settings")));
    for (const auto kind :
        {RankTrouble::Kind::Damaged, RankTrouble::Kind::Duplicate, RankTrouble::Kind::Foreign})
        addTroubles(run, kind, sentences);
    addDoubts(run, sentences);
    if (!run.missing.empty()) {
        std::vector<std::string> names;
        for (const std::int64_t rank : run.missing)
            names.push_back(fmt::format("{}", rank));
        sentences.push_back(
            fmt::format("There is no file of {} {}.", names.size() == 1 ? "rank" : "ranks", listOf(names)));
    }
    if (std::string identities = identityText(run); !identities.empty())
        sentences.push_back(std::move(identities));
    return sentences;
}

} // namespace highwater
