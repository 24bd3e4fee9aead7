#include "core/analysis/allocator/allocator_settings.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"

namespace highwater {

namespace {

AllocatorSettings with(std::string_view name, std::string_view value)
{
    return withSetting({}, name, value).value();
}

bool isRefused(std::string_view name, std::string_view value)
{
    const auto settings = withSetting({}, name, value);
    return !settings && settings.error().code == ErrorCode::BadRequest;
}

AllocatorSettings recorded(std::vector<NamedText> settings, bool expandableSegment = false)
{
    TraceBuilder builder;
    const DeviceIndex device = builder.device(DeviceKind::Cuda, 0);
    Segment segment;
    segment.expandable = expandableSegment;
    segment.totalSize = 2 * kMiB;
    builder.addSegment(device, segment);
    builder.metadata().settings = std::move(settings);
    return recordedSettings(*builder.finish(), 0);
}

} // namespace

TEST(AllocatorSettings, AreReadFromTheFile)
{
    const AllocatorSettings settings
        = recorded({{"max_split_size", "134217728"}, {"garbage_collection_threshold", "0.7"},
            {"expandable_segments", "true"}, {"roundup_power2_divisions.1", "16"}});
    EXPECT_EQ(settings.maxSplitSize, 128 * kMiB);
    EXPECT_EQ(settings.garbageCollectionThreshold, 0.7);
    EXPECT_TRUE(settings.expandableSegments);
    EXPECT_EQ(settings.rounding.divisions[0], 16);
    EXPECT_FALSE(settings.collectsGarbage()) << "no memory fraction is recorded";
}

TEST(AllocatorSettings, MinusOneIsNoMaxSplitSize)
{
    EXPECT_EQ(recorded({{"max_split_size", "-1"}}), AllocatorSettings());
}

TEST(AllocatorSettings, WithoutTheSettingExpandableSegmentsTellOfThemselves)
{
    EXPECT_TRUE(recorded({}, true).expandableSegments);
    EXPECT_FALSE(recorded({}).expandableSegments);
    EXPECT_FALSE(recorded({{"expandable_segments", "false"}}, true).expandableSegments);
}

TEST(AllocatorSettings, AreChangedByTheNamesThatPyTorchUses)
{
    EXPECT_TRUE(with("expandable_segments", "True").expandableSegments);
    EXPECT_EQ(with("max_split_size_mb", "128").maxSplitSize, 128 * kMiB);
    EXPECT_EQ(with("max_split_size_mb", "unlimited").maxSplitSize, AllocatorSettings::kUnlimited);
    EXPECT_EQ(with("roundup_power2_divisions", "8").rounding.divisions[15], 8);
    EXPECT_EQ(with("garbage_collection_threshold", "0.8").garbageCollectionThreshold, 0.8);
    EXPECT_EQ(with("per_process_memory_fraction", "0.5").memoryFraction, 0.5);
}

TEST(AllocatorSettings, AnEntryOfAListHoldsForItsIntervalAndTheFirstForAllBelow)
{
    const auto& divisions = with("roundup_power2_divisions", "[4:2,16:4,>:8]").rounding.divisions;
    const std::array<std::int64_t, 16> expected{2, 2, 2, 0, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    EXPECT_EQ(divisions, expected);
}

TEST(AllocatorSettings, RefuseWhatTheAllocatorRefuses)
{
    EXPECT_TRUE(isRefused("max_split_size_mb", "20"));
    EXPECT_TRUE(isRefused("max_split_size_mb", "99999999999999999999"));
    EXPECT_TRUE(isRefused("max_split_size_mb", "128MiB"));
    EXPECT_TRUE(isRefused("roundup_power2_divisions", "3"));
    EXPECT_TRUE(isRefused("roundup_power2_divisions", "[3:2]"));
    EXPECT_TRUE(isRefused("roundup_power2_divisions", "[4"));
    EXPECT_TRUE(isRefused("garbage_collection_threshold", "1.5"));
    EXPECT_TRUE(isRefused("garbage_collection_threshold", "nan"));
    EXPECT_TRUE(isRefused("expandable_segments", "maybe"));
    EXPECT_TRUE(isRefused("expandable", "true"));
}

TEST(AllocatorSettings, AreWrittenAsPyTorchWantsThem)
{
    AllocatorSettings settings = with("expandable_segments", "true");
    settings.maxSplitSize = 128 * kMiB;
    settings.rounding.divisions.fill(16);
    EXPECT_EQ(configurationText(settings),
        "expandable_segments:True,max_split_size_mb:128,roundup_power2_divisions:16");
    EXPECT_EQ(configurationText({}), "");
}

TEST(AllocatorSettings, AListThatIsWrittenReadsBackTheSame)
{
    const AllocatorSettings settings = with("roundup_power2_divisions", "[4:2,16:4,>:8]");
    const std::string text = configurationText(settings);
    const std::string value = text.substr(text.find(':') + 1);
    EXPECT_EQ(with("roundup_power2_divisions", value), settings);
}

} // namespace highwater
