#include "core/table/budget_tables.h"

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

struct LineCells
{
    Cell name, expected, low, high, observed, formula;
};

TableRow lineRow(LineCells cells)
{
    const Amount* expected = cells.expected.amount();
    const Amount* seen = cells.observed.amount();
    Cell factor = expected && seen ? factorCell(seen->value, expected->value) : Cell();
    return {std::move(cells.name), std::move(cells.expected), std::move(cells.low), std::move(cells.high),
        std::move(cells.observed), std::move(factor), std::move(cells.formula)};
}

Cell fitCell(const GpuFit& fit)
{
    if (!fit.fits)
        return Cell("no").mark(CellTone::Worse);
    return fit.isTight ? "yes, with less to spare than a CUDA context likely takes" : "yes";
}

void addSum(TableRow& row, const BudgetStudy& study, Bytes expected)
{
    row.push_back(bytesCell(expected));
    row.push_back(deltaCell(expected - study.whatIf->expected));
    const std::string gpu = study.smallestGpu(expected);
    row.push_back(gpu.empty() ? "none" : gpu);
}

/// The settings as they are, with what earlier steps left behind.
TableRow asRunRow(const BudgetStudy& study)
{
    const WhatIfGrid& grid = *study.whatIf;
    const ObservedBudget& observed = *study.observed;
    TableRow row(grid.axes.size());
    if (!row.empty())
        row.front() = "as run";
    const ObservedBudget::Line* activations = observed.find(BudgetLineName::Activations);
    const BudgetLine* logits = study.budget.find(BudgetLineName::Logits);
    row.push_back(study.run.accumulation ? countCell(*study.run.accumulation) : Cell());
    row.push_back(grid.effectiveBatch ? countCell(*grid.effectiveBatch) : Cell());
    row.push_back(activations ? bytesCell(activations->bytes) : Cell());
    row.push_back(logits ? bytesCell(logits->likely()) : Cell());
    addSum(row, study, grid.expected + grid.fromEarlierSteps);
    return row;
}

} // namespace

Table budgetLineTable(const BudgetStudy& study)
{
    const Budget& budget = study.budget;
    const ObservedBudget* observed = study.observed ? &*study.observed : nullptr;
    Table table{"budget",
        observed ? fmt::format("Expected bytes, and what was alive at the peak on the same lines ({} bytes)",
            inWords(observed->quantity))
                 : std::string("Expected bytes"),
        {{"Line", "name"}, {"Expected", "expected_bytes", true}, {"At least", "low_bytes", true},
            {"At most", "high_bytes", true}, {"Observed", "observed_bytes", true},
            {"Factor", "ratio_thousandths", true, "Observed as a multiple of expected"},
            {"Formula, in bytes", "formula"}}};
    for (const BudgetLine& line : budget.lines) {
        const ObservedBudget::Line* seen = observed ? observed->find(line.name) : nullptr;
        table.rows.push_back(
            lineRow({std::string(titleOf(line.name)), bytesCell(line.likely()), bytesCell(line.low()),
                bytesCell(line.high()), seen ? bytesCell(seen->bytes) : Cell(), textCell(line.formula())}));
    }
    if (observed)
        for (const ObservedBudget::Rest& rest : observed->rest)
            table.rows.push_back(lineRow({fmt::format("(on no line: {})", titleOf(rest.category)), {}, {}, {},
                bytesCell(rest.bytes), {}}));
    table.total = lineRow({"total", bytesCell(budget.expected), bytesCell(budget.low), bytesCell(budget.high),
        observed ? bytesCell(observed->total) : Cell(), {}});
    return observed ? table : withoutColumns(std::move(table), {"observed_bytes", "ratio_thousandths"});
}

Table gpuFitTable(const BudgetStudy& study)
{
    Table table{"cards",
        study.observed
            ? fmt::format("Which GPUs hold what was observed, {}", formatBytes(study.observed->needed))
            : std::string("Which GPUs the expected bytes fit"),
        {{"GPU", "gpu"}, {"Reported", "capacity_bytes", true, "The least memory that PyTorch reports of it"},
            {"Fits", "fits"}, {"To spare", "headroom_bytes", true}, {"Too much by", "missing_bytes", true}}};
    for (const GpuFit& fit : study.fits)
        table.rows.push_back({fit.gpu, bytesCell(fit.capacity), fitCell(fit),
            fit.headroom >= 0 ? bytesCell(fit.headroom) : Cell(),
            fit.headroom < 0 ? bytesCell(-fit.headroom) : Cell()});
    return table;
}

Table whatIfTable(const BudgetStudy& study)
{
    const WhatIfGrid& grid = *study.whatIf;
    Table table{"what-if", "The run with other settings", {}};
    for (const WhatIfAxis& axis : grid.axes)
        table.columns.push_back({axis.key, axis.key, true, {}, true});
    for (TableColumn column : {TableColumn{"Accumulation", "accumulation", true},
             TableColumn{"Effective batch", "effective_batch", true},
             TableColumn{"Activations", "activations_bytes", true},
             TableColumn{"Logits", "logits_bytes", true}, TableColumn{"Expected", "expected_bytes", true},
             TableColumn{"Difference", "delta_bytes", true, "From the run as it is configured"},
             TableColumn{"Smallest GPU", "smallest_gpu"}})
        table.columns.push_back(std::move(column));
    if (grid.fromEarlierSteps > 0)
        table.caption += fmt::format(", without the activations that earlier steps left behind ({})",
            formatBytes(grid.fromEarlierSteps));
    if (study.observed && grid.activationsFactor)
        table.rows.push_back(asRunRow(study));
    for (const WhatIfCase& one : grid.cases) {
        TableRow row(one.values.begin(), one.values.end());
        const BudgetLine* logits = one.budget.find(BudgetLineName::Logits);
        const bool hasActivations = one.budget.find(BudgetLineName::Activations) != nullptr;
        row.push_back(one.accumulation ? countCell(*one.accumulation) : Cell());
        row.push_back(one.effectiveBatch
                ? countCell(*one.effectiveBatch)
                      .mark(one.keepsEffectiveBatch ? CellTone::Plain : CellTone::Worse)
                : Cell());
        row.push_back(hasActivations ? bytesCell(one.activations) : Cell());
        row.push_back(logits ? bytesCell(logits->likely()) : Cell());
        addSum(row, study, one.expected);
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace highwater
