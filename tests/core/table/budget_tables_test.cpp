#include "core/table/budget_tables.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "app/loading/run_shape_file.h"
#include "core/analysis/device/device_study.h"
#include "core/table/cells.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns R1, which ran out of memory on an L4, with other batch sizes.
BudgetStudy grpoWithSmallerBatches()
{
    const auto imported = loadFile(test::snapshotPath("r1-grpo-before"), {});
    const DeviceStudy device(*imported->trace, 0);
    const auto run = loadRunShape(test::samplePath("budget/r1-grpo.yaml"));
    return studyBudget({*run, {}, {"batch=4,2,1"}}, &device).value();
}

const Cell& cellAt(const Table& table, std::size_t row, std::string_view key)
{
    const auto column = std::ranges::find(table.columns, key, &TableColumn::key);
    return table.rows[row][static_cast<std::size_t>(column - table.columns.begin())];
}

} // namespace

TEST(BudgetLineTable, ComparesTheSumInPyTorchBeforeMemoryThatIsNotObserved)
{
    const auto imported = loadFile(test::snapshotPath("r5-flan-t5-xl-before"), {});
    const DeviceStudy device(*imported->trace, 0);
    const auto run = loadRunShape(test::samplePath("budget/r5-flan-t5-xl.yaml"));
    const Table table = budgetLineTable(studyBudget({*run, {}, {}}, &device).value());
    const std::size_t sum = table.rows.size() - 2;
    EXPECT_EQ(cellText(table.rows[sum].front()), "in PyTorch");
    EXPECT_EQ(cellText(table.rows[sum + 1].front()), "outside PyTorch");
    EXPECT_EQ(cellAt(table, sum, "ratio_thousandths"),
        factorCell(cellAt(table, sum, "observed_bytes").amount()->value,
            cellAt(table, sum, "expected_bytes").amount()->value));
    EXPECT_TRUE(table.total[4].isEmpty());
}

TEST(WhatIfTable, DiffersFromARowThatItHas)
{
    const Table table = whatIfTable(grpoWithSmallerBatches());
    const Bytes configured = cellAt(table, 1, "expected_bytes").amount()->value;
    EXPECT_EQ(cellText(table.rows[1].front()), "as configured");
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        EXPECT_EQ(cellAt(table, row, "delta_bytes").amount()->value,
            cellAt(table, row, "expected_bytes").amount()->value - configured);
}

TEST(WhatIfTable, HasOneUnitInAColumn)
{
    const Table table = whatIfTable(grpoWithSmallerBatches());
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        EXPECT_TRUE(cellText(cellAt(table, row, "activations_bytes")).ends_with(" GiB"))
            << cellText(cellAt(table, row, "activations_bytes"));
}

TEST(WhatIfTable, GivesTheRunTheSmallestGpuThatTheStripShows)
{
    const BudgetStudy study = grpoWithSmallerBatches();
    const auto smallest
        = std::ranges::find_if(study.allFits, [](const GpuFit& fit) { return fit.fits && !fit.isTight; });
    ASSERT_NE(smallest, study.allFits.end());
    EXPECT_EQ(cellText(cellAt(whatIfTable(study), 0, "smallest_gpu")), smallest->gpu);
    EXPECT_NE(smallest->gpu, "L4") << "the run failed there";
}

TEST(WhatIfTable, HasTheObservedTotalOfTheRun)
{
    const BudgetStudy study = grpoWithSmallerBatches();
    EXPECT_EQ(cellAt(whatIfTable(study), 0, "expected_bytes").amount()->value, study.observed->total);
}

TEST(GpuFitTable, HasTheLargestGpusThatAreTooSmallTheSmallestThatAreNotAndTheRentedOnes)
{
    const Table table = gpuFitTable(grpoWithSmallerBatches());
    std::vector<std::string> gpus;
    for (const TableRow& row : table.rows)
        gpus.push_back(cellText(row.front()));
    EXPECT_EQ(gpus,
        (std::vector<std::string>{"L4", "A10", "A10G", "RTX 3090", "RTX 4090", "RTX 5090", "V100 32",
            "A100 80", "H100 80", "H200"}));
}

TEST(GpuFitTable, CountsWhatIsShortOnlyForGpusThatAreTooSmall)
{
    const Table table = gpuFitTable(grpoWithSmallerBatches());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const bool isNo = cellText(cellAt(table, row, "fits")) == "no";
        EXPECT_EQ(!cellAt(table, row, "missing_bytes").isEmpty(), isNo);
        EXPECT_EQ(!cellAt(table, row, "headroom_bytes").isEmpty(), !isNo);
    }
}

TEST(WhatIfTable, KeepsToTheGpusThatAreAskedFor)
{
    const auto run = loadRunShape(test::samplePath("budget/r1-grpo.yaml"));
    const BudgetStudy study = studyBudget({*run, {"A100"}, {"batch=4"}}, nullptr).value();
    EXPECT_EQ(study.allFits.size(), 2u);
    EXPECT_EQ(cellText(cellAt(whatIfTable(study), 1, "smallest_gpu")), "A100 40");
}

} // namespace highwater
