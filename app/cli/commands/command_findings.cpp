#include "app/cli/commands/commands.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/loading/run_inputs.h"
#include "app/loading/run_parts.h"
#include "core/analysis/detectors/detector_input.h"
#include "core/analysis/detectors/rank_outlier.h"
#include "core/analysis/detectors/rule_names.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/base/json.h"
#include "core/base/text/near_text.h"
#include "core/base/text_format.h"
#include "core/report/json/finding_json.h"
#include "core/report/model/finding_text.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Findings about one file, or about logs alone.
struct FileFindings
{
    std::string path;
    std::string verdict; ///< what is wrong with the run, in sentences
    std::vector<Finding> findings;
};

/// A finding and the path of the file that it is about.
using FoundIn = std::pair<Finding, std::string>;

/// In the order to read them in.
std::vector<const FoundIn*> inReadingOrder(const std::vector<FoundIn>& all)
{
    std::vector<const FoundIn*> order;
    for (const FoundIn& one : all)
        order.push_back(&one);
    std::ranges::stable_sort(
        order, [](const FoundIn* a, const FoundIn* b) { return readsBefore(a->first, b->first); });
    return order;
}

/// The "findings" array, by grade, then by bytes; `rank` counts from 1 in the order to read them in.
Json findingsJson(const std::vector<FoundIn>& all, const std::vector<CompanionFile>& companions)
{
    const std::vector<const FoundIn*> order = inReadingOrder(all);
    Json rows = Json::array();
    for (const FoundIn& one : all) {
        Json row = findingJson(one.first, companions);
        row["rank"] = std::ranges::find(order, &one) - order.begin() + 1;
        row["path"] = one.second;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// For people: title first, then what it rests on, what to do and what would disprove it.
void printFinding(const Finding& finding)
{
    const Style style = Style::forStdout();
    const std::string head = fmt::format("{}  {}", toText(finding.grade), sanitizedText(finding.title));
    printOut("{}  {}\n", finding.kind == FindingKind::Fault ? style.warning(head) : style.strong(head),
        style.quiet("[" + finding.rule + "]"));
    for (const Evidence& piece : finding.evidence)
        printOut("     - {}\n", sanitizedText(piece.sentence));
    const std::string saving = savingText(finding);
    if (!finding.remedy.action.empty())
        printOut("     next: {}{}\n", sanitizedText(finding.remedy.action),
            saving.empty() ? "" : " (" + saving + ")");
    if (!finding.wouldDisprove.empty())
        printOut("     {}\n", style.quiet("would be wrong if: " + sanitizedText(finding.wouldDisprove)));
}

/// One line: bytes, grade, title and rule.
void printBriefly(const Finding& finding)
{
    const Style style = Style::forStdout();
    const std::string title = sanitizedText(finding.title);
    printOut("{:>11}  {}  {}  {}\n", finding.bytes > 0 ? formatBytes(finding.bytes) : "–",
        toText(finding.grade), finding.kind == FindingKind::Fault ? style.warning(title) : title,
        style.quiet("[" + finding.rule + "]"));
}

/// What `--only` takes besides rules.
constexpr std::string_view kFaults = "faults";
constexpr std::string_view kFacts = "facts";

/// Ends the command where there is no such finding.
void checkOnly(const std::vector<std::string>& only)
{
    std::vector<std::string> known{std::string(kFaults), std::string(kFacts)};
    for (const std::string_view rule : ruleNames())
        known.emplace_back(rule);
    for (const std::string& wanted : only) {
        if (std::ranges::count(known, wanted) > 0)
            continue;
        const std::string meant = didYouMean(wanted, known);
        refuse("--only",
            fmt::format("there is no finding {}{}", sanitizedText(wanted),
                meant.empty() ? fmt::format(" (one of {})", fmt::join(known, ", ")) : meant));
    }
}

bool isWanted(const Finding& finding, const std::vector<std::string>& only)
{
    const auto has = [&](std::string_view what) { return std::ranges::count(only, what) > 0; };
    return only.empty() || has(finding.rule) || has(finding.kind == FindingKind::Fault ? kFaults : kFacts);
}

/// Everything that was loaded, and the worst exit code of it.
struct Loaded
{
    std::vector<LoadedInput> inputs;
    int exitCode = Done;
};

Loaded loadAll(const CommonOptions& options)
{
    Loaded loaded;
    loaded.exitCode
        = forEachInput(options, [&](LoadedInput input) { loaded.inputs.push_back(std::move(input)); });
    return loaded;
}

/// Whether findings are about this file; the others are auxiliary files of those that are.
bool isSubject(const LoadedInput& input)
{
    return input.imported && tellsAllocations(*input.imported->trace);
}

/// What all inputs of the command share.
struct Shared
{
    std::vector<CompanionFile> companions;
    std::vector<CategoryRule> rules;
    std::optional<RunDescription> description; ///< of the configuration
};

FileFindings findingsIn(RunParts parts, const Shared& shared)
{
    if (shared.description)
        addDescription(parts, *shared.description);
    const RunStudy study(std::move(parts));
    return {study.name(), study.diagnosis().text(), study.findings()};
}

Result<FileFindings> findingsOf(
    const LoadedInput& input, const std::optional<std::string>& wanted, const Shared& shared)
{
    Result<RunParts> parts = partsOf(input.path, *input.imported, {wanted, std::nullopt, shared.rules, {}});
    if (!parts)
        return tl::unexpected(parts.error());
    parts->companions = shared.companions;
    return findingsIn(*std::move(parts), shared);
}

FileFindings findingsOfLogs(const Shared& shared)
{
    RunParts parts;
    parts.name = shared.companions.front().name;
    parts.trace = shared.companions.front().trace;
    parts.companions.assign(shared.companions.begin() + 1, shared.companions.end());
    return findingsIn(std::move(parts), shared);
}

/// If the files are the ranks of a run, adds each rank outlier to the findings of its file.
void addRankOutliers(const std::vector<const LoadedInput*>& subjects, std::vector<FileFindings>& files)
{
    std::vector<std::shared_ptr<const RankFile>> ranks;
    for (const LoadedInput* input : subjects) {
        const Trace& trace = *input->imported->trace;
        RankFile file = rankFile(runMember(input->path, trace), trace, false);
        file.incomplete = input->imported->incomplete.has_value();
        ranks.push_back(std::make_shared<const RankFile>(std::move(file)));
    }
    const RankTable table = compareRanks(std::move(ranks));
    for (RankFinding& found : findRankOutliers(table)) {
        const LoadedInput& input = *subjects[found.row.file];
        const auto file = std::ranges::find(files, input.path, &FileFindings::path);
        if (file == files.end())
            continue;
        file->findings.push_back(std::move(found.finding));
    }
}

/// Whether a finding refers to a line of a log, which is an auxiliary file of every file of the run.
bool isOfLog(const Finding& finding)
{
    return std::ranges::any_of(finding.evidence,
        [](const Evidence& evidence) { return std::holds_alternative<LogLineTarget>(evidence.target); });
}

/// Of all files, by grade, then by bytes; what a log says, once.
std::vector<FoundIn> joined(std::vector<FileFindings> files)
{
    std::vector<FoundIn> all;
    for (FileFindings& file : files)
        for (Finding& finding : file.findings) {
            const bool known = isOfLog(finding) && std::ranges::any_of(all, [&](const auto& other) {
                return other.first.rule == finding.rule && other.first.title == finding.title;
            });
            if (!known)
                all.emplace_back(std::move(finding), file.path);
        }
    std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return comesBefore(a.first, b.first); });
    return all;
}

using Verdicts = std::vector<std::pair<std::string, std::string>>;

/// First a line for each file that says what is wrong with the run, with the file's name if there are
/// several.
void printFindings(const Verdicts& verdicts, const std::vector<FoundIn>& all, const FindingsOptions& options)
{
    const bool severalFiles = verdicts.size() > 1;
    for (const auto& [path, verdict] : verdicts)
        printOut("{}{}\n", severalFiles ? Style::forStdout().strong(sanitizedText(path)) + ": " : "",
            sanitizedText(verdict));
    std::string path;
    bool isFact = false;
    for (const FoundIn* one : inReadingOrder(all)) {
        const auto& [finding, of] = *one;
        if (!isFact && finding.kind == FindingKind::Fact)
            printOut("{}\n", Style::forStdout().strong("Facts"));
        isFact = finding.kind == FindingKind::Fact;
        if (severalFiles && of != path)
            printOut("{}\n", Style::forStdout().strong(sanitizedText(of)));
        path = of;
        if (options.brief)
            printBriefly(finding);
        else
            printFinding(finding);
    }
    if (all.empty())
        printOut("{}\n", options.only.empty() ? "no findings" : "no such findings");
}

Json filesJson(const std::vector<LoadedInput>& inputs)
{
    Json files = Json::array();
    for (const LoadedInput& input : inputs) {
        if (!input.imported)
            files.push_back({{"path", input.path}, {"error", toText(input.imported.error())}});
        else
            files.push_back({{"path", input.path}, {"complete", !input.imported->incomplete}});
    }
    return files;
}

} // namespace

int runFindings(const FindingsOptions& options)
{
    checkOnly(options.only);
    Shared shared;
    shared.rules = rulesFrom(options.rules);
    if (!options.config.empty())
        shared.description = needOption(options.config, loadRunDescription(options.config));
    Loaded loaded = loadAll(options.common);
    if (loaded.exitCode == Interrupted)
        return Interrupted;
    std::vector<const LoadedInput*> subjects;
    for (const LoadedInput& input : loaded.inputs) {
        if (isSubject(input))
            subjects.push_back(&input);
        else if (input.imported)
            shared.companions.push_back({input.path, input.imported->trace});
    }
    std::vector<FileFindings> files;
    for (const LoadedInput* input : subjects) {
        Result<FileFindings> found = findingsOf(*input, options.device, shared);
        if (found) {
            files.push_back(*std::move(found));
        } else {
            printError(input->path, found.error());
            loaded.exitCode = worse(loaded.exitCode, exitCodeOf(found.error()));
        }
    }
    if (subjects.size() > 1)
        addRankOutliers(subjects, files);
    if (subjects.empty() && !shared.companions.empty())
        files.push_back(findingsOfLogs(shared));
    Verdicts verdicts;
    for (const FileFindings& file : files)
        verdicts.emplace_back(file.path, file.verdict);
    std::vector<FoundIn> all = joined(std::move(files));
    std::erase_if(all, [&](const FoundIn& one) { return !isWanted(one.first, options.only); });
    if (options.common.json) {
        printDocument(
            Json({{"findings", findingsJson(all, shared.companions)}, {"files", filesJson(loaded.inputs)}}));
    } else if (!(all.empty() && loaded.exitCode == CannotRead)) {
        printFindings(verdicts, all, options);
    }
    return loaded.exitCode;
}

} // namespace highwater::cli
