#include "core/analysis/allocator/settings_advice.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/replayed_run.h"
#include "tests/support/sample_files.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

using test::ReplayedRun;
using test::SnapshotBuilder;

SettingsStudy studyOf(const std::string& sample)
{
    return settingsAdvice(*ReplayedRun(loadFile(test::samplePath(sample), {})->trace).script);
}

} // namespace

TEST(SettingsAdvice, ExpandableSegmentsMakeTheFragmentedRunFit)
{
    const SettingsStudy study = studyOf("pytorch-snapshot/oom-fragmentation.pickle.zst");
    ASSERT_FALSE(study.advice.empty());
    const SettingsAdvice& best = study.advice.front();
    EXPECT_EQ(best.change, "expandable_segments:True");
    EXPECT_EQ(best.fittingFailures, 1);
    EXPECT_EQ(best.savedBytes, study.recorded.reservedPeak - best.result.reservedPeak);
    EXPECT_GT(best.savedBytes, 0);
    EXPECT_EQ(best.result.newFailures, 0);
}

TEST(SettingsAdvice, ComesWithProofAndTheBestFirst)
{
    std::size_t given = 0;
    for (const std::string& sample : test::sampleNames("pytorch-snapshot")) {
        const ReplayedRun run(loadFile(test::samplePath(sample), {})->trace);
        const SettingsStudy study = settingsAdvice(*run.script);
        const auto least = static_cast<double>(study.recorded.reservedPeak) * 0.02;
        given += study.advice.size();
        for (std::size_t i = 0; i < study.advice.size(); ++i) {
            const SettingsAdvice& advice = study.advice[i];
            EXPECT_TRUE(advice.fittingFailures > 0 || static_cast<double>(advice.savedBytes) > least)
                << sample;
            EXPECT_EQ(run.with(advice.settings).reservedPeak, advice.result.reservedPeak) << sample;
            if (i > 0 && study.advice[i - 1].fittingFailures == advice.fittingFailures) {
                EXPECT_GE(study.advice[i - 1].savedBytes, advice.savedBytes) << sample;
            }
        }
    }
    EXPECT_GT(given, 10u);
}

TEST(SettingsAdvice, SavesNoMoreThanWhatIsNotLiveAtThePeak)
{
    int compared = 0;
    for (const std::string& sample : test::sampleNames("pytorch-snapshot")) {
        const ReplayedRun run(loadFile(test::samplePath(sample), {})->trace);
        if (!run.script->failures.empty())
            continue;
        const UsageCurve curve(*run.script->trace, *run.script->allocations);
        for (const SettingsAdvice& advice : settingsAdvice(*run.script).advice) {
            EXPECT_LE(advice.savedBytes, savingUpperBound(curve)) << sample;
            ++compared;
        }
    }
    EXPECT_GT(compared, 5);
}

TEST(SettingsAdvice, NothingHelpsWhereTheMemoryWasFull)
{
    const SettingsStudy study = studyOf("pytorch-snapshot/r1-grpo-before.pickle.zst");
    EXPECT_TRUE(study.advice.empty());
    EXPECT_EQ(study.tried.size(), 8u);
    EXPECT_TRUE(study.fidelity.isTrusted());
    EXPECT_FALSE(study.recorded.failures.empty());
    EXPECT_TRUE(reasonForNoAdvice(study).starts_with("none of 8 allocator settings helps; tried: "));
}

TEST(SettingsAdvice, NothingIsSaidOfWhatWasReservedBeforeTheTrace)
{
    const SettingsStudy study = studyOf("pytorch-snapshot/ring-buffer-overflow.pickle.zst");
    EXPECT_TRUE(study.advice.empty());
    EXPECT_LT(study.recorded.reservedPeakEvent, 0);
    EXPECT_TRUE(test::hasParts(reasonForNoAdvice(study), {"reserved before the first event"}));
}

TEST(SettingsAdvice, IsRefusedWhereTheReplayDeviates)
{
    constexpr Address begin = 0x7f00'0000'0000;
    const ReplayedRun run(SnapshotBuilder()
                              .event(Action::SegmentAlloc, begin, 40 * kMiB)
                              .alloc(begin, 2 * kMiB)
                              .segment(begin, {{2 * kMiB, 2 * kMiB}, {38 * kMiB, 0}})
                              .finish());
    const SettingsStudy study = settingsAdvice(*run.script);
    EXPECT_TRUE(study.tried.empty());
    EXPECT_TRUE(study.advice.empty());
    EXPECT_FALSE(study.fidelity.isTrusted());
    EXPECT_DOUBLE_EQ(study.fidelity.share, 0.5);
    EXPECT_TRUE(test::hasParts(reasonForNoAdvice(study), {"off by 50", "more than 2%"}));
}

TEST(SettingsAdvice, NamesWhatIsToBeSetAndWhatIsToBeLeftOut)
{
    AllocatorSettings from;
    from.maxSplitSize = 128 * kMiB;
    AllocatorSettings to;
    to.expandableSegments = true;
    EXPECT_EQ(changeText(from, to), "expandable_segments:True,without max_split_size_mb");
    EXPECT_EQ(changeText(to, to), "");
    from.rounding.divisions.fill(4);
    to = from;
    to.rounding.divisions[15] = 8;
    EXPECT_EQ(changeText(from, from), "");
    EXPECT_TRUE(changeText(from, to).starts_with("roundup_power2_divisions:[1:4,2:4,"));
}

TEST(SettingsAdvice, AdvisesTheChangeAndNotTheOptionsThatStay)
{
    SettingsAdvice advice;
    advice.change = "expandable_segments:True";
    advice.configuration = "expandable_segments:True";
    EXPECT_TRUE(settingAction(advice).starts_with("Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True ("));
    advice.configuration = "expandable_segments:True,garbage_collection_threshold:0.7";
    EXPECT_EQ(settingAction(advice), "Add expandable_segments:True to PYTORCH_CUDA_ALLOC_CONF");
    advice.change = "without max_split_size_mb";
    EXPECT_EQ(settingAction(advice), "Remove max_split_size_mb from PYTORCH_CUDA_ALLOC_CONF");
}

} // namespace highwater
