#include "core/analysis/diff/size_factors.h"

#include <gtest/gtest.h>

#include "core/analysis/diff/size_cause_text.h"
#include "tests/core/analysis/diff/size_test_rows.h"

namespace highwater {

namespace {

using test::SizeRows;

SizeFactors factorsOf(const SizeRows& rows, const std::vector<SettingChange>& settings = {})
{
    return findSizeFactors(rows.diff(), rows.contents(), settings);
}

/// As in a real pair of runs: four times the context, matrices with half the bytes.
SizeRows longerInHalfPrecision()
{
    return SizeRows()
        .add({{1 << 20, 24}}, {{16 << 20, 24}})
        .add({{1 << 20, 24}}, {{4 << 20, 24}})
        .add({{1 << 20, 24}}, {{2 << 20, 24}})
        .add({{4 << 20, 24}}, {{4 << 20, 24}});
}

/// Half the bytes for everything except parameters.
SizeRows halved()
{
    return SizeRows().add({{8000, 24}}, {{4000, 24}}).add({{6000, 4}}, {{6000, 4}});
}

} // namespace

TEST(SizeFactors, TellALongerDimensionAndThePrecisionApart)
{
    const SizeFactors factors = factorsOf(longerInHalfPrecision());
    EXPECT_EQ(factors.cause, SizeCause::Both);
    EXPECT_EQ(factors.dimension, 4);
    EXPECT_EQ(factors.precision, 0.5);
    EXPECT_EQ(factors.explainedBytes, factors.changedBytes);
    EXPECT_EQ(factors.changedBytes, (24 * (3 + 16 + 4 + 2)) << 20);
}

TEST(SizeFactors, AreInvertedByExchangingTheRuns)
{
    const SizeFactors factors = factorsOf(longerInHalfPrecision().exchanged());
    EXPECT_EQ(factors.cause, SizeCause::Both);
    EXPECT_EQ(factors.dimension, 0.25);
    EXPECT_EQ(factors.precision, 2);
}

TEST(SizeFactors, SayHowOftenEachCounts)
{
    const SizeFactors factors = factorsOf(longerInHalfPrecision());
    const auto power
        = [&](Bytes after) { return explainingPower(factors, 1000, after, Quantity::Requested); };
    EXPECT_EQ(power(1000), (SizePower{0, 0}));
    EXPECT_EQ(power(4000), (SizePower{1, 0}));
    EXPECT_EQ(power(16000), (SizePower{2, 0}));
    EXPECT_EQ(power(2000), (SizePower{1, 1}));
    EXPECT_EQ(power(8000), (SizePower{2, 1}));
    EXPECT_EQ(power(500), (SizePower{0, 1}));
    EXPECT_EQ(power(3000), std::nullopt);
}

TEST(SizeFactors, TakeASquareForOneDimension)
{
    const SizeFactors factors
        = factorsOf(SizeRows().add({{1000, 1}}, {{3000, 1}}).add({{1000, 1}}, {{9000, 1}}));
    EXPECT_EQ(factors.cause, SizeCause::Dimension);
    EXPECT_EQ(factors.dimension, 3);
    EXPECT_EQ(factors.precision, 1);
}

TEST(SizeFactors, TakeNoRootForARatioThatIsAlone)
{
    const SizeFactors factors = factorsOf(SizeRows().add({{8000, 24}}, {{2000, 24}}));
    EXPECT_EQ(factors.cause, SizeCause::Either);
    EXPECT_EQ(factors.dimension, 0.25);
    EXPECT_EQ(causeSentence(factors),
        "Block sizes changed ×¼ (a dimension or the precision), judging by sizes alone.");
}

TEST(SizeFactors, TakeTheRootThatASettingNames)
{
    const SizeFactors factors
        = factorsOf(SizeRows().add({{8000, 24}}, {{2000, 24}}), {{"data.train_batch_size", "64", "32"}});
    EXPECT_EQ(factors.cause, SizeCause::Dimension);
    EXPECT_EQ(factors.dimension, 0.5);
}

TEST(SizeFactors, PreferOneFactorToTwo)
{
    const SizeFactors factors
        = factorsOf(SizeRows().add({{1000, 1}}, {{2000, 1}}).add({{1000, 1}}, {{4000, 1}}));
    EXPECT_EQ(factors.cause, SizeCause::Dimension);
    EXPECT_EQ(factors.dimension, 2);
}

TEST(SizeFactors, LeaveOpenWhatASingleHalfIs)
{
    const SizeFactors factors = factorsOf(halved());
    EXPECT_EQ(factors.cause, SizeCause::Either);
    EXPECT_EQ(factors.dimension, 0.5);
    EXPECT_EQ(explainingPower(factors, 8000, 4000, Quantity::Requested), (SizePower{1, 0}));
}

TEST(SizeFactors, TakeHalfForPrecisionWhereCopiesOfParametersAreNew)
{
    const SizeFactors factors = factorsOf(halved().parameters({{6000, 4}}).add({}, {{3000, 4}}));
    EXPECT_EQ(factors.cause, SizeCause::Precision);
    EXPECT_EQ(factors.precision, 0.5);
    EXPECT_EQ(factors.copies, 4);
    EXPECT_EQ(factors.copiesBytes, 4 * 3000);
}

TEST(SizeFactors, DoNotTakeMoreBlocksThanParametersForCopies)
{
    const SizeFactors factors = factorsOf(halved().parameters({{6000, 4}}).add({}, {{3000, 5}}));
    EXPECT_EQ(factors.cause, SizeCause::Either);
}

TEST(SizeFactors, TakeHalfForTheDimensionThatASettingNames)
{
    const SizeFactors factors = factorsOf(halved(), {{"data.train_batch_size", "64", "32"}});
    EXPECT_EQ(factors.cause, SizeCause::Dimension);
    EXPECT_EQ(factors.dimensionSetting, "train_batch_size 64 → 32");
}

TEST(SizeFactors, TakeHalfForThePrecisionThatASettingNames)
{
    const SizeFactors factors = factorsOf(halved(), {{"model.dtype", "float32", "torch.bfloat16"}});
    EXPECT_EQ(factors.cause, SizeCause::Precision);
    EXPECT_EQ(factors.precisionSetting, "dtype float32 → torch.bfloat16");
}

TEST(SizeFactors, AreNotNamedAfterASettingOfAnotherRatio)
{
    const SizeFactors factors = factorsOf(
        longerInHalfPrecision(), {{"context_length", "256", "768"}, {"max_split_size", "1", "4"}});
    EXPECT_EQ(factors.dimensionSetting, "");
    EXPECT_EQ(factors.dimension, 4);
}

TEST(SizeFactors, AreSilentWhereNothingChanged)
{
    const SizeFactors factors = factorsOf(SizeRows().add({{500, 2}}, {{500, 4}}).add({{500, 2}}, {}));
    EXPECT_EQ(factors.cause, SizeCause::None);
    EXPECT_EQ(factors.why, NoFactorsReason::NoChange);
    EXPECT_TRUE(legendSentences(factors).empty());
}

TEST(SizeFactors, AreSilentWhereHardlyAnythingChanged)
{
    const SizeFactors factors
        = factorsOf(SizeRows().add({{100000, 2}}, {{100000, 2}}).add({{500, 1}}, {{1000, 1}}));
    EXPECT_EQ(factors.why, NoFactorsReason::HardlyAnyChange);
    EXPECT_EQ(factors.changedBytes, 1500);
}

TEST(SizeFactors, AreSilentWhereTwoRatiosFitSeveralPairs)
{
    const SizeFactors factors
        = factorsOf(SizeRows().add({{1000, 1}}, {{3000, 1}}).add({{1000, 1}}, {{1500, 1}}));
    EXPECT_EQ(factors.cause, SizeCause::None);
    EXPECT_EQ(factors.why, NoFactorsReason::TooFewRatios);
}

TEST(SizeFactors, AreSilentWhereNoPairExplainsMost)
{
    SizeRows rows;
    for (const Bytes after : {1013, 1511, 2111, 3001, 4603, 7001, 9013})
        rows.add({{1000, 1}}, {{after, 1}});
    EXPECT_EQ(factorsOf(rows).why, NoFactorsReason::TooLittleExplained);
}

TEST(SizeFactors, LeaveRoomForRoundingOfAllocatedBytesOnly)
{
    const SizeFactors factors = factorsOf(longerInHalfPrecision());
    EXPECT_EQ(explainingPower(factors, 100352, 400384, Quantity::Requested), std::nullopt);
    EXPECT_EQ(explainingPower(factors, 100352, 400384, Quantity::Allocated), (SizePower{1, 0}));
    EXPECT_EQ(explainingPower(factors, 512, 2048, Quantity::Allocated), std::nullopt);
}

TEST(SizeFactors, CountRowsOfTheSameTensorsAlone)
{
    // 24 blocks instead of 3 are other tensors, whatever their sizes.
    const SizeFactors factors = factorsOf(longerInHalfPrecision().add({{3 << 20, 3}}, {{7 << 20, 24}}));
    EXPECT_EQ(factors.changedBytes, factorsOf(longerInHalfPrecision()).changedBytes);
    EXPECT_EQ(factors.explainedBytes, factors.changedBytes);
}

} // namespace highwater
