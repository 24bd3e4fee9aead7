#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/steps/growth.h"
#include "core/base/text_format.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/fault_changes.h"
#include "core/report/parts/part_tables.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

constexpr std::size_t kHolders = 3;
constexpr std::size_t kFaults = 3;

/// One figure of a run: what it is called, and the figure.
struct MainFigure
{
    std::string name;
    Cell value;
};

/// Short, because it is in a column of figures.
std::string failuresText(const DeviceFigures& figures)
{
    if (figures.ooms.empty())
        return "no";
    const std::string times
        = figures.ooms.size() == 1 ? std::string("yes") : counted(figures.ooms.size(), "time", "times");
    return fmt::format("{}, at event {}", times, formatCount(figures.ooms.back().event));
}

/// Always the same rows in the same order, so that two runs can be compared.
std::vector<MainFigure> mainFigures(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const DeviceFigures& figures = *run.study.figures();
    std::vector<MainFigure> rows;
    const bool isReservedKnown = knownFigures(study.about()).reservedPeak == Known::Exactly;
    rows.push_back({fmt::format("Peak, {}", quantityWords(study)), bytesCell(figures.peakBytes)});
    rows.push_back({"When", momentWords(study, figures.peakEvent)});
    rows.push_back({"Blocks alive then", countCell(figures.peakBlocks)});
    rows.push_back({isReservedKnown ? "Reserved at most" : "Reserved at least",
        study.about().tellsReserved() ? bytesCell(figures.reservedPeakBytes) : Cell()});
    rows.push_back({"Capacity of the device",
        run.study.capacity() ? fmt::format("{}{}", run.study.capacity()->isLowerBound() ? "at least " : "",
            formatBytes(run.study.capacity()->bytes))
                             : Cell()});
    rows.push_back({"Reserved of the capacity",
        run.study.capacity() && !run.study.capacity()->isLowerBound() && study.about().tellsReserved()
                && isReservedKnown
            ? shareCell(figures.reservedPeakBytes, run.study.capacity()->bytes)
            : Cell()});
    rows.push_back({"Out of memory", failuresText(figures)});
    const bool hasSteps = study.steps.source != StepSource::Whole;
    rows.push_back({"Steps", hasSteps ? countCell(static_cast<std::int64_t>(study.steps.count())) : Cell()});
    const std::optional<StepGrowth> growth = hasSteps ? growthPerStep(study.steps) : std::nullopt;
    rows.push_back({"Growth per step", growth ? deltaCell(growth->bytesPerStep) : Cell()});
    rows.push_back({"Expected at the peak",
        run.study.budget() && !run.study.budget()->budget.lines.empty()
            ? bytesCell(run.study.budget()->budget.expected)
            : Cell()});
    rows.push_back({"Observed against expected",
        run.study.budget() ? factorCell(figures.peakBytes, run.study.budget()->budget.expected) : Cell()});
    return rows;
}

ReportFacts factsOfRun(const RunMaterial& run)
{
    ReportFacts facts;
    for (MainFigure& figure : mainFigures(run))
        if (!figure.value.isEmpty())
            facts.rows.emplace_back(std::move(figure.name), std::move(figure.value));
    return facts;
}

Cell differenceOf(const Cell& before, const Cell& after)
{
    const auto* low = before.amount();
    const auto* high = after.amount();
    if (!low || !high || low->kind != high->kind)
        return {};
    switch (low->kind) {
    case AmountKind::ByteCount:
    case AmountKind::ByteDelta: return deltaCell(high->value - low->value);
    case AmountKind::Count: return Amount{high->value - low->value, AmountKind::CountDelta};
    case AmountKind::PerMille: return Amount{high->value - low->value, AmountKind::PerMilleDelta};
    default: return {};
    }
}

Table figuresOfBoth(const ReportMaterial& material)
{
    Table table{"main-figures", "Both runs in figures",
        {{"", "figure", false}, {"Before", "before", true}, {"After", "after", true},
            {"Difference", "difference", true}}};
    const std::vector<MainFigure> before = mainFigures(*material.before);
    const std::vector<MainFigure> after = mainFigures(material.run);
    for (std::size_t i = 0; i < after.size(); ++i) {
        const bool isEmpty = before[i].value.isEmpty() && after[i].value.isEmpty();
        if (!isEmpty)
            table.rows.push_back({after[i].name, before[i].value, after[i].value,
                differenceOf(before[i].value, after[i].value)});
    }
    return table;
}

/// The rows that matter most, each in one line: half a page has room for one table.
ReportFacts factsOfBoth(const ReportMaterial& material)
{
    const std::vector<std::string_view> main{"Reserved at most", "Out of memory", "Growth per step"};
    ReportFacts facts;
    for (const TableRow& row : figuresOfBoth(material).rows) {
        const std::string& name = *row[0].text();
        if (!name.starts_with("Peak") && std::ranges::find(main, name) == main.end())
            continue;
        std::string text = fmt::format("{} → {}", cellText(row[1]), cellText(row[2]));
        if (!row[3].isEmpty())
            text += fmt::format(" ({})", cellText(row[3]));
        facts.rows.emplace_back(name, std::move(text));
    }
    return facts;
}

/// The reserved peak compared with the capacity; nothing if either is not known.
void addRoom(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    const Device& device = run.study.device()->about();
    if (!run.study.capacity() || !device.tellsReserved() || run.study.figures()->reservedPeakBytes == 0
        || knownFigures(device).reservedPeak != Known::Exactly)
        return;
    const Bytes left = run.study.capacity()->bytes - run.study.figures()->reservedPeakBytes;
    const std::string reserved = fmt::format(
        "The allocator had reserved {} at most", formatBytes(run.study.figures()->reservedPeakBytes));
    blocks.push_back(
        paragraph(left >= 0 ? fmt::format("{}, {} of {}.", reserved,
                      formatShare(run.study.figures()->reservedPeakBytes, run.study.capacity()->bytes),
                      toText(*run.study.capacity()))
                            : fmt::format("{}: {} more than {}, so the run had a larger GPU.", reserved,
                                formatBytes(-left), toText(*run.study.capacity()))));
}

Table holders(const RunMaterial& run)
{
    Table table = sitesAtPeak(run, kHolders + 1);
    table.id = idFor(run, "top-holders");
    table.caption = captioned(run,
        fmt::format("What held the peak ({}, {})",
            momentWords(*run.study.device(), run.study.figures()->peakEvent),
            quantityWords(*run.study.device())));
    return table;
}

/// Whether the verdict or the sentence on the trouble says it.
bool isSaid(const Finding& finding, const Diagnosis& diagnosis)
{
    const bool isNotNeeded = diagnosis.trouble == Trouble::TooBig && diagnosis.worst == &finding
        && finding.remedy.savedBytes > 0;
    return diagnosis.cause == &finding || isNotNeeded;
}

std::vector<std::string> worstFaults(const RunMaterial& run, std::size_t most)
{
    const Diagnosis& diagnosis = run.study.diagnosis();
    std::vector<std::string> items;
    for (const Finding& finding : run.study.findings())
        if (finding.kind == FindingKind::Fault && finding.mergedInto.empty() && !isSaid(finding, diagnosis)
            && items.size() < most)
            items.push_back(fmt::format("{} (grade {})", finding.title, toText(finding.grade)));
    return items;
}

/// What to do, in the order of what the faults are worth.
void addFaults(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    std::vector<std::string> items = worstFaults(run, kFaults);
    const Diagnosis& diagnosis = run.study.diagnosis();
    const Finding* first = diagnosis.trouble == Trouble::Growth ? diagnosis.cause : diagnosis.worst;
    if (!first)
        first = diagnosis.cause;
    if (first && !actionSentence(*first).empty())
        blocks.push_back(paragraph("Do first: " + lowerFirst(actionSentence(*first)), Tone::Strong));
    if (items.empty())
        return;
    blocks.push_back(paragraph(first && isSaid(*first, diagnosis) ? "Also found:" : "Found:"));
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

void addRanks(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (run.study.ranks())
        for (const std::string& sentence : run.study.ranks()->sentences)
            blocks.push_back(paragraph(captioned(run, sentence)));
}

void addLog(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (!run.study.diagnosis().sentenceWithCause.empty())
        blocks.push_back(paragraph(run.study.diagnosis().sentenceWithCause));
    addFaults(blocks, run);
}

void addOneRun(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    const RunMaterial& run = material.run;
    if (!run.study.figures())
        return addLog(blocks, run);
    const Diagnosis& diagnosis = run.study.diagnosis();
    if (const Finding* peak = run.study.finding("peak-summary");
        peak && fullSentence(peak->title) != diagnosis.verdict)
        blocks.push_back(paragraph(fullSentence(peak->title), Tone::Strong));
    addRoom(blocks, run);
    if (!diagnosis.sentence.empty())
        blocks.push_back(paragraph(diagnosis.sentence));
    addFaults(blocks, run);
    addBudgetSentence(blocks, run);
    addRanks(blocks, run);
    blocks.push_back(factsOfRun(run));
    if (!material.isPullRequest() && run.study.figures()->peakBytes > 0)
        blocks.push_back(holders(run));
}

/// Whether memory ran out in either run, in words.
std::string failuresOfBoth(const ReportMaterial& material)
{
    const bool before = material.before->study.diagnosis().ranOut;
    const bool after = material.run.study.diagnosis().ranOut;
    if (before && after)
        return "Both runs ran out of memory.";
    if (before)
        return "The run before ran out of memory; the run after did not.";
    return after ? "The run after ran out of memory; the run before did not." : "";
}

/// The first settings that differ; in a pull request there is no other place for them.
void addSettings(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    constexpr std::size_t most = 6;
    ReportList list;
    for (const SettingChange& change : material.comparison->settings)
        if (list.items.size() < most)
            list.items.push_back(
                fmt::format("{}: {} → {}", change.name, change.before.empty() ? "not set" : change.before,
                    change.after.empty() ? "not set" : change.after));
    if (list.items.empty())
        return;
    const std::size_t all = material.comparison->settings.size();
    blocks.push_back(
        paragraph(all > most ? fmt::format("{} settings differ, {} of them:", formatCount(all), most)
                             : std::string("Settings that differ:")));
    blocks.push_back(std::move(list));
}

/// Figures that cannot be true must not be believed.
void addContradictions(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (const Finding* found = run.study.finding("inconsistent-oom-text"))
        blocks.push_back(paragraph(
            captioned(run, fmt::format("{} {}", fullSentence(found->title), actionSentence(*found))),
            Tone::Warning));
}

void addTwoRuns(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    if (const std::string failures = failuresOfBoth(material); !failures.empty())
        blocks.push_back(paragraph(failures, Tone::Strong));
    const std::vector<ChangedFault> faults = changedFaults(*material.before, material.run);
    if (std::vector<std::string> sentences = faultSentences(faults); !sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
    const Diagnosis& diagnosis = material.run.study.diagnosis();
    if (diagnosis.cause && !diagnosis.sentenceWithCause.empty())
        blocks.push_back(paragraph(captioned(material.run, diagnosis.sentenceWithCause)));
    if (const Finding* worst = diagnosis.worst; worst && !actionSentence(*worst).empty())
        blocks.push_back(paragraph("Do next: " + lowerFirst(actionSentence(*worst)), Tone::Strong));
    if (!material.isPullRequest())
        addBudgetSentence(blocks, material.run);
    for (const RunMaterial* run : material.runs())
        addRanks(blocks, *run);
    addSettings(blocks, material);
    if (!material.devices())
        return;
    if (material.isPullRequest())
        blocks.push_back(factsOfBoth(material));
    else
        blocks.push_back(figuresOfBoth(material));
}

} // namespace

std::vector<ReportBlock> summaryPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs())
        if (const std::string cut = cutOffWords(*run); !cut.empty())
            blocks.push_back(paragraph(captioned(*run, cut), Tone::Warning));
    for (const RunMaterial* run : material.runs())
        addContradictions(blocks, *run);
    if (material.hasTwoRuns())
        addTwoRuns(blocks, material);
    else
        addOneRun(blocks, material);
    return blocks;
}

} // namespace highwater
