#include "core/report/parts/main_figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/device/cut_off.h"
#include "core/analysis/steps/growth.h"
#include "core/base/text_format.h"
#include "core/report/parts/part_text.h"
#include "core/study/outcome/run_outcome.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxKeyFigures = 3;

/// One of a run's main figures: its name and value.
struct MainFigure
{
    std::string name;
    Cell value;
};

/// Returns "no", "yes, at event 5,701" or "3 times, at event 5,701"; short, because it is in a column of
/// figures.
std::string failuresText(const DeviceFigures& figures)
{
    if (figures.ooms.empty())
        return "no";
    const std::string times
        = figures.ooms.size() == 1 ? std::string("yes") : counted(figures.ooms.size(), "time", "times");
    return fmt::format("{}, at event {}", times, formatCount(figures.ooms.back().event));
}

bool isReservedExact(const Device& device)
{
    return knownFigures(device).reservedPeak == Known::Exactly;
}

/// Always returns the same rows in the same order, so that two runs can be compared.
std::vector<MainFigure> mainFigures(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const DeviceFigures& figures = *run.study.figures();
    std::vector<MainFigure> rows;
    rows.push_back(
        {fmt::format("Peak, {}", quantityLabel(study)), bytesCell(peakLowerBound(study.about(), figures))});
    const bool isAtEvent = isPeakAtEvent(study.about(), figures);
    rows.push_back({"When", isAtEvent ? momentWords(study, figures.peakEvent) : "the end of the recording"});
    rows.push_back(
        {"Allocations at the peak", countCell(isAtEvent ? figures.peakBlocks : figures.finalBlocks)});
    rows.push_back({isReservedExact(study.about()) ? "Peak reserved" : "Reserved at least",
        study.about().recordsReserved() ? bytesCell(figures.reservedPeakBytes) : Cell()});
    rows.push_back(
        {"GPU capacity", run.study.capacity() ? Cell(boundedText(*run.study.capacity())) : Cell()});
    rows.push_back({"Capacity reserved",
        run.study.capacity() && !run.study.capacity()->isLowerBound() && study.about().recordsReserved()
                && isReservedExact(study.about())
            ? shareCell(figures.reservedPeakBytes, run.study.capacity()->bytes)
            : Cell()});
    rows.push_back({"Out of memory", failuresText(figures)});
    const bool hasSteps = study.steps.source != StepSource::Whole;
    rows.push_back({"Steps", hasSteps ? countCell(static_cast<std::int64_t>(study.steps.count())) : Cell()});
    const std::optional<StepGrowth> growth = hasSteps ? growthPerStep(study.steps) : std::nullopt;
    rows.push_back({"Growth per step", growth ? deltaCell(growth->bytesPerStep) : Cell()});
    rows.push_back({"Expected at the peak",
        run.study.budget() && !run.study.budget()->budget.lines.empty()
            ? bytesCell(run.study.budget()->budget.expectedInPyTorch())
            : Cell()});
    rows.push_back({"Observed / expected",
        run.study.budget() ? factorCell(figures.peakBytes, run.study.budget()->budget.expectedInPyTorch())
                           : Cell()});
    return rows;
}

/// Returns the difference; empty if the two are not amounts of one kind.
Cell differenceOf(const Cell& before, const Cell& after)
{
    const auto* first = before.amount();
    const auto* second = after.amount();
    if (!first || !second || first->kind != second->kind)
        return {};
    const std::int64_t change = second->value - first->value;
    switch (first->kind) {
    case AmountKind::ByteCount:
    case AmountKind::ByteDelta: return deltaCell(change);
    case AmountKind::Count: return Amount{change, AmountKind::CountDelta};
    case AmountKind::PerMille: return Amount{change, AmountKind::PerMilleDelta};
    default: return {};
    }
}

/// Returns "30.57 GiB → 23.67 GiB", or a single value if both are equal.
std::string pairText(const std::string& before, const std::string& after)
{
    return before == after ? after : fmt::format("{} → {}", before, after);
}

/// Returns "no", "yes", "yes, in step 3", or "caught" if the run went on.
std::string failureWords(const RunEnd& end, const RunMaterial& run)
{
    if (end.failedAt)
        return end.failedIn.empty() ? std::string("yes") : "yes, " + end.failedIn;
    return run.study.figures()->ooms.empty() ? "no" : "caught";
}

/// Returns "22.81 GiB", or "≥ 22.81 GiB" for a lower bound; empty if reserved bytes were not recorded.
std::string peakReserved(const RunMaterial& run)
{
    const Device& device = run.study.device()->about();
    if (!device.recordsReserved())
        return {};
    return (isReservedExact(device) ? "" : "≥ ") + formatBytes(run.study.figures()->reservedPeakBytes);
}

/// Returns "22.81 GiB of at least 22.85 GiB"; empty if either is unknown.
std::string reservedWords(const RunMaterial& run)
{
    const std::string reserved = peakReserved(run);
    if (!run.study.capacity() || reserved.empty() || run.study.figures()->reservedPeakBytes == 0)
        return {};
    return fmt::format("{} of {}", reserved, boundedText(*run.study.capacity()));
}

std::string growthWords(const RunEnd& end)
{
    return end.growth ? formatBytes(*end.growth) : "none";
}

std::string budgetWords(const RunMaterial& run)
{
    if (!run.study.budget() || run.study.budget()->budget.lines.empty())
        return {};
    const Cell factor
        = factorCell(run.study.figures()->peakBytes, run.study.budget()->budget.expectedInPyTorch());
    return factor.isEmpty() ? std::string() : cellText(factor);
}

void addPair(ReportFacts& facts, const char* name, const std::string& before, const std::string& after)
{
    if (!before.empty() && !after.empty())
        facts.rows.emplace_back(name, pairText(before, after));
}

void addKeyFiguresOfBoth(ReportFacts& facts, const ReportMaterial& material)
{
    const RunMaterial& before = *material.before;
    const RunMaterial& after = material.run;
    const ComparedEnds ends = material.devices()->runs.ends();
    const ChangeText peaks = formatChange(ends.before.peakBytes, ends.after.peakBytes);
    facts.rows.emplace_back("Peak", fmt::format("{} ({})", pairText(peaks.before, peaks.after), peaks.delta));
    if (ends.before.growth || ends.after.growth)
        addPair(facts, "Leak per step", growthWords(ends.before), growthWords(ends.after));
    else
        addPair(facts, "Reserved on the GPU", reservedWords(before), reservedWords(after));
    if (!before.study.figures()->ooms.empty() || !after.study.figures()->ooms.empty())
        addPair(facts, "Out of memory", failureWords(ends.before, before), failureWords(ends.after, after));
    else
        addPair(facts, "Peak / budget", budgetWords(before), budgetWords(after));
    const auto blocks = [](const RunMaterial& run) { return formatCount(run.study.figures()->peakBlocks); };
    if (facts.rows.size() < kMaxKeyFigures)
        addPair(facts, "Peak reserved", peakReserved(before), peakReserved(after));
    if (facts.rows.size() < kMaxKeyFigures)
        addPair(facts, "Allocations at the peak", blocks(before), blocks(after));
}

} // namespace

ReportFacts factsOfRun(const RunMaterial& run)
{
    ReportFacts facts;
    for (MainFigure& figure : mainFigures(run))
        if (!figure.value.isEmpty())
            facts.rows.emplace_back(std::move(figure.name), std::move(figure.value));
    return facts;
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

ReportFacts factsOfBoth(const ReportMaterial& material)
{
    // The rows of peaks, and these.
    const std::vector<std::string_view> otherNames{"Out of memory", "Growth per step"};
    ReportFacts facts;
    for (const TableRow& row : figuresOfBoth(material).rows) {
        const std::string& name = *row[0].text();
        if (!name.starts_with("Peak") && std::ranges::find(otherNames, name) == otherNames.end())
            continue;
        const auto* before = row[1].amount();
        const auto* after = row[2].amount();
        if (before && after && before->kind == AmountKind::ByteCount) {
            const ChangeText change = formatChange(before->value, after->value);
            facts.rows.emplace_back(
                name, fmt::format("{} → {} ({})", change.before, change.after, change.delta));
            continue;
        }
        std::string text = fmt::format("{} → {}", cellText(row[1]), cellText(row[2]));
        if (!row[3].isEmpty())
            text += fmt::format(" ({})", cellText(row[3]));
        facts.rows.emplace_back(name, std::move(text));
    }
    return facts;
}

ReportFacts keyFigures(const ReportMaterial& material)
{
    ReportFacts facts{{}, {}, FactStyle::Figures};
    if (material.devices())
        addKeyFiguresOfBoth(facts, material);
    return facts;
}

} // namespace highwater
