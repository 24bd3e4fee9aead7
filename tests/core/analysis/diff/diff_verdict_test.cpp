#include "core/analysis/diff/diff_verdict.h"

#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "tests/core/analysis/diff/size_test_rows.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

using test::SizeRows;

DiffVerdict verdictOf(const SizeRows& rows, const MomentNames& names = {}, const SizeCauses* causes = nullptr)
{
    return diffVerdict(rows.diff(), GroupKey::Site, names, causes);
}

const std::string kLoad = "load (/run/a.py:1)";
const std::string kForward = "forward (/run/model.py:39)";
const std::string kBackward = "backward · MulBackward0";

} // namespace

TEST(DiffVerdict, OfEqualRunsIsTheSameToTheByte)
{
    const DiffVerdict verdict = verdictOf(SizeRows().add({{1024, 2}}, {{1024, 2}}, {}, kLoad));
    EXPECT_TRUE(test::hasParts(verdict.headline, {"the same to the byte (2,048 B)", "every row"}));
    EXPECT_TRUE(verdict.details.empty());
}

TEST(DiffVerdict, OfEqualPeaksSaysWhatTakesThePlaceOfWhat)
{
    const DiffVerdict verdict
        = verdictOf(SizeRows().add({{1024, 2}}, {}, {}, kLoad).add({{1024, 1}}, {{1024, 3}}, {}, kForward));
    EXPECT_TRUE(test::hasParts(verdict.headline,
        {"the same to the byte (3,072 B)", "−2 KiB (gone) at load (a.py:1)",
            "+2 KiB at forward (model.py:39)"}));
}

TEST(DiffVerdict, CallsLessThanOnePerCentNotMoved)
{
    const SizeRows rows = SizeRows()
                              .add({{1024, 600}}, {{1024, 209}}, {}, kLoad)
                              .add({{1024, 400}}, {{1024, 800}}, {}, kForward);
    EXPECT_TRUE(test::hasParts(verdictOf(rows).headline,
        {"barely moved (+9 KiB, +0.9%)", "−391 KiB at load (a.py:1)", "+400 KiB at forward (model.py:39)"}));
    EXPECT_TRUE(test::hasParts(verdictOf(rows.exchanged()).headline, {"barely moved (−9 KiB, −0.9%)"}));
}

TEST(DiffVerdict, SetsNothingAgainstWhatIsMuchLarger)
{
    const DiffVerdict verdict = verdictOf(SizeRows()
                                              .add({{100, 9800}}, {{100, 9740}}, {}, kLoad)
                                              .add({{100, 200}}, {{100, 210}}, {}, kForward));
    EXPECT_TRUE(test::hasParts(verdict.headline, {"(−4.88 KiB, −0.5%)", "−5.86 KiB at load (a.py:1)"}));
    EXPECT_FALSE(contains(verdict.headline, "forward")) << verdict.headline;
}

TEST(DiffVerdict, CallsOnePerCentMoved)
{
    const DiffVerdict verdict = verdictOf(SizeRows().add({{100, 100}}, {{101, 100}}, {}, kLoad));
    EXPECT_TRUE(test::hasParts(verdict.headline, {"grew by 100 B (1%)", "from 9.7656 KiB to 9.8633 KiB"}));
}

TEST(DiffVerdict, OfARunThatFellNamesWhatIsGone)
{
    const DiffVerdict verdict = verdictOf(SizeRows()
                                              .add({{1024, 300}}, {}, {}, kLoad)
                                              .add({{1024, 600}}, {{1024, 600}}, {}, kForward)
                                              .add({}, {{1024, 50}}, {}, kBackward));
    EXPECT_TRUE(test::hasParts(verdict.headline, {"fell by 250 KiB (28%)", "from 900 KiB to 650 KiB"}));
    ASSERT_EQ(verdict.details.size(), 1u);
    EXPECT_TRUE(test::hasParts(verdict.details[0],
        {"The largest reduction is 300 KiB (gone) at load (a.py:1); the largest increase is "
         "50 KiB (new) at backward · MulBackward0."}));
}

TEST(DiffVerdict, CountsRowsThatReadAlikeTogether)
{
    const std::string outer = "\nmain (/run/train.py:";
    const DiffVerdict verdict = verdictOf(SizeRows()
                                              .add({{1024, 4}}, {{1024, 8}}, {}, kForward + outer + "1)")
                                              .add({{1024, 4}}, {{1024, 9}}, {}, kForward + outer + "2)"));
    EXPECT_TRUE(test::hasParts(verdict.details.at(0), {"is 9 KiB at forward (model.py:39)"}));
}

TEST(DiffVerdict, KnowsEmptyMoments)
{
    const SizeRows empty;
    EXPECT_TRUE(test::hasParts(verdictOf(empty).headline, {"Neither run"}));
    const SizeRows rows = SizeRows().add({}, {{1024, 1}}, {}, kLoad);
    EXPECT_TRUE(test::hasParts(verdictOf(rows).headline, {"grew from nothing to 1 KiB"}));
    EXPECT_TRUE(test::hasParts(verdictOf(rows.exchanged()).headline, {"fell from 1 KiB to nothing"}));
}

TEST(DiffVerdict, NamesTheStepsItCompares)
{
    const MomentNames steps{"step 2", "step 9"};
    const SizeRows rows = SizeRows().add({{1024, 1}}, {{1024, 2}}, {}, kLoad);
    EXPECT_EQ(verdictOf(rows, steps).headline,
        "Step 9 holds 1 KiB (100%) more than step 2, 2 KiB instead of 1 KiB.");
    EXPECT_EQ(verdictOf(rows.exchanged(), steps).headline,
        "Step 9 holds 1 KiB (50%) less than step 2, 1 KiB instead of 2 KiB.");
}

TEST(DiffVerdict, NamesTheStepsThatHoldTheSame)
{
    const SizeRows rows = SizeRows().add({{1024, 1}}, {{1024, 1}}, {}, kLoad);
    EXPECT_EQ(verdictOf(rows, {"step 2", "step 9"}).headline,
        "Step 2 and step 9 hold the same to the byte (1,024 B), and so does every row.");
}

TEST(DiffVerdict, SaysThatNothingMovedMuchWhereOnlyLittleDid)
{
    const DiffVerdict verdict = verdictOf(
        SizeRows().add({{1000000, 1}}, {{1000000, 1}}, {}, kLoad).add({}, {{1, 1}}, {}, kForward));
    EXPECT_TRUE(test::hasParts(verdict.headline, {"(+1 B, less than 0.1%)", "nothing else moved much"}));
}

TEST(DiffVerdict, DoesNotNameWhatOnlyAnotherFunctionMakesNow)
{
    const SizeRows::Sizes sizes = {{1024, 1}, {2048, 1}, {4096, 1}};
    const SizeRows rows = SizeRows()
                              .add(sizes, {}, {}, kLoad)
                              .add({}, sizes, {}, kForward)
                              .add({{1024, 3}}, {{1024, 4}}, {}, kBackward);
    const SizeCauses causes = sizeCauses(rows.diff(), rows.contents(), {});
    const DiffVerdict verdict = verdictOf(rows, {}, &causes);
    ASSERT_EQ(verdict.details.size(), 1u);
    EXPECT_TRUE(test::hasParts(verdict.details[0], {"is 1 KiB at backward · MulBackward0"}));
    EXPECT_FALSE(containsAny(verdict.details[0], {"load", "forward"})) << verdict.details[0];
}

TEST(DiffVerdict, TellsTheFactorsOfTheSizes)
{
    SizeCauses causes;
    causes.factors.cause = SizeCause::Both;
    causes.factors.dimension = 4;
    causes.factors.precision = 0.5;
    const DiffVerdict verdict = verdictOf(SizeRows().add({{1024, 1}}, {{2048, 1}}, {}, kLoad), {}, &causes);
    EXPECT_TRUE(test::hasParts(verdict.details.back(), {"×4 (a dimension)", "×½ (precision)"}));
}

TEST(DiffVerdict, WritesCategoriesAndSizesAsPeopleDo)
{
    const SizeRows rows = SizeRows().add({{1024, 1}}, {{1024, 2}}, {}, "optimizer_state");
    EXPECT_TRUE(test::hasParts(
        diffVerdict(rows.diff(), GroupKey::Category).details.at(0), {"is 1 KiB optimizer state"}));
    const SizeRows sizes = SizeRows().add({{1024, 1}}, {{1024, 2}}, {}, "1,024 B");
    EXPECT_TRUE(test::hasParts(
        diffVerdict(sizes.diff(), GroupKey::Size).details.at(0), {"is 1 KiB blocks of 1,024 B"}));
}

} // namespace highwater
