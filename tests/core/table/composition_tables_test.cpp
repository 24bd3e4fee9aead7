#include "core/table/composition_tables.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

CompositionGroup group(std::string key, std::array<Bytes, kGradeCount> byGrade)
{
    CompositionGroup made;
    made.key = std::move(key);
    made.bytes = byGrade[0] + byGrade[1] + byGrade[2];
    made.count = 1;
    made.gradeBytes = byGrade;
    return made;
}

std::string gradeOf(const CompositionGroup& of, GroupKey key = GroupKey::Category)
{
    Composition composition;
    composition.bytes = of.bytes;
    composition.count = 1;
    composition.groups = {of};
    const Table table
        = compositionTable(key, composition, 10, [](const CompositionGroup& one) { return one.key; });
    return table.columns.back().key == "grade" ? cellText(table.rows.front().back()) : "no grade";
}

} // namespace

TEST(CompositionTable, GradesACategoryByTheLowestGradeOfATwentiethOfItsBytes)
{
    EXPECT_EQ(gradeOf(group("gradient", {1000, 0, 0})), "certain");
    EXPECT_EQ(gradeOf(group("gradient", {960, 0, 40})), "certain");
    EXPECT_EQ(gradeOf(group("gradient", {900, 60, 40})), "likely");
    EXPECT_EQ(gradeOf(group("gradient", {0, 0, 1000})), "guess");
}

TEST(CompositionTable, GivesWhatIsUnknownNoGrade)
{
    EXPECT_EQ(gradeOf(group("unknown", {0, 0, 1000})), "–");
}

TEST(CompositionTable, GradesCategoriesAlone)
{
    EXPECT_EQ(gradeOf(group("main.py:3", {0, 0, 0}), GroupKey::Site), "no grade");
}

} // namespace highwater
