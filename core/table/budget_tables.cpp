#include "core/table/budget_tables.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/budget/budget_gap.h"
#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

struct LineCells
{
    Cell name, expected, low, high, observed, cause, formula;
};

Cell formulaCell(const BudgetLine& line)
{
    return Cell(line.formula()).show(withThousands(line.formula()));
}

TableRow lineRow(LineCells cells)
{
    const Amount* expected = cells.expected.amount();
    const Amount* observed = cells.observed.amount();
    Cell factor = expected && observed ? factorCell(observed->value, expected->value) : Cell();
    return {std::move(cells.name), std::move(cells.expected), std::move(cells.low), std::move(cells.high),
        std::move(cells.observed), std::move(factor), std::move(cells.cause), std::move(cells.formula)};
}

Cell fitCell(const GpuFit& fit)
{
    return Cell(fit.answer())
        .mark(fit.isNo()        ? CellTone::Worse
                : fit.isSoFar() ? CellTone::Quiet
                                : CellTone::Plain);
}

/// The figures of one row of the grid of settings.
struct GridFigures
{
    Bytes total = 0;
    Cell gpu, activations, logits, accumulation, effectiveBatch;
};

/// Adds the answers first: they must be visible without scrolling.
void addGridFigures(TableRow& row, const BudgetStudy& study, GridFigures figures)
{
    row.push_back(bytesCell(figures.total));
    row.push_back(deltaCell(figures.total - study.whatIf->asConfigured.expected));
    row.push_back(figures.gpu.isEmpty() ? Cell("none").mark(CellTone::Worse) : std::move(figures.gpu));
    for (Cell* cell : {&figures.activations, &figures.logits, &figures.accumulation, &figures.effectiveBatch})
        row.push_back(std::move(*cell));
}

/// Returns the smallest GPU for the observed run, which may need a larger one if only a part of it is
/// recorded.
Cell smallestForRun(const BudgetStudy& study)
{
    const std::string gpu = study.smallestGpu(study.neededBytes());
    const bool isSoFar = study.observed->outcome.part != RecordedPart::Whole && !gpu.empty();
    return isSoFar ? textCell(gpu).show(gpu + " so far") : textCell(gpu);
}

/// Returns the row of the observed run, including memory kept from earlier steps. Its GPU is the one that the
/// strip of GPUs shows as the smallest.
TableRow rowAsRun(const BudgetStudy& study)
{
    const WhatIfGrid& grid = *study.whatIf;
    const ObservedBudget& observed = *study.observed;
    TableRow row(grid.axes.size());
    row.front() = "as run";
    const ObservedBudget::Line* activations = observed.find(BudgetLineName::Activations);
    const ObservedBudget::Line* logits = observed.find(BudgetLineName::Logits);
    addGridFigures(row, study,
        {.total = observed.total,
            .gpu
            = observed.outcome.grows() ? Cell("none: it leaks").mark(CellTone::Worse) : smallestForRun(study),
            .activations = activations ? bytesCell(activations->bytes) : Cell(),
            .logits = logits ? bytesCell(logits->bytes) : Cell(),
            .accumulation = study.run.accumulation ? countCell(*study.run.accumulation) : Cell(),
            .effectiveBatch = grid.effectiveBatch ? countCell(*grid.effectiveBatch) : Cell()});
    return row;
}

TableRow rowOfCase(const BudgetStudy& study, const WhatIfCase& whatIf)
{
    TableRow row(whatIf.values.begin(), whatIf.values.end());
    const BudgetLine* logits = whatIf.budget.find(BudgetLineName::Logits);
    const bool hasActivations = whatIf.budget.find(BudgetLineName::Activations) != nullptr;
    Cell effectiveBatch;
    if (whatIf.effectiveBatch)
        effectiveBatch = countCell(*whatIf.effectiveBatch)
                             .mark(whatIf.keepsEffectiveBatch ? CellTone::Plain : CellTone::Worse);
    addGridFigures(row, study,
        {.total = whatIf.expected,
            .gpu = textCell(study.smallestGpu(whatIf.expected)),
            .activations = hasActivations ? bytesCell(whatIf.activations) : Cell(),
            .logits = logits ? bytesCell(logits->likely()) : Cell(),
            .accumulation = whatIf.accumulation ? countCell(*whatIf.accumulation) : Cell(),
            .effectiveBatch = std::move(effectiveBatch)});
    return row;
}

/// Returns the row to which all differences refer.
TableRow rowAsConfigured(const BudgetStudy& study)
{
    TableRow row = rowOfCase(study, study.whatIf->asConfigured);
    TableRow settings(study.whatIf->axes.size());
    settings.front() = "as configured";
    row.insert(row.begin(), settings.begin(), settings.end());
    return row;
}

/// Shows the bytes of each column in one unit, that of the column's largest figure.
void showInOneUnit(Table& table)
{
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        Bytes largest = 0;
        std::vector<Cell*> cells;
        for (TableRow& row : table.rows)
            if (const Amount* amount = row[column].amount();
                amount && (amount->kind == AmountKind::ByteCount || amount->kind == AmountKind::ByteDelta)) {
                cells.push_back(&row[column]);
                largest = std::max(largest, std::abs(amount->value));
            }
        for (Cell* cell : cells) {
            const bool hasPlus = cell->amount()->kind == AmountKind::ByteDelta && cell->amount()->value > 0;
            cell->shown = (hasPlus ? "+" : "") + formatBytesLike(cell->amount()->value, largest);
        }
    }
}

bool expectTheSame(const Budget& a, const Budget& b)
{
    return std::ranges::equal(a.lines, b.lines, [](const BudgetLine& left, const BudgetLine& right) {
        return left.name == right.name && left.likely() == right.likely();
    });
}

/// Returns the categories outside the budget lines that either run has.
std::vector<Category> unbudgetedCategories(const ObservedBudget& before, const ObservedBudget& after)
{
    std::vector<Category> categories;
    for (const ObservedBudget* observed : {&before, &after})
        for (const ObservedBudget::CategoryPart& rest : observed->rest)
            if (std::ranges::find(categories, rest.category) == categories.end())
                categories.push_back(rest.category);
    return categories;
}

Cell unbudgetedCell(const ObservedBudget& observed, Category category)
{
    const auto rest = std::ranges::find(observed.rest, category, &ObservedBudget::CategoryPart::category);
    return rest == observed.rest.end() ? Cell() : bytesCell(rest->bytes);
}

/// Moves the line of memory outside PyTorch, which no recording shows, to the end, below a row with the sums
/// of the other rows. The budget must have that line, which is then its last one.
void separateOutside(Table& table, const Budget& budget, TableRow inPyTorch)
{
    const auto outside = table.rows.begin() + static_cast<std::ptrdiff_t>(budget.lines.size()) - 1;
    std::rotate(outside, outside + 1, table.rows.end());
    table.rows.insert(table.rows.end() - 1, std::move(inPyTorch));
}

/// Returns what the estimate leaves of a GPU, or how much the GPU is short.
Cell estimateCell(Bytes headroom)
{
    return deltaCell(headroom).show(headroom < 0 ? formatBytes(-headroom) + " short" : formatBytes(headroom));
}

} // namespace

Table budgetLineTable(const BudgetStudy& study)
{
    const Budget& budget = study.budget;
    const ObservedBudget* observed = study.observed ? &*study.observed : nullptr;
    Table table{"budget",
        observed ? fmt::format(
            "Expected bytes, and observed bytes at the peak ({} bytes)", inWords(observed->quantity))
                 : std::string("Expected bytes"),
        {{"Line", "name"}, {"Expected", "expected_bytes", true}, {"At least", "low_bytes", true},
            {"At most", "high_bytes", true}, {"Observed", "observed_bytes", true},
            {"Factor", "ratio_thousandths", true, "Observed / expected"},
            {"Likely reason", "likely_cause", false, "Why the figures of a line are far apart"},
            {"Formula, in bytes", "formula"}}};
    bool isAnyFar = false;
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* observedLine = observed ? observed->find(line.name) : nullptr;
        const std::string cause = observed ? likelyCause(line, *observed) : std::string();
        table.rows.push_back(lineRow({std::string(titleOf(line.name)), bytesCell(line.likely()),
            bytesCell(line.low()), bytesCell(line.high()),
            observedLine ? bytesCell(observedLine->bytes) : Cell(), textCell(cause), formulaCell(line)}));
        isAnyFar = isAnyFar || !cause.empty();
    }
    if (observed)
        for (const ObservedBudget::CategoryPart& rest : observed->rest)
            table.rows.push_back(
                lineRow({fmt::format("other: {}", rest.title()), {}, {}, {}, bytesCell(rest.bytes), {}, {}}));
    const BudgetLine* const outside = budget.find(BudgetLineName::Outside);
    if (observed && outside)
        separateOutside(table, budget,
            lineRow(
                {"in PyTorch", bytesCell(budget.expectedInPyTorch()), bytesCell(budget.low - outside->low()),
                    bytesCell(budget.high - outside->high()), bytesCell(observed->total), {}, {}}));
    table.total = lineRow({"total", bytesCell(budget.expected), bytesCell(budget.low), bytesCell(budget.high),
        observed && !outside ? bytesCell(observed->total) : Cell(), {}, {}});
    if (!isAnyFar)
        table = withoutColumns(std::move(table), {"likely_cause"});
    return observed ? table : withoutColumns(std::move(table), {"observed_bytes", "ratio_thousandths"});
}

std::optional<Table> sharedBudgetTable(const BudgetStudy& before, const BudgetStudy& after)
{
    if (!before.observed || !after.observed || !expectTheSame(before.budget, after.budget))
        return std::nullopt;
    Table table{"budget",
        fmt::format(
            "Expected bytes, and observed bytes at each peak ({} bytes)", inWords(after.observed->quantity)),
        {{"Line", "name"}, {"Expected", "expected_bytes", true}, {"Before", "before_observed_bytes", true},
            {"After", "after_observed_bytes", true},
            {"Factor after", "ratio_thousandths", true, "Observed after / expected"},
            {"Formula, in bytes", "formula"}}};
    const auto add = [&](const std::string& name, const Cell& expected, const Cell& beforeCell,
                         const Cell& afterCell, const Cell& formula) {
        const Amount* expectedAmount = expected.amount();
        const Amount* afterAmount = afterCell.amount();
        table.rows.push_back({name, expected, beforeCell, afterCell,
            expectedAmount && afterAmount ? factorCell(afterAmount->value, expectedAmount->value) : Cell(),
            formula});
    };
    for (const BudgetLine& line : after.budget.lines) {
        const ObservedBudget::Line* beforeLine = before.observed->find(line.name);
        const ObservedBudget::Line* afterLine = after.observed->find(line.name);
        add(std::string(titleOf(line.name)), bytesCell(line.likely()),
            beforeLine ? bytesCell(beforeLine->bytes) : Cell(),
            afterLine ? bytesCell(afterLine->bytes) : Cell(), formulaCell(line));
    }
    for (const Category category : unbudgetedCategories(*before.observed, *after.observed))
        add(fmt::format("other: {}", titleOf(category)), {}, unbudgetedCell(*before.observed, category),
            unbudgetedCell(*after.observed, category), {});
    const bool hasOutside = after.budget.find(BudgetLineName::Outside) != nullptr;
    TableRow observedSum{hasOutside ? "in PyTorch" : "total", bytesCell(after.budget.expectedInPyTorch()),
        bytesCell(before.observed->total), bytesCell(after.observed->total),
        factorCell(after.observed->total, after.budget.expectedInPyTorch()), {}};
    if (hasOutside) {
        separateOutside(table, after.budget, std::move(observedSum));
        table.total = {"total", bytesCell(after.budget.expected), {}, {}, {}, {}};
    } else {
        table.total = std::move(observedSum);
    }
    return table;
}

Table gpuFitTable(const BudgetStudy& study)
{
    const std::vector<GpuFit> fits = study.nearestFits();
    Table table{"cards", study.observed ? "GPUs for the run as it went" : "GPUs for the estimate",
        {{"GPU", "gpu"},
            {"Reported", "capacity_bytes", true, "The lowest capacity that PyTorch reports for it"},
            {"Verdict", "fits"},
            {study.observed ? "Left, as it ran" : "Left", "headroom_bytes", true,
                "Capacity less what the run had reserved"},
            {study.observed ? "Short, at least" : "Short", "missing_bytes", true,
                "What the run needs at least, less the capacity"},
            {"Left, as estimated", "estimate_headroom_bytes", true, "Capacity less the expected bytes"}}};
    if (fits.size() < study.allFits.size())
        table.caption += fmt::format(", {} of {}", fits.size(), study.allFits.size());
    if (std::ranges::any_of(fits, [](const GpuFit& fit) { return fit.doubt == FitDoubt::AtLeast; }))
        table.caption += "; " + study.observed->outcome.doubtText();
    for (const GpuFit& fit : fits)
        table.rows.push_back({fit.gpu, bytesCell(fit.capacity), fitCell(fit), bytesCell(fit.leftBytes()),
            bytesCell(fit.shortBytes()), estimateCell(estimateHeadroom(study.budget, fit))});
    table = withoutEmptyColumns(std::move(table));
    return study.observed && study.isOfConfiguration
        ? table
        : withoutColumns(std::move(table), {"estimate_headroom_bytes"});
}

Table whatIfTable(const BudgetStudy& study)
{
    const WhatIfGrid& grid = *study.whatIf;
    Table table{"what-if", "The run with other settings", {}};
    for (const WhatIfAxis& axis : grid.axes)
        table.columns.push_back({axis.key, axis.key, true, {}, true});
    for (TableColumn column : {TableColumn{"Total", "expected_bytes", true,
                                   "Expected bytes; in the row of the run, observed bytes"},
             TableColumn{"Difference", "delta_bytes", true, "Against the row \"as configured\""},
             TableColumn{"Smallest GPU", "smallest_gpu"},
             TableColumn{"Activations", "activations_bytes", true},
             TableColumn{"Logits", "logits_bytes", true}, TableColumn{"Accumulation", "accumulation", true},
             TableColumn{"Effective batch", "effective_batch", true}})
        table.columns.push_back(std::move(column));
    if (grid.fromEarlierSteps > 0)
        table.caption += fmt::format(
            ", without activations kept from earlier steps ({})", formatBytes(grid.fromEarlierSteps));
    if (study.observed)
        table.rows.push_back(rowAsRun(study));
    table.rows.push_back(rowAsConfigured(study));
    for (const WhatIfCase& whatIf : grid.cases)
        table.rows.push_back(rowOfCase(study, whatIf));
    showInOneUnit(table);
    return table;
}

} // namespace highwater
