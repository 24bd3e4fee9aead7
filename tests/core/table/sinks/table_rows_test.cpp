#include "core/table/sinks/table_rows.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(CsvOfAReportTable, HoldsAmountsAsIntegersAndNoTotal)
{
    Table table;
    table.columns = {{"Step", "step"}, {"Peak", "peak_bytes", true}, {"Event", "event", true}};
    table.rows = {{"a, b", Amount{22'826'354'688}, {}}, {"c", Amount{-5, AmountKind::ByteDelta}, Amount{7}}};
    table.total = {"all", Amount{1}, {}};
    EXPECT_EQ(toCsv(table), "step,peak_bytes,event\r\n\"a, b\",22826354688,\r\nc,-5,7\r\n");
}

TEST(CsvOfAReportTable, RunsNoFormula)
{
    Table table;
    table.columns = {{"x", "x"}};
    table.rows = {{"=1+1"}};
    EXPECT_EQ(toCsv(table), "x\r\n\"'=1+1\"\r\n");
}

TEST(CsvOfAReportTable, WithoutColumnsIsEmpty)
{
    EXPECT_EQ(toCsv({}), "");
}

} // namespace highwater
