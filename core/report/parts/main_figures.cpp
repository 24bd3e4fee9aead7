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

/// One of a run's main figures.
struct MainFigure
{
    std::string name;
    Cell value;
    bool isLowerBound = false;
};

/// Returns "9 MiB", or "at least 9 MiB" for a lower bound.
std::string boundedBytes(Bytes bytes, bool isLowerBound)
{
    return (isLowerBound ? "at least " : "") + formatBytes(bytes);
}

MainFigure bytesFigure(std::string name, Bytes bytes, bool isLowerBound)
{
    return {std::move(name), bytesCell(bytes).show(boundedBytes(bytes, isLowerBound)), isLowerBound};
}

bool isPeakExact(const RunMaterial& run)
{
    return peakCertainty(*run.study.device()) == Certainty::Exactly;
}

bool isReservedExact(const RunMaterial& run)
{
    return figureCertainty(run.study.device()->about()).reservedPeak == Certainty::Exactly;
}

Bytes peakBytes(const RunMaterial& run)
{
    return peakLowerBound(run.study.device()->about(), *run.study.figures());
}

/// Returns the number of allocations in use at the peak, or at the end if more was in use there.
std::int64_t peakBlocks(const RunMaterial& run)
{
    const DeviceFigures& figures = *run.study.figures();
    return isPeakAtEvent(run.study.device()->about(), figures) ? figures.peakLiveCount
                                                               : figures.finalLiveCount;
}

/// Returns the peak as a multiple of the expected bytes; empty without a budget.
Cell budgetFactor(const RunMaterial& run)
{
    const BudgetStudy* const study = run.study.budget();
    return study && !study->budget.lines.empty()
        ? factorCell(peakBytes(run), study->budget.expectedInPyTorch())
        : Cell();
}

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

/// Always returns the same rows in the same order, so that two runs can be compared.
std::vector<MainFigure> mainFigures(const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    const DeviceFigures& figures = *run.study.figures();
    std::vector<MainFigure> rows;
    rows.push_back(bytesFigure(fmt::format("Peak, {} bytes{}", inWords(study.allocations.quantity()),
                                   study.allocations.hasInferred() ? ", inferred" : ""),
        peakBytes(run), !isPeakExact(run)));
    const bool isAtEvent = isPeakAtEvent(study.about(), figures);
    rows.push_back({"When", isAtEvent ? momentWords(study, figures.peakEvent) : "the end of the recording"});
    rows.push_back({"Allocations at the peak", countCell(peakBlocks(run))});
    rows.push_back(study.about().recordsReserved()
            ? bytesFigure("Peak reserved", figures.reservedPeakBytes, !isReservedExact(run))
            : MainFigure{"Peak reserved", Cell()});
    rows.push_back(
        {"GPU capacity", run.study.capacity() ? Cell(boundedText(*run.study.capacity())) : Cell()});
    rows.push_back({"Capacity reserved",
        run.study.capacity() && !run.study.capacity()->isLowerBound() && study.about().recordsReserved()
                && isReservedExact(run)
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
    rows.push_back({"Observed / expected", budgetFactor(run)});
    return rows;
}

/// Returns the difference of two figures; empty if they are not amounts of one kind, or if either is a lower
/// bound.
Cell differenceOf(const MainFigure& before, const MainFigure& after)
{
    const auto* first = before.value.amount();
    const auto* second = after.value.amount();
    if (!first || !second || first->kind != second->kind || before.isLowerBound || after.isLowerBound)
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

/// Returns "no", "yes", "yes, in step 3", or "caught" if the run went on.
std::string failureWords(const RunEnd& end, const RunMaterial& run)
{
    if (end.failedAt)
        return end.failedIn.empty() ? std::string("yes") : "yes, " + end.failedIn;
    return run.study.figures()->ooms.empty() ? "no" : "caught";
}

/// Returns "22.81 GiB of at least 22.85 GiB"; empty if the reserved bytes or the capacity are unknown.
std::string reservedWords(const RunMaterial& run)
{
    const Bytes reserved = run.study.figures()->reservedPeakBytes;
    if (!run.study.capacity() || !run.study.device()->about().recordsReserved() || reserved == 0)
        return {};
    return fmt::format(
        "{} of {}", boundedBytes(reserved, !isReservedExact(run)), boundedText(*run.study.capacity()));
}

std::string growthWords(const RunEnd& end)
{
    return end.growth ? formatBytes(*end.growth) : "none";
}

std::string budgetWords(const RunMaterial& run)
{
    const Cell factor = budgetFactor(run);
    return factor.isEmpty() ? std::string() : cellText(factor);
}

void addPair(ReportFacts& facts, const char* name, const std::string& before, const std::string& after)
{
    if (!before.empty() && !after.empty())
        facts.rows.emplace_back(name, pairText(before, after));
}

/// Returns "30.572 GiB → 23.667 GiB (−6.905 GiB)", "30.57 GiB (unchanged)", or "at least 9 MiB → 12 MiB".
std::string peaksText(const RunMaterial& before, const RunMaterial& after)
{
    const PairText peaks = formatPair(peakBytes(before), peakBytes(after));
    if (!isPeakExact(before) || !isPeakExact(after))
        return fmt::format("{}{} → {}{}", isPeakExact(before) ? "" : "at least ", peaks.before,
            isPeakExact(after) ? "" : "at least ", peaks.after);
    if (peakBytes(before) == peakBytes(after))
        return peaks.after + " (unchanged)";
    const ChangeText change = formatChange(peakBytes(before), peakBytes(after));
    return fmt::format("{} ({})", pairText(change.before, change.after), change.delta);
}

void addLeaks(ReportFacts& facts, const ComparedEnds& ends)
{
    if (!ends.before.growth || !ends.after.growth) {
        addPair(facts, "Leak per step", growthWords(ends.before), growthWords(ends.after));
        return;
    }
    const PairText leaks = formatPair(*ends.before.growth, *ends.after.growth);
    addPair(facts, "Leak per step", leaks.before, leaks.after);
}

void addReservedPeaks(ReportFacts& facts, const RunMaterial& before, const RunMaterial& after)
{
    for (const RunMaterial* run : {&before, &after})
        if (!run->study.device()->about().recordsReserved())
            return;
    const PairText peaks
        = formatPair(before.study.figures()->reservedPeakBytes, after.study.figures()->reservedPeakBytes);
    addPair(facts, "Peak reserved", (isReservedExact(before) ? "" : "at least ") + peaks.before,
        (isReservedExact(after) ? "" : "at least ") + peaks.after);
}

void addKeyFiguresOfBoth(ReportFacts& facts, const ReportMaterial& material)
{
    const RunMaterial& before = *material.before;
    const RunMaterial& after = material.run;
    const ComparedEnds ends = material.devices()->runs.ends();
    facts.rows.emplace_back("Peak", peaksText(before, after));
    if (ends.before.growth || ends.after.growth)
        addLeaks(facts, ends);
    else
        addPair(facts, "Reserved on the GPU", reservedWords(before), reservedWords(after));
    if (!before.study.figures()->ooms.empty() || !after.study.figures()->ooms.empty())
        addPair(facts, "Out of memory", failureWords(ends.before, before), failureWords(ends.after, after));
    else
        addPair(facts, "Peak / budget", budgetWords(before), budgetWords(after));
    const auto blocks = [](const RunMaterial& run) { return formatCount(peakBlocks(run)); };
    if (facts.rows.size() < kMaxKeyFigures)
        addReservedPeaks(facts, before, after);
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
        if (before[i].value.isEmpty() && after[i].value.isEmpty())
            continue;
        table.rows.push_back(
            {after[i].name, before[i].value, after[i].value, differenceOf(before[i], after[i])});
    }
    return table;
}

ReportFacts factsOfBoth(const ReportMaterial& material)
{
    // The rows whose names begin with "Peak" are shown, and these.
    const std::vector<std::string_view> otherNames{"Out of memory", "Growth per step"};
    ReportFacts facts;
    for (const TableRow& row : figuresOfBoth(material).rows) {
        const std::string& name = *row[0].text();
        if (!name.starts_with("Peak") && std::ranges::find(otherNames, name) == otherNames.end())
            continue;
        const auto* before = row[1].amount();
        const auto* after = row[2].amount();
        if (!row[3].isEmpty() && before->kind == AmountKind::ByteCount) {
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
