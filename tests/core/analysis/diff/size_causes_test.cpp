#include "core/analysis/diff/size_causes.h"

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/size_cause_text.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/diff/size_test_rows.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

using test::SizeRows;

SizeFactors bothFactors()
{
    SizeFactors factors;
    factors.cause = SizeCause::Both;
    factors.dimension = 4;
    factors.precision = 0.5;
    return factors;
}

SizeCauses causesOf(const SizeRows& rows, const SizeFactors& factors = bothFactors())
{
    return sizeCauses(rows.diff(), rows.contents(), factors);
}

/// Returns a line of a function in the user's code.
CodePlace line(std::uint32_t number, std::uint32_t function)
{
    return {number, function, 0};
}

/// Two traces at their peaks, compared by stacks.
struct Pair
{
    Pair(std::shared_ptr<const Trace> one, std::shared_ptr<const Trace> other)
        : before(std::move(one))
        , after(std::move(other))
        , diff(diffRuns(input(beforeStudy), input(afterStudy), GroupKey::Stack, classes))
        , contents(collectContents(diff, input(beforeStudy), input(afterStudy), GroupKey::Stack, classes))
        , causes(sizeCauses(diff, contents, findSizeFactors(diff, contents)))
    {
    }
    static DiffInput input(const DeviceStudy& study)
    {
        return {study.trace, study.allocations, study.sites, &study.categories,
            study.allocations.liveAt(study.curve.peak().event)};
    }
    /// Returns the text in the column "Size change" of all rows with this label.
    std::vector<std::string> eachOf(const std::string& label) const
    {
        std::vector<std::string> texts;
        for (std::uint32_t row = 0; row < diff.rows.size(); ++row)
            if (rowLabel(diff.rows[row]) == label)
                texts.push_back(sizeChangeText(causes, row));
        return texts;
    }

    std::shared_ptr<const Trace> before;
    std::shared_ptr<const Trace> after;
    DeviceStudy beforeStudy{*before, 0};
    DeviceStudy afterStudy{*after, 0};
    StackClasses classes = matchStacks(*before, *after);
    RunDiff diff;
    DiffContents contents;
    SizeCauses causes;
};

std::shared_ptr<const Trace> realTrace(const std::string& path)
{
    return openTrace(path, {})->trace;
}

} // namespace

TEST(SizeCauses, HaveEveryBlockInOnePart)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Pair pair(test::randomTrace(seed), test::randomTrace(seed + 1000));
        for (std::size_t row = 0; row < pair.diff.rows.size(); ++row) {
            Bytes before = 0;
            Bytes after = 0;
            for (const SizePart& part : pair.causes.parts[row]) {
                before += part.before.bytes();
                after += part.after.bytes();
            }
            EXPECT_EQ(before, pair.diff.rows[row].before.bytes);
            EXPECT_EQ(after, pair.diff.rows[row].after.bytes);
        }
    }
}

TEST(SizeCauses, PairTheSizesOfAMixedRow)
{
    const SizeCauses causes
        = causesOf(SizeRows().add({{100, 24}, {1000, 24}}, {{100, 3}, {2000, 23}, {5000, 9}}));
    ASSERT_EQ(causes.parts[0].size(), 3u);
    EXPECT_EQ(causes.parts[0][0].before, (SizeCount{1000, 24}));
    EXPECT_EQ(causes.parts[0][0].after, (SizeCount{2000, 23}));
    EXPECT_EQ(causes.parts[0][0].power, (SizePower{1, 1}));
    EXPECT_EQ(causes.parts[0][1].after, (SizeCount{5000, 9}));
    EXPECT_FALSE(causes.parts[0][1].isOnBothSides());
    EXPECT_EQ(sizeChangeText(causes, 0), "×2 = 4·½, 9 new");
}

TEST(SizeCauses, SayHowARatioComesAbout)
{
    const SizeCauses causes = causesOf(SizeRows()
                                           .add({{1000, 1}}, {{16000, 1}})
                                           .add({{1000, 1}}, {{8000, 1}})
                                           .add({{1000, 1}}, {{4000, 1}})
                                           .add({{1000, 1}}, {{500, 1}})
                                           .add({{1000, 1}}, {{1000, 7}})
                                           .add({{1000, 1}}, {{1370, 1}})
                                           .add({}, {{500, 1}}));
    const std::vector<std::string> expected
        = {"×16 = 4²", "×8 = 4²·½", "×4", "×½ (precision)", "", "×1.37", ""};
    for (std::uint32_t row = 0; row < expected.size(); ++row)
        EXPECT_EQ(sizeChangeText(causes, row), expected[row]);
}

TEST(SizeCauses, HintAtWhatStandsInPlaceOfWhatIsGone)
{
    const SizeRows rows = SizeRows()
                              .add({{1000, 24}}, {}, {line(1, 1), line(20, 2), line(7, 3)})
                              .add({}, {{8000, 23}}, {line(1, 1), line(21, 2)});
    const SizeCauses causes = causesOf(rows);
    ASSERT_EQ(causes.replacements.size(), 1u);
    EXPECT_EQ(causes.replacements[0].goneRow, 0u);
    EXPECT_EQ(causes.replacements[0].newRow, 1u);
    EXPECT_EQ(causes.replacements[0].power, (SizePower{2, 1}));
    EXPECT_TRUE(test::hasParts(replacementSentence(rows.diff(), causes, causes.replacements[0]),
        {"23 blocks of 7.81 KiB", "24 blocks of 1000 B at f (a.py:1)", "×8 = 4²·½"}));
}

TEST(SizeCauses, DoNotHintWhereTwoRowsAreAsNear)
{
    EXPECT_TRUE(causesOf(SizeRows()
                             .add({{1000, 24}}, {}, {line(1, 1), line(20, 2)})
                             .add({}, {{8000, 24}}, {line(1, 1), line(21, 2)})
                             .add({}, {{2000, 24}}, {line(1, 1), line(22, 2)}))
                    .replacements.empty());
}

TEST(SizeCauses, DoNotHintAtCodeThatIsFarAway)
{
    EXPECT_TRUE(causesOf(SizeRows()
                             .add({{1000, 24}}, {}, {line(1, 1), line(20, 2)})
                             .add({}, {{8000, 24}}, {line(1, 1), line(30, 3)}))
                    .replacements.empty());
}

TEST(SizeCauses, DoNotHintWhereCountsOrSizesDiffer)
{
    for (const SizeCount& came : {SizeCount{8000, 12}, SizeCount{7000, 24}})
        EXPECT_TRUE(causesOf(SizeRows()
                                 .add({{1000, 24}}, {}, {line(1, 1), line(20, 2)})
                                 .add({}, {came}, {line(1, 1), line(21, 2)}))
                        .replacements.empty());
}

TEST(SizeCauses, TakeCallsIntoOtherPackagesForTheirCaller)
{
    const CodePlace einsum{50, 9, 1};
    EXPECT_EQ(causesOf(SizeRows()
                           .add({{1000, 24}}, {}, {line(1, 1), line(20, 2)})
                           .add({}, {{8000, 24}}, {line(1, 1), line(21, 2), einsum, einsum, einsum}))
                  .replacements.size(),
        1u);
}

TEST(SizeCauses, HintAtAWholeRowOfTheSameSizes)
{
    const SizeRows::Sizes sizes = {{10, 2}, {300, 5}, {4000, 7}};
    const SizeCauses causes = causesOf(SizeRows().add(sizes, {}).add({}, sizes), SizeFactors{});
    ASSERT_EQ(causes.replacements.size(), 1u);
    EXPECT_EQ(causes.replacements[0].wholeBytes, 2 * 10 + 5 * 300 + 7 * 4000);
    EXPECT_TRUE(causesOf(SizeRows().add(sizes, {}).add({}, sizes).add({}, sizes)).replacements.empty());
}

TEST(SizeCauses, NameHalfPrecisionCopiesOfParameters)
{
    SizeFactors factors = bothFactors();
    factors.copies = 4;
    const SizeCauses causes = causesOf(
        SizeRows().add({}, {{500, 4}}).add({}, {{700, 9}}).parameters({{1000, 4}, {1400, 4}}), factors);
    ASSERT_EQ(causes.copies.size(), 2u);
    EXPECT_EQ(causes.copies[0].blocks, (SizeCount{700, 9}));
    EXPECT_FALSE(causes.copies[0].areLikely());
    EXPECT_EQ(causes.copies[1].blocks, (SizeCount{500, 4}));
    EXPECT_TRUE(causes.copies[1].areLikely());
    EXPECT_EQ(causes.copies[1].parameters, (SizeCount{1000, 4}));
    EXPECT_TRUE(test::hasParts(doubtfulCopiesText(causes), {"Of 9 new blocks of 700 B, at most 4 "}))
        << "the others are likely";
}

TEST(SizeCauses, KnowAFurtherCopyOfTheModel)
{
    const auto before = openTrace(test::samplePath("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"), {});
    const auto after = openTrace(test::samplePath("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {});
    const Pair pair(before->trace, after->trace);
    ASSERT_EQ(pair.causes.modelCopies.size(), 2u);
    for (const ExtraModelCopy& copy : pair.causes.modelCopies)
        EXPECT_EQ(pair.diff.rows[copy.rows.at(0)].status(), DiffStatus::Gone);
    EXPECT_TRUE(Pair(after->trace, after->trace).causes.modelCopies.empty());
}

TEST(SizeCauses, ClaimACopyOnlyOfARunThatHasMoreOfThem)
{
    const test::SizeRows::Sizes model = {{100, 2}, {200, 1}, {300, 4}};
    const test::SizeRows::Sizes twice = {{100, 4}, {200, 2}, {300, 8}};
    const test::SizeRows::Sizes thrice = {{100, 6}, {200, 3}, {300, 12}};
    test::SizeRows rows;
    rows.add(model, {}, {{1, 1}}).add({}, model, {{2, 2}});
    const auto copies = [&](const test::SizeRows::Sizes& before) {
        DiffContents contents = rows.contents();
        for (RowContents& row : contents.rows)
            row.areParameters = true;
        contents.rowsArePlaces = true;
        contents.parametersBefore = before;
        contents.parametersAfter = model;
        return sizeCauses(rows.diff(), contents, {}).modelCopies.size();
    };
    EXPECT_EQ(copies(model), 0u);
    EXPECT_EQ(copies(twice), 1u);
    rows.add(model, {}, {{3, 3}});
    EXPECT_EQ(copies(twice), 1u); // the other one is the model itself, allocated by other code
    EXPECT_EQ(copies(thrice), 2u);
}

/// deepcopy copies a module in two ways: through its own dict, and through the list of its parameters.
TEST(SizeCauses, KnowACopyThatSeveralStacksOfOneLineMake)
{
    const auto before = openTrace(test::samplePath("rehearsed/r5-flan-t5-xl-kept.pickle.zst"), {});
    const auto after = openTrace(test::samplePath("rehearsed/r5-flan-t5-xl-after.pickle.zst"), {});
    const Pair pair(before->trace, after->trace);
    ASSERT_EQ(pair.causes.modelCopies.size(), 2u);
    for (const ExtraModelCopy& copy : pair.causes.modelCopies) {
        EXPECT_GT(copy.rows.size(), 1u);
        EXPECT_EQ(copy.count, 558);
        EXPECT_EQ(copy.bytes, 5'699'514'368);
        EXPECT_TRUE(copy.isGone);
    }
}

TEST(SizeCauses, OfTheSameModelInMixedPrecisionAreOneHalf)
{
    const auto before = test::realFilePath("snapshots/transformer-forward-fp32.pickle");
    const auto after = test::realFilePath("snapshots/transformer-forward-mixed.pickle");
    SKIP_WITHOUT_REAL_FILE(before && after);
    const Pair pair(realTrace(*before), realTrace(*after));
    EXPECT_EQ(pair.causes.factors.cause, SizeCause::Precision);
    EXPECT_EQ(pair.causes.factors.precision, 0.5);
    EXPECT_EQ(pair.causes.factors.explainedBytes, pair.causes.factors.changedBytes);
    EXPECT_EQ(pair.eachOf("forward (adapters.py:115)"), (std::vector<std::string>{"×½", "×½"}));
    EXPECT_EQ(pair.eachOf("run_softmax (adapters.py:814)"), std::vector<std::string>{""});
    EXPECT_EQ(pair.causes.factors.copies, 3 * 48 + 4 * 48 + 1);
    std::int64_t copies = 0;
    for (const ParameterCopies& of : pair.causes.copies)
        copies += of.areLikely() ? of.blocks.count : 0;
    EXPECT_EQ(copies, pair.causes.factors.copies);
}

TEST(SizeCauses, AreNotToldOfRowsWhoseCountsDiffer)
{
    // Another model with fewer layers, and a complete step instead of a forward: few rows have the same
    // tensors.
    const auto before = test::realFilePath("snapshots/transformer-forward-mixed.pickle");
    const auto after = test::realFilePath("snapshots/transformer-fullstep.pickle");
    SKIP_WITHOUT_REAL_FILE(before && after);
    const Pair pair(realTrace(*before), realTrace(*after));
    EXPECT_EQ(pair.causes.factors.cause, SizeCause::None);
}

TEST(SizeCauses, OfALongerContextInMixedPrecisionAreToldApart)
{
    const auto before = test::realFilePath("snapshots/gpt-medium-ctx256-training.pickle");
    const auto after = test::realFilePath("snapshots/gpt-medium-ctx1024-training.pickle");
    SKIP_WITHOUT_REAL_FILE(before && after);
    const Pair pair(realTrace(*before), realTrace(*after));
    EXPECT_EQ(pair.causes.factors.cause, SizeCause::Both);
    EXPECT_EQ(pair.causes.factors.dimension, 4);
    EXPECT_EQ(pair.causes.factors.precision, 0.5);
    EXPECT_EQ(pair.eachOf("softmax (nn_utils.py:6)"), std::vector<std::string>{"×16 = 4²"});
    EXPECT_EQ(pair.eachOf("forward (model.py:383)"), std::vector<std::string>{"×4"});
    EXPECT_EQ(pair.eachOf("forward (model.py:399)"), std::vector<std::string>{"×2 = 4·½"});
    ASSERT_EQ(pair.causes.replacements.size(), 1u);
    EXPECT_TRUE(test::hasParts(replacementSentence(pair.diff, pair.causes, pair.causes.replacements[0]),
        {"23 blocks of 128 MiB", "24 blocks of 16 MiB at softmax (nn_utils.py:7)", "×8 = 4²·½"}));
}

TEST(RowLabels, NameTheLineWhereStacksOfOneLabelDiffer)
{
    std::vector<DiffRow> rows(3);
    rows[0].key
        = "forward (/w/model.py:64)\n_call_impl (/site-packages/torch/module.py:9)\nscore (/w/train.py:18)";
    rows[1].key
        = "forward (/w/model.py:64)\n_call_impl (/site-packages/torch/module.py:9)\nrefer (/w/train.py:17)";
    rows[2].key = "collect (/w/rollout.py:83)";
    EXPECT_EQ(rowLabels(rows),
        (std::vector<std::string>{"forward (model.py:64) ← score (train.py:18)",
            "forward (model.py:64) ← refer (train.py:17)", "collect (rollout.py:83)"}));
}

} // namespace highwater
