#include "app/cli/commands/commands.h"
#include "app/cli/commands/ranked_findings.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/run_input.h"
#include "app/cli/parser/other_words.h"
#include "core/analysis/detectors/rule_table.h"
#include "core/base/json.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text/wrapped_text.h"
#include "core/base/text_format.h"
#include "core/report/json/diagnosis_json.h"
#include "core/report/json/finding_json.h"
#include "core/report/json/run_json.h"
#include "core/report/json/sarif.h"
#include "core/report/model/finding_text.h"
#include "core/study/gpu_answer.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Returns the "findings" array, in the order of `all`; `rank` is the position in reading order, from 1;
/// `ranks` are the run's ranks that have the finding.
Json findingsJson(const std::vector<RankedFinding>& all, const std::vector<AuxiliaryFile>& auxiliaryFiles)
{
    const std::vector<const RankedFinding*> order = inReadingOrder(all);
    Json rows = Json::array();
    for (const RankedFinding& found : all) {
        Json row = findingJson(found.finding, auxiliaryFiles);
        row["rank"] = std::ranges::find(order, &found) - order.begin() + 1;
        row["path"] = found.path;
        row["place"] = placeJson(found.place);
        Json ranks = Json::array();
        for (const FindingRank& rank : found.ranks)
            ranks.push_back(orNull(rank.member.rank));
        row["ranks"] = std::move(ranks);
        rows.push_back(std::move(row));
    }
    return rows;
}

/// How much of a finding is printed.
enum class Detail : std::uint8_t
{
    Line, ///< bytes, grade, title and rule
    Short, ///< title, next action and the evidence that matters most
    Whole, ///< all evidence, and when it would be wrong
};

/// Columns by which the lines below a title are indented.
constexpr std::size_t kIndent = 3;
/// The finding of this rule repeats the peak by phase, so the short form leaves it out unless `--only` names
/// rules.
constexpr std::string_view kDetailRule = "peak-phase";
constexpr std::string_view kPeakRule = "peak-summary";

/// Rules whose findings need their own action even if they are part of another one.
constexpr std::array<std::string_view, 3> kOwnActions{
    "padded-to-maximum", "oversized-logits", "kv-cache-in-training"};

/// Returns the next action, for the line below the title; empty if none is shown. In the short form, a
/// finding that is part of another one has an action only if its rule is among `kOwnActions`, and a fact only
/// if the action saves memory.
std::string nextText(const Finding& finding, Detail detail)
{
    if (detail == Detail::Whole)
        return actionSentence(finding);
    const bool isFault = finding.kind == FindingKind::Fault;
    if (finding.mergedInto.empty())
        return isFault || savesMemory(finding) ? actionSentence(finding) : std::string();
    const bool hasOwn = isFault && std::ranges::count(kOwnActions, finding.rule) > 0;
    return hasOwn ? fullSentence(finding.remedy.action) : std::string();
}

/// Returns the pieces of evidence that are printed. In the short form, the first is, which quotes the message
/// of a log, and the last that gives the cause of a failure.
std::vector<const Evidence*> shownEvidence(const Finding& finding, Detail detail)
{
    const bool showsSome
        = finding.mergedInto.empty() && (finding.kind == FindingKind::Fault || finding.rule == kPeakRule);
    std::vector<const Evidence*> shown;
    if (detail != Detail::Whole && !showsSome)
        return shown;
    for (const Evidence& piece : finding.evidence)
        if (detail == Detail::Whole || shown.empty())
            shown.push_back(&piece);
        else if (piece.isCause) {
            shown.resize(1);
            shown.push_back(&piece);
        }
    return shown;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t hanging)
{
    return wrappedText(text, outputWidth(), indent, hanging);
}

/// Returns "[growth, certain]", "[oversized-logits, likely, part of the leak] on ranks 0, 3".
std::string tagOf(const RankedFinding& found, const Run& run, Detail detail)
{
    const Finding& finding = found.finding;
    const std::string ranks = ranksText(
        found, run, !shownEvidence(finding, detail).empty() || !nextText(finding, detail).empty());
    return fmt::format("[{}, {}{}]{}", finding.rule, inWords(finding.grade),
        finding.mergedInto.empty() ? "" : ", part of the " + ruleWords(finding.mergedInto),
        ranks.empty() ? "" : " " + ranks);
}

/// Prints "3 copies of the model are in memory… [duplicate-model, certain]", wrapped before it gets its
/// colours.
void printTitle(FindingKind kind, const std::string& title, const std::string& tag)
{
    const Style style = Style::forStdout();
    const std::string lines = wrapped(title + " " + tag, 0, kIndent);
    const std::size_t end = lines.rfind('[');
    const std::string head = lines.substr(0, end);
    printOut("{}{}\n", kind == FindingKind::Fault ? style.warning(head) : style.strong(head),
        style.quiet(lines.substr(end)));
}

/// Prints what to do, unless a finding further up advises the same (`advised`), and the evidence.
void printBody(const RankedFinding& found, Detail detail, std::set<std::string>& advised)
{
    const Style style = Style::forStdout();
    const Finding& finding = found.finding;
    std::string next = nextText(finding, detail);
    if (!next.empty() && !found.fit.empty())
        next += ' ' + found.fit;
    if (!next.empty() && advised.insert(finding.remedy.action).second)
        printOut("{}\n", wrapped("Next: " + sanitizedText(next), kIndent, kIndent + 2));
    for (const Evidence* const piece : shownEvidence(finding, detail))
        printOut("{}\n", style.quiet(wrapped("- " + sanitizedText(piece->sentence), kIndent, kIndent + 2)));
    if (detail == Detail::Whole && !finding.wouldDisprove.empty())
        printOut("{}\n",
            style.quiet(wrapped(fullSentence(sanitizedText(finding.wouldDisprove)), kIndent, kIndent)));
}

/// Prints one line: bytes, grade, title and rule.
void printOneLine(const RankedFinding& found, const Run& run)
{
    const Style style = Style::forStdout();
    const Finding& finding = found.finding;
    const std::string title = titleOf(found, run);
    const std::string ranks = ranksText(found, run, false);
    printOut("{:>11}  {:<7}  {}  {}\n", finding.bytes > 0 ? formatBytes(finding.bytes) : "–",
        inWords(finding.grade), finding.kind == FindingKind::Fault ? style.warning(title) : title,
        style.quiet("[" + finding.rule + "]") + (ranks.empty() ? "" : "  " + ranks));
}

/// Words that `--only` takes besides rules.
constexpr std::string_view kFaults = "faults";
constexpr std::string_view kFacts = "facts";
constexpr std::string_view kLeak = "leak";
constexpr std::string_view kOom = "oom";
/// Rules about memory that steps leave behind.
constexpr std::array<std::string_view, 3> kLeakRules{"growth", "retained-graph", "still-rising"};

/// Ends the command if `--only` names neither a rule nor one of the words above.
void checkRuleNames(const std::vector<std::string>& only)
{
    std::vector<std::string> known{
        std::string(kFaults), std::string(kFacts), std::string(kLeak), std::string(kOom)};
    for (const std::string_view rule : ruleNames())
        known.emplace_back(rule);
    for (const std::string& wanted : only) {
        if (std::ranges::count(known, wanted) > 0)
            continue;
        refuse("--only",
            fmt::format(
                "there is no finding {}{} (give faults, facts, leak, oom, or a name that findings prints "
                "in brackets)",
                sanitizedText(wanted), didYouMeanWord(wanted, known)));
    }
}

bool isWanted(const Finding& finding, const std::vector<std::string>& only)
{
    const auto has = [&](std::string_view word) { return std::ranges::count(only, word) > 0; };
    return only.empty() || has(finding.rule) || has(finding.kind == FindingKind::Fault ? kFaults : kFacts)
        || (has(kLeak) && std::ranges::count(kLeakRules, finding.rule) > 0)
        || (has(kOom) && isFailure(finding));
}

Detail detailOf(const FindingsOptions& options)
{
    return options.brief ? Detail::Line : options.verbose ? Detail::Whole : Detail::Short;
}

/// Returns the finding whose title begins the diagnosis; null if it is not listed.
const RankedFinding* headlineOf(const std::vector<const RankedFinding*>& order)
{
    return !order.empty() && order.front()->isNamed ? order.front() : nullptr;
}

/// Returns the diagnosis without the sentence on the peak, if that is also the title of a listed finding.
std::string diagnosisText(const Run& run, const std::vector<const RankedFinding*>& order)
{
    std::string text = run.study->diagnosis().text();
    for (const RankedFinding* one : order) {
        const std::string title = ' ' + fullSentence(one->finding.title);
        const std::size_t begin = one->finding.rule == kPeakRule ? text.find(title) : std::string::npos;
        if (begin != std::string::npos)
            text.erase(begin, title.size());
    }
    return text;
}

/// Prints the diagnosis with the body of the finding that it names, then the run's ranks without the
/// sentences that are also the title of a listed finding. With `Detail::Line`, omits the diagnosis if the
/// finding that it names is listed.
void printDiagnosis(const Run& run, const std::vector<const RankedFinding*>& order, Detail detail,
    std::set<std::string>& advised)
{
    const RankedFinding* const headline = headlineOf(order);
    std::vector<std::string> titles;
    for (const RankedFinding* one : order)
        titles.push_back(one->finding.title);
    const std::string tag = headline
        ? fmt::format(" [{}, {}]", headline->finding.rule, inWords(headline->finding.grade))
        : std::string();
    if (!headline || detail != Detail::Line) {
        printOut("{}\n", wrapped(sanitizedText(diagnosisText(run, order)) + tag, 0, 0));
        if (const Finding* const saving = run.study->findingAt(run.study->diagnosis().opportunity))
            advised.insert(saving->remedy.action); // the diagnosis ends with it
        if (headline)
            printBody(*headline, detail, advised);
    }
    printRunHead(run, titles);
}

void printFindings(const std::vector<RankedFinding>& all, const Run& run, const FindingsOptions& options)
{
    const Detail detail = detailOf(options);
    const std::vector<const RankedFinding*> order = inReadingOrder(all);
    const RankedFinding* const headline = headlineOf(order);
    std::set<std::string> advised;
    printDiagnosis(run, order, detail, advised);
    bool isBelowFacts = false;
    bool hidesDetails = false;
    std::size_t hidden = 0;
    for (const RankedFinding* found : order) {
        const Finding& finding = found->finding;
        if (detail == Detail::Short && finding.rule == kDetailRule && options.only.empty()) {
            hidesDetails = true;
            ++hidden;
            continue;
        }
        if (!isBelowFacts && finding.kind == FindingKind::Fact)
            printOut("{}\n", Style::forStdout().strong("Facts"));
        isBelowFacts = finding.kind == FindingKind::Fact;
        if (detail == Detail::Line) {
            printOneLine(*found, run);
            continue;
        }
        if (found != headline) {
            printTitle(finding.kind, titleOf(*found, run), tagOf(*found, run, detail));
            printBody(*found, detail, advised);
        }
        hidesDetails = hidesDetails || shownEvidence(finding, detail).size() < finding.evidence.size()
            || !finding.wouldDisprove.empty();
    }
    if (all.empty() && !options.only.empty())
        printOut("No such findings.\n");
    if (hidesDetails && detail == Detail::Short)
        printOut("{}\n",
            Style::forStdout().quiet(
                fmt::format("--verbose prints {}all evidence, and what would make a finding wrong",
                    hidden > 0 ? counted(hidden, "more finding", "more findings") + ", " : "")));
}

Json sarifOf(const std::vector<RankedFinding>& all)
{
    std::vector<PlacedFinding> placed;
    for (const RankedFinding* const found : inReadingOrder(all))
        placed.push_back({&found->finding, found->place, found->path});
    return sarifLog(placed);
}

Json filesJson(const Run& run)
{
    Json files = Json::array();
    for (const ReportSource& source : run.sources) {
        if (!source.error.empty())
            files.push_back({{"path", source.path}, {"error", source.error}});
        else
            files.push_back({{"path", source.path}, {"complete", source.cutOff.empty()}});
    }
    return files;
}

/// Returns Done; if nothing could be examined, CannotRead with the reason on standard error.
int examinationCode(const Run& run)
{
    const Diagnosis& diagnosis = run.study->diagnosis();
    if (diagnosis.diagnosed != DiagnosisClass::NothingExamined)
        return Done;
    printErr("highwater: {}: {} {}\n", sanitizedText(run.sources.front().path), diagnosis.sentence,
        fullSentence(diagnosis.next));
    return CannotRead;
}

} // namespace

int runFindings(const FindingsOptions& options)
{
    checkRuleNames(options.only);
    RunRequest request;
    request.device = options.device;
    request.configuration = options.config;
    if (!options.gpu.empty())
        request.capacity = need("--gpu", capacityFromText(options.gpu));
    RunReadOptions read;
    read.rules = rulesFrom(options.rules);
    read.findingsOfRanks = true;
    const Run run = needRun(options.common, std::move(request), std::move(read));
    std::vector<RankedFinding> all = collectFindings(run, !options.gpu.empty());
    std::erase_if(all, [&](const RankedFinding& found) { return !isWanted(found.finding, options.only); });
    const std::optional<GpuAnswer> answer = options.gpu.empty() ? std::nullopt : answerForGpu(*run.study);
    if (options.sarif) {
        printDocument(sarifOf(all));
    } else if (options.common.json) {
        Json document{{"diagnosis", diagnosisJson(run.study->diagnosis())}, {"run", runJson(run.main)},
            {"findings", findingsJson(all, run.study->parts().auxiliaryFiles)}, {"files", filesJson(run)}};
        if (answer)
            document["gpu"]
                = {{"verdict", answer->verdict}, {"sentence", answer->text}, {"detail", answer->detail}};
        printDocument(document);
    } else if (run.study->diagnosis().diagnosed != DiagnosisClass::NothingExamined) {
        if (answer)
            printOut("{}\n", wrapped(fullSentence(answer->text) + ' ' + answer->detail, 0, 0));
        printFindings(all, run, options);
    }
    return worse(exitCodeOf(run), examinationCode(run));
}

} // namespace highwater::cli
