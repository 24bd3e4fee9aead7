#include "app/cli/console/text_table.h"

#include <gtest/gtest.h>

namespace highwater::cli {

using Align = TextTable::Align;

TEST(TextTable, LinesUpItsColumns)
{
    TextTable table({Align::Left, Align::Right});
    table.add({"a", "1"});
    table.add({"longer", "1,000"});
    EXPECT_EQ(table.text(""), "a           1\nlonger  1,000\n");
}

TEST(TextTable, CountsCharactersAndNotBytes)
{
    TextTable table({Align::Left, Align::Left});
    table.add({"µµ", "x"});
    table.add({"ab", "y"});
    EXPECT_EQ(table.text(""), "µµ  x\nab  y\n");
    EXPECT_EQ(characterCount("−1 µs"), 5u);
}

TEST(TextTable, IndentsEachLineAndLeavesNoTrailingBlanks)
{
    TextTable table({Align::Left, Align::Left});
    table.add({"a", ""});
    table.add({"b", "c"});
    EXPECT_EQ(table.text("  "), "  a\n  b  c\n");
}

TEST(TextTable, OfNothingIsEmpty)
{
    EXPECT_EQ(TextTable({Align::Left}).text(), "");
}

} // namespace highwater::cli
