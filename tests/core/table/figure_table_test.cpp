#include "core/table/figure_table.h"

#include <gtest/gtest.h>

namespace highwater {
namespace {

TEST(FigureTable, SortsNamesByTheirOrderAndNotByTheirText)
{
    auto figures = std::make_shared<FigureTable>();
    for (const auto& [name, size] : {std::pair("512 KiB", 512), std::pair("4 MiB", 4096)}) {
        FigureRow row;
        row.name = name;
        row.order = size;
        figures->rows.push_back(row);
    }
    const TableSource table = figureSource(figures, "Size", false);
    EXPECT_EQ(table.columns[0].cell(0).order, 512);
    EXPECT_EQ(table.columns[0].cell(1).order, 4096);
}

} // namespace
} // namespace highwater
