#include "core/analysis/diff/cut_rows.h"

#include <gtest/gtest.h>

#include "core/study/run_comparison.h"
#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

DiffRow changedRow(const std::string& key, Bytes before, Bytes after, RowCut cut)
{
    DiffRow row;
    row.key = key;
    row.before = {before, before > 0, before};
    row.after = {after, after > 0, after};
    row.cut = cut;
    return row;
}

Step stepOf(std::int64_t begin, std::int64_t end)
{
    Step step;
    step.begin = begin;
    step.end = end;
    return step;
}

} // namespace

TEST(SharedEnds, AreWhereTheShorterRecordingHasNoMoreSteps)
{
    StepTable before;
    before.steps = {stepOf(0, 10), stepOf(10, 20)};
    StepTable after;
    after.steps = {stepOf(0, 12), stepOf(12, 24), stepOf(24, 36)};
    const AlignedSteps aligned{StepAlignment::Index, {{0, 0}, {1, 1}, {std::nullopt, 2}}};
    EXPECT_EQ(sharedEnds(before, after, aligned).before, SharedEnds::kNone);
    EXPECT_EQ(sharedEnds(before, after, aligned).after, 24);
}

TEST(CutSentences, SumTheRowsOfEachReason)
{
    RunDiff diff;
    diff.rows = {changedRow("a", 0, 5, RowCut::None), changedRow("b", 0, 2048, RowCut::StartsLate),
        changedRow("c", 0, 1024, RowCut::StartsLate), changedRow("d", 1024, 0, RowCut::EndsEarly)};
    EXPECT_EQ(cutSentences(diff),
        (std::vector<std::string>{
            "+3 KiB cannot be compared: the later recording starts late, so the code that "
            "allocated these bytes is unknown",
            "−1 KiB cannot be compared: the later recording ends before this code runs"}));
}

TEST(CutRows, AreLastAndNoCauseIfAHistoryBufferOverflowed)
{
    const auto open = [](const char* name) {
        return openTrace(test::samplePath(std::string("pytorch-snapshot/") + name), {})->trace;
    };
    const auto one = open("training-6-steps-annotated.pickle.zst");
    const auto other = open("ring-buffer-overflow.pickle.zst");
    const RunComparison runs({std::make_shared<const DeviceStudy>(*one, 0), {}},
        {std::make_shared<const DeviceStudy>(*other, 0), {}});
    for (const GroupKey key : {GroupKey::Stack, GroupKey::Site}) {
        const DiffFindings found = runs.diffAtPeaks(key);
        const std::vector<DiffRow>& rows = found.diff.rows;
        ASSERT_FALSE(rows.empty());
        EXPECT_EQ(rows.back().cut, RowCut::StartsLate) << rows.back().key;
        EXPECT_TRUE(rows.back().key.starts_with("freed by ")) << rows.back().key;
        EXPECT_EQ(std::ranges::count_if(rows, &DiffRow::isCut), 1);
        Bytes sum = 0;
        for (const DiffRow& row : rows)
            sum += row.delta();
        EXPECT_EQ(sum, found.diff.delta());
        EXPECT_EQ(found.verdict.headline.find("freed by"), std::string::npos) << found.verdict.headline;
        EXPECT_TRUE(test::hasParts(found.verdict.details.back(), {"+32 MiB cannot be compared"}));
    }
}

} // namespace highwater
