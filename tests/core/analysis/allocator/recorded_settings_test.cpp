#include "core/analysis/allocator/recorded_settings.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/analysis/allocator/replay.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/replayed_run.h"
#include "tests/support/snapshot_builder.h"

namespace highwater {

namespace {

using test::kA;
using test::kB;
using test::ReplayedRun;
using test::SnapshotBuilder;
using Texts = std::vector<std::string>;

constexpr PoolKey kPrivatePoolKey{1, 0};

/// A segment of 20 MiB with one block.
SnapshotBuilder& small(SnapshotBuilder& builder, bool expandable = false)
{
    return builder.event(expandable ? Action::SegmentMap : Action::SegmentAlloc, kA, 20 * kMiB)
        .alloc(kA, 2 * kMiB)
        .segment(kA, {{2 * kMiB, 2 * kMiB}, {18 * kMiB, 0}}, expandable);
}

RecordedSettings recorded(const std::vector<NamedText>& settings, bool expandable = false)
{
    SnapshotBuilder builder;
    for (const auto& [name, value] : settings)
        builder.setting(name, value);
    return recordedSettings(*small(builder, expandable).finish(), 0);
}

RecordedSettings ofText(const std::string& text, const std::string& name = "PYTORCH_CUDA_ALLOC_CONF")
{
    return recorded({{name, text}});
}

Texts assumptionsWith(const std::vector<NamedText>& settings)
{
    SnapshotBuilder builder;
    for (const auto& [name, value] : settings)
        builder.setting(name, value);
    const auto trace = small(builder).finish();
    return replayAssumptions(*trace, 0, recordedSettings(*trace, 0));
}

bool anySays(const Texts& sentences, const std::string& part)
{
    return std::any_of(sentences.begin(), sentences.end(),
        [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

} // namespace

TEST(RecordedSettings, AreWhatPyTorchMadeOfItsText)
{
    const AllocatorSettings settings = recorded(
        {{"max_split_size", "134217728"}, {"garbage_collection_threshold", "0.7"},
            {"expandable_segments", "true"},
            {"roundup_power2_divisions.1",
                "16"}}).settings;
    EXPECT_EQ(settings.maxSplitSize, 128 * kMiB);
    EXPECT_EQ(settings.garbageCollectionThreshold, 0.7);
    EXPECT_TRUE(settings.expandableSegments);
    EXPECT_EQ(settings.rounding.divisions[0], 16);
    EXPECT_FALSE(settings.collectsGarbage()) << "no memory fraction is recorded";
}

TEST(RecordedSettings, MinusOneIsNoMaxSplitSize)
{
    EXPECT_EQ(recorded({{"max_split_size", "-1"}}).settings, AllocatorSettings());
}

TEST(RecordedSettings, WithoutTheSettingExpandableSegmentsTellOfThemselves)
{
    EXPECT_TRUE(recorded({}, true).settings.expandableSegments);
    EXPECT_FALSE(recorded({}).settings.expandableSegments);
    EXPECT_FALSE(recorded({{"expandable_segments", "false"}}, true).settings.expandableSegments);
}

TEST(RecordedSettings, TheTextTellsWhatPyTorchWritesNowhereElse)
{
    const RecordedSettings told
        = ofText("large_segment_size_mb:40, max_non_split_rounding_mb:50, per_process_memory_fraction:0.5");
    EXPECT_EQ(told.settings.largeSegment, 40 * kMiB);
    EXPECT_EQ(told.settings.maxNonSplitRounding, 50 * kMiB);
    EXPECT_EQ(told.settings.memoryFraction, 0.5);
    EXPECT_TRUE(sentencesOf(told).empty());
    EXPECT_EQ(ofText("max_non_split_rounding_mb:50,large_segment_size_mb:40,per_process_memory_fraction:0.5")
                  .settings,
        told.settings)
        << "in any order";
}

TEST(RecordedSettings, TheTextCountsWherePyTorchsReadingIsMissing)
{
    const std::string text = "expandable_segments:True,max_split_size_mb:20,garbage_collection_threshold:0.8,"
                             "roundup_power2_divisions:[256:1,512:2,>:4]";
    for (const char* name : {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"}) {
        const RecordedSettings told = ofText(text, name);
        EXPECT_EQ(told.text, text);
        EXPECT_TRUE(told.settings.expandableSegments) << name;
        EXPECT_EQ(told.settings.maxSplitSize, 20 * kMiB);
        EXPECT_EQ(told.settings.garbageCollectionThreshold, 0.8);
        EXPECT_EQ(told.settings.rounding.divisions[8], 1);
        EXPECT_EQ(told.settings.rounding.divisions[9], 2);
        EXPECT_EQ(told.settings.rounding.divisions[10], 4);
        EXPECT_TRUE(told.notUnderstood.empty());
    }
}

TEST(RecordedSettings, PyTorchsReadingCountsMoreThanItsText)
{
    const RecordedSettings told = recorded(
        {{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"}, {"expandable_segments", "false"}});
    EXPECT_FALSE(told.settings.expandableSegments) << "a platform without them";
    EXPECT_EQ(told.contradicted, Texts{"expandable_segments:True"});
    EXPECT_TRUE(anySays(sentencesOf(told), "not applied by PyTorch"));
}

TEST(RecordedSettings, PyTorchsReadingCountsMoreForOptionsWithoutEffectToo)
{
    const std::string text = "pinned_num_register_threads:8,graph_capture_record_stream_reuse:True";
    const RecordedSettings told = recorded({{"PYTORCH_CUDA_ALLOC_CONF", text},
        {"pinned_num_register_threads", "1"}, {"graph_capture_record_stream_reuse", "true"}});
    EXPECT_EQ(told.contradicted, Texts{"pinned_num_register_threads:8"});
    EXPECT_EQ(told.withoutEffect, Texts{"graph_capture_record_stream_reuse:True"});
}

TEST(RecordedSettings, PyTorch215IsKnownByAKeyThatItWrites)
{
    EXPECT_TRUE(recorded({{"max_cached_size", "0"}}).settings.isOldestSegmentFirst);
    EXPECT_FALSE(recorded({{"max_split_size", "-1"}}).settings.isOldestSegmentFirst);
}

TEST(RecordedSettings, TheWholeMemoryIsNoFraction)
{
    EXPECT_EQ(ofText("per_process_memory_fraction:1.0").settings, AllocatorSettings());
}

TEST(RecordedSettings, NameWhatHasNoEffectWhatIsNotReplayedAndWhatIsUnknown)
{
    const RecordedSettings told
        = ofText("pinned_num_register_threads:8,expandable_segments_reserve_by_class:[a:0.5],"
                 "release_lock_on_cudamalloc:True,tomorrows_option:[a:1,b:2],"
                 "max_split_size_mb:many,backend:native");
    EXPECT_EQ(
        told.withoutEffect, (Texts{"pinned_num_register_threads:8", "release_lock_on_cudamalloc:True"}));
    EXPECT_EQ(told.notReplayed, Texts{"expandable_segments_reserve_by_class:[a:0.5]"});
    EXPECT_EQ(told.notUnderstood, (Texts{"tomorrows_option:[a:1,b:2]", "max_split_size_mb:many"}));
    EXPECT_EQ(told.settings, AllocatorSettings());
    EXPECT_EQ(told.backend, "");
    const Texts sentences = sentencesOf(told);
    EXPECT_TRUE(anySays(sentences, "tomorrows_option:[a:1,b:2], max_split_size_mb:many are not"));
    EXPECT_TRUE(anySays(sentences, "expandable_segments_reserve_by_class:[a:0.5] is not replayed"));
    EXPECT_TRUE(anySays(sentences, "have no effect on the replay"));
}

TEST(RecordedSettings, WhatIsAdvisedKeepsTheOptionsBesides)
{
    const RecordedSettings told = ofText("pinned_num_register_threads:8,max_split_size_mb:64,tomorrows:1");
    EXPECT_EQ(configurationText(told.settings, told),
        "max_split_size_mb:64,pinned_num_register_threads:8,tomorrows:1");
    EXPECT_EQ(configurationText({}, told), "pinned_num_register_threads:8,tomorrows:1");
}

TEST(RecordedSettings, AnOptionThatIsOffIsTheDefault)
{
    EXPECT_EQ(ofText("throw_on_cudamalloc_oom:False").settings, AllocatorSettings());
}

TEST(RecordedSettings, AListIsReadByTheRuleThatPyTorchsReadingShows)
{
    std::vector<NamedText> settings{{"PYTORCH_CUDA_ALLOC_CONF", "roundup_power2_divisions:[4:2,>:8]"}};
    EXPECT_TRUE(anySays(assumptionsWith(settings), "is read as in PyTorch 2.10"));
    for (int i = 0; i < 16; ++i)
        settings.emplace_back(
            // format before PyTorch 2.10
            "roundup_power2_divisions." + std::to_string(1 << i), i < 2 ? "2" : "8");
    EXPECT_EQ(recorded(settings).settings.rounding.divisions[2], 8);
    EXPECT_TRUE(recorded(settings).contradicted.empty());
    EXPECT_TRUE(assumptionsWith(settings).empty());
}

TEST(RecordedSettings, AnotherAllocatorIsNotReplayed)
{
    SnapshotBuilder builder;
    builder.setting("PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync");
    const ReplayedRun run(small(builder).finish());
    ASSERT_FALSE(run.script);
    EXPECT_EQ(run.script.error().code, ErrorCode::BadRequest);
    EXPECT_TRUE(test::hasParts(run.script.error().message, {"GPU 0", "backend:cudaMallocAsync"}));
}

TEST(RecordedSettings, APrivatePoolWithPlainSegmentsBesideExpandableOnesKeepsThem)
{
    SnapshotBuilder builder;
    builder.setting("expandable_segments", "true");
    small(builder, true);
    builder.inPool(kPrivatePoolKey)
        .event(Action::SegmentAlloc, kB, 30 * kMiB)
        .alloc(kB, 29 * kMiB + 512 * 1024)
        .segment(kB, {{30 * kMiB, 29 * kMiB + 512 * 1024}});
    const auto trace = builder.finish();
    const RecordedSettings told = recordedSettings(*trace, 0);
    ASSERT_EQ(told.settings.plainPools.size(), 1u);
    EXPECT_FALSE(told.settings.usesPages(*told.settings.plainPools.begin()));
    EXPECT_TRUE(told.settings.usesPages({}));
    EXPECT_TRUE(anySays(replayAssumptions(*trace, 0, told), "private pool (1, 0) keeps the plain segments"));
}

TEST(RecordedSettings, APoolThatGivesOutBlocksWholeIsTakenForOneWithoutSplits)
{
    SnapshotBuilder builder;
    builder.inPool(kPrivatePoolKey)
        .event(Action::SegmentAlloc, kA, 20 * kMiB)
        .alloc(kA, 2 * kMiB)
        .event(Action::SegmentAlloc, kB, 20 * kMiB)
        .alloc(kB, 2 * kMiB)
        .segment(kA, {{20 * kMiB, 2 * kMiB}})
        .segment(kB, {{20 * kMiB, 2 * kMiB}});
    const ReplayedRun run(builder.finish());
    EXPECT_EQ(run.script->settings.unsplitPools.size(), 1u);
    const ReplayFidelity fidelity = run.fidelity();
    EXPECT_EQ(fidelity.exact, fidelity.compared) << sentenceOf(fidelity);
    EXPECT_TRUE(anySays(replayAssumptions(*run.trace, 0, run.script->recorded), "a MemPool with no_split"));
}

TEST(RecordedSettings, APoolThatSplitsOneBlockSplitsThemAll)
{
    SnapshotBuilder builder;
    builder.inPool(kPrivatePoolKey)
        .event(Action::SegmentAlloc, kA, 20 * kMiB)
        .alloc(kA, 2 * kMiB)
        .segment(kA, {{20 * kMiB, 2 * kMiB}})
        .segment(kB, {{2 * kMiB, 2 * kMiB}, {18 * kMiB, 0}});
    EXPECT_TRUE(recordedSettings(*builder.finish(), 0).settings.unsplitPools.empty());
}

TEST(RecordedSettings, WhatPrivatePoolsDoWithExpandableSegmentsIsSaidToBeAssumed)
{
    EXPECT_TRUE(assumptionsWith({}).empty()) << "no private pool";
    SnapshotBuilder builder;
    const auto trace = small(builder.inPool(kPrivatePoolKey)).finish();
    const Texts assumed = replayAssumptions(*trace, 0, recordedSettings(*trace, 0));
    EXPECT_TRUE(anySays(assumed, "as since PyTorch 2.5"));
    EXPECT_TRUE(anySays(assumed, "use_on_oom"));
}

} // namespace highwater
