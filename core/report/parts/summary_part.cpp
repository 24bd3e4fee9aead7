#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/setting_changes.h"
#include "core/base/text_format.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/fault_changes.h"
#include "core/report/parts/first_page.h"
#include "core/report/parts/main_figures.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/part_timelines.h"
#include "core/report/parts/parts.h"
#include "core/trace/rehearsed.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxFaults = 3;

/// True if the diagnosis names the finding or its failure, so that the summary already mentions it.
bool isAlreadyShown(const Finding& finding, const RunMaterial& run)
{
    const Diagnosis& diagnosis = run.study.diagnosis();
    const auto isFindingAt = [&](const std::optional<std::size_t>& index) {
        return index && &run.study.findings()[*index] == &finding;
    };
    return isFindingAt(diagnosis.named) || isFindingAt(diagnosis.failureFinding);
}

/// Returns the titles of the first faults that the summary does not mention yet, with their grades.
std::vector<std::string> worstFaults(const RunMaterial& run, std::size_t most)
{
    std::vector<std::string> items;
    for (const Finding& finding : run.study.findings())
        if (finding.kind == FindingKind::Fault && finding.mergedInto.empty() && !isAlreadyShown(finding, run)
            && items.size() < most)
            items.push_back(fmt::format("{} ({})", finding.title, inWords(finding.grade)));
    return items;
}

/// Adds the first action, and the faults in order of importance.
void addFaults(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    std::vector<std::string> items = worstFaults(run, kMaxFaults);
    if (const std::string first = nextStepSentence(run.study); !first.empty())
        blocks.push_back(paragraph("Do first: " + lowerFirst(first), Tone::Strong));
    if (items.empty())
        return;
    blocks.push_back(paragraph(run.study.diagnosis().named ? "Also found:" : "Found:"));
    blocks.push_back(ReportList{std::move(items)});
}

void addBudgetSentence(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (!run.study.budget())
        return;
    const std::vector<std::string> sentences = run.study.budget()->sentences();
    const std::size_t most = run.study.budget()->observed ? 3 : 1;
    for (std::size_t i = 0; i < std::min(most, sentences.size()); ++i)
        blocks.push_back(paragraph(captioned(run, fullSentence(sentences[i]))));
}

/// Adds the sentences on the ranks, unless the report has a section for them.
void addRanks(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    if (run.study.ranks() && !material.hasPart(ReportPart::Ranks))
        for (const std::string& sentence : run.study.ranks()->sentences)
            blocks.push_back(paragraph(captioned(run, sentence)));
}

/// Returns a sentence on which run ran out of memory; empty if neither did.
std::string failuresOfBoth(const ReportMaterial& material)
{
    const bool hasEarlierFailed = material.before->study.diagnosis().ranOut();
    const bool hasLaterFailed = material.run.study.diagnosis().ranOut();
    if (hasEarlierFailed && hasLaterFailed)
        return "Both runs ran out of memory.";
    if (hasEarlierFailed)
        return "The earlier run ran out of memory; the later run did not.";
    return hasLaterFailed ? "The later run ran out of memory; the earlier run did not." : "";
}

/// Adds the first settings that differ; a pull request has no other place for them.
void addFirstSettings(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    constexpr std::size_t maxShown = 6;
    ReportList list;
    for (const SettingChange& change : material.comparison->settings)
        if (list.items.size() < maxShown)
            list.items.push_back(fmt::format("{}: {} → {}", change.name,
                change.before.empty() ? "not set" : shownSetting(change.name, change.before),
                change.after.empty() ? "not set" : shownSetting(change.name, change.after)));
    if (list.items.empty())
        return;
    const std::size_t changeCount = material.comparison->settings.size();
    blocks.push_back(paragraph(changeCount > maxShown
            ? fmt::format("{} settings differ; the first {}:", formatCount(changeCount), maxShown)
            : std::string("Settings that differ:")));
    blocks.push_back(std::move(list));
}

/// Adds a warning if figures cannot be true.
void addContradictions(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (const Finding* found = run.study.finding("inconsistent-oom-text"))
        blocks.push_back(paragraph(
            captioned(run, fmt::format("{} {}", fullSentence(found->title), actionSentence(*found))),
            Tone::Warning));
}

/// Adds half a page for two runs.
void addPullRequest(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    if (const std::string failures = failuresOfBoth(material); !failures.empty())
        blocks.push_back(paragraph(failures, Tone::Strong));
    const std::vector<ComparedFault> faults = comparedFaults(*material.before, material.run);
    if (std::vector<std::string> sentences = faultSentences(faults, material.headline()); !sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
    const Diagnosis& diagnosis = material.run.study.diagnosis();
    blocks.push_back(paragraph(captioned(material.run, diagnosis.text())));
    if (const std::string next = nextStepSentence(material.run.study); !next.empty())
        blocks.push_back(paragraph("Do next: " + lowerFirst(next), Tone::Strong));
    for (const RunMaterial* run : material.runs())
        addRanks(blocks, material, *run);
    addFirstSettings(blocks, material);
    if (material.devices())
        blocks.push_back(factsOfBoth(material));
}

/// Adds half a page for one run.
void addPullRequestOfOne(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    const RunMaterial& run = material.run;
    if (!run.study.diagnosis().detail.empty())
        blocks.push_back(paragraph(run.study.diagnosis().detail));
    addFaults(blocks, run);
    addBudgetSentence(blocks, run);
    addRanks(blocks, material, run);
    if (run.study.figures())
        blocks.push_back(factsOfRun(run));
}

/// Adds the faults that are fixed, remain or are new, the sentences about ranks, and further actions.
void addLists(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    if (material.hasTwoRuns())
        if (std::vector<std::string> sentences
            = faultSentences(comparedFaults(*material.before, material.run), material.headline());
            !sentences.empty())
            blocks.push_back(ReportList{std::move(sentences)});
    for (const RunMaterial* run : material.runs())
        addRanks(blocks, material, *run);
    if (std::vector<std::string> actions = furtherActions(material.run); !actions.empty()) {
        blocks.push_back(paragraph("Also to do:"));
        blocks.push_back(ReportList{std::move(actions)});
    }
}

/// Adds the first page: cause and effect, for two runs three figures, the timeline, actions.
void addAnswer(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    blocks.push_back(firstPageFacts(material));
    if (ReportFacts figures = keyFigures(material); !figures.rows.empty())
        blocks.push_back(std::move(figures));
    addMainTimeline(blocks, material);
    addLists(blocks, material);
    if (ReportFacts fields = fieldsToFillIn(material); !fields.rows.empty())
        blocks.push_back(std::move(fields));
    if (!material.request.options.isFull || !material.run.study.figures())
        return;
    if (material.devices())
        blocks.push_back(figuresOfBoth(material));
    else
        blocks.push_back(factsOfRun(material.run));
}

} // namespace

std::vector<ReportBlock> summaryPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs())
        if (const std::string rehearsed = rehearsedText(run->trace().metadata); !rehearsed.empty())
            blocks.push_back(paragraph(captioned(*run, upperFirst(fullSentence(rehearsed))), Tone::Warning));
    for (const RunMaterial* run : material.runs())
        if (const std::string cut = cutOffWords(*run); !cut.empty())
            blocks.push_back(paragraph(captioned(*run, cut), Tone::Warning));
    for (const RunMaterial* run : material.runs())
        addContradictions(blocks, *run);
    if (!material.isPullRequest())
        addAnswer(blocks, material);
    else if (material.hasTwoRuns())
        addPullRequest(blocks, material);
    else
        addPullRequestOfOne(blocks, material);
    return blocks;
}

} // namespace highwater
