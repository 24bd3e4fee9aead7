#include "core/analysis/diff/diff_verdict.h"

#include <gtest/gtest.h>

#include "tests/core/analysis/diff/size_test_rows.h"

namespace highwater {

namespace {

using test::SizeRows;

DiffVerdict verdictOf(const SizeRows& rows, bool atPeaks = true, const SizeCauses* causes = nullptr)
{
    return diffVerdict(rows.diff(), GroupKey::Site, atPeaks, causes);
}

const std::string kLoad = "load (/run/a.py:1)";
const std::string kForward = "forward (/run/model.py:39)";
const std::string kBackward = "backward · MulBackward0";

} // namespace

TEST(DiffVerdict, OfEqualRunsIsTheSameToTheByte)
{
    const DiffVerdict verdict = verdictOf(SizeRows().add({{1024, 2}}, {{1024, 2}}, {}, kLoad));
    EXPECT_EQ(verdict.headline, "The peak is the same to the byte (2,048 B), and so is every row.");
    EXPECT_TRUE(verdict.details.empty());
}

TEST(DiffVerdict, OfEqualPeaksSaysWhatTakesThePlaceOfWhat)
{
    const DiffVerdict verdict
        = verdictOf(SizeRows().add({{1024, 2}}, {}, {}, kLoad).add({{1024, 1}}, {{1024, 3}}, {}, kForward));
    EXPECT_EQ(verdict.headline,
        "The peak is the same to the byte (3,072 B): −2 KiB at load a.py:1 (gone) is offset by +2.00 "
        "KiB "
        "at forward model.py:39.");
}

TEST(DiffVerdict, CallsLessThanOnePerCentNotMoved)
{
    const SizeRows rows = SizeRows()
                              .add({{1024, 600}}, {{1024, 209}}, {}, kLoad)
                              .add({{1024, 400}}, {{1024, 800}}, {}, kForward);
    EXPECT_EQ(verdictOf(rows).headline,
        "The peak barely moved (+9 KiB, +0.9%): −391 KiB at load a.py:1 is offset by "
        "+400 KiB at forward model.py:39.");
    EXPECT_TRUE(verdictOf(rows.exchanged()).headline.starts_with("The peak barely moved (−9 KiB, −0.9%): "));
}

TEST(DiffVerdict, SetsNothingAgainstWhatIsMuchLarger)
{
    EXPECT_EQ(verdictOf(SizeRows()
                            .add({{100, 9800}}, {{100, 9740}}, {}, kLoad)
                            .add({{100, 200}}, {{100, 210}}, {}, kForward))
                  .headline,
        "The peak barely moved (−4.88 KiB, −0.5%): most of it −5.86 KiB at load a.py:1.");
}

TEST(DiffVerdict, CallsOnePerCentMoved)
{
    const DiffVerdict verdict = verdictOf(SizeRows().add({{100, 100}}, {{101, 100}}, {}, kLoad));
    EXPECT_EQ(verdict.headline, "The peak grew by 100 B (1%), from 9.77 KiB to 9.86 KiB.");
}

TEST(DiffVerdict, OfARunThatFellNamesWhatIsGone)
{
    const DiffVerdict verdict = verdictOf(SizeRows()
                                              .add({{1024, 300}}, {}, {}, kLoad)
                                              .add({{1024, 600}}, {{1024, 600}}, {}, kForward)
                                              .add({}, {{1024, 50}}, {}, kBackward));
    EXPECT_EQ(verdict.headline, "The peak fell by 250 KiB (28%), from 900 KiB to 650 KiB.");
    ASSERT_EQ(verdict.details.size(), 1u);
    EXPECT_EQ(verdict.details[0],
        "Most of it: −300 KiB at load a.py:1 (gone); offset by +50 KiB at backward · "
        "MulBackward0 (new).");
}

TEST(DiffVerdict, CountsRowsThatReadAlikeTogether)
{
    const std::string outer = "\nmain (/run/train.py:";
    const DiffVerdict verdict = verdictOf(SizeRows()
                                              .add({{1024, 4}}, {{1024, 8}}, {}, kForward + outer + "1)")
                                              .add({{1024, 4}}, {{1024, 9}}, {}, kForward + outer + "2)"));
    EXPECT_EQ(verdict.details.at(0), "Most of it: +9 KiB at forward model.py:39.");
}

TEST(DiffVerdict, KnowsEmptyMoments)
{
    const SizeRows empty;
    EXPECT_EQ(verdictOf(empty).headline, "Nothing is live in either run at these moments.");
    const SizeRows rows = SizeRows().add({}, {{1024, 1}}, {}, kLoad);
    EXPECT_EQ(verdictOf(rows).headline, "The peak grew from nothing to 1 KiB.");
    EXPECT_EQ(verdictOf(rows.exchanged()).headline, "The peak fell from 1 KiB to nothing.");
}

TEST(DiffVerdict, DoesNotCallOtherMomentsPeaks)
{
    const SizeRows rows = SizeRows().add({{1024, 1}}, {{1024, 2}}, {}, kLoad);
    EXPECT_EQ(verdictOf(rows, false).headline,
        "What is live at these moments grew by 1 KiB (100%), from 1 KiB to 2 KiB.");
}

TEST(DiffVerdict, SaysThatNothingMovedMuchWhereOnlyLittleDid)
{
    const DiffVerdict verdict = verdictOf(
        SizeRows().add({{1000000, 1}}, {{1000000, 1}}, {}, kLoad).add({}, {{1, 1}}, {}, kForward));
    EXPECT_EQ(verdict.headline, "The peak barely moved (+1 B, less than 0.1%), and nothing else moved much.");
}

TEST(DiffVerdict, DoesNotNameWhatOnlyAnotherFunctionMakesNow)
{
    const SizeRows::Sizes sizes = {{1024, 1}, {2048, 1}, {4096, 1}};
    const SizeRows rows = SizeRows()
                              .add(sizes, {}, {}, kLoad)
                              .add({}, sizes, {}, kForward)
                              .add({{1024, 3}}, {{1024, 4}}, {}, kBackward);
    const SizeCauses causes = sizeCauses(rows.diff(), rows.contents(), {});
    const DiffVerdict verdict = verdictOf(rows, true, &causes);
    ASSERT_EQ(verdict.details.size(), 1u);
    EXPECT_EQ(verdict.details[0], "Most of it: +1 KiB at backward · MulBackward0.");
}

TEST(DiffVerdict, TellsTheFactorsOfTheSizes)
{
    SizeCauses causes;
    causes.factors.cause = SizeCause::Both;
    causes.factors.dimension = 4;
    causes.factors.precision = 0.5;
    const DiffVerdict verdict = verdictOf(SizeRows().add({{1024, 1}}, {{2048, 1}}, {}, kLoad), true, &causes);
    EXPECT_EQ(verdict.details.back(),
        "Block sizes changed ×4 (a dimension) and ×½ (precision), as far as sizes alone tell.");
}

TEST(DiffVerdict, WritesCategoriesAndSizesAsPeopleDo)
{
    const SizeRows rows = SizeRows().add({{1024, 1}}, {{1024, 2}}, {}, "optimizer_state");
    EXPECT_EQ(diffVerdict(rows.diff(), GroupKey::Category, true).details.at(0),
        "Most of it: +1 KiB optimizer state.");
    const SizeRows sizes = SizeRows().add({{1024, 1}}, {{1024, 2}}, {}, "1,024 B");
    EXPECT_EQ(diffVerdict(sizes.diff(), GroupKey::Size, true).details.at(0),
        "Most of it: +1 KiB blocks of 1,024 B.");
}

} // namespace highwater
