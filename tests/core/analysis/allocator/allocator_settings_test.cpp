#include "core/analysis/allocator/allocator_settings.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

AllocatorSettings settingsWith(std::string_view name, std::string_view value)
{
    return withSetting({}, name, value).value();
}

bool isRefused(std::string_view name, std::string_view value)
{
    const auto settings = withSetting({}, name, value);
    return !settings && settings.error().code == ErrorCode::BadRequest;
}

} // namespace

TEST(AllocatorSettings, AreChangedByTheNamesThatPyTorchUses)
{
    EXPECT_TRUE(settingsWith("expandable_segments", "True").expandableSegments);
    EXPECT_EQ(settingsWith("max_split_size_mb", "128").maxSplitSize, 128 * kMiB);
    EXPECT_EQ(settingsWith("max_split_size_mb", "unlimited").maxSplitSize, AllocatorSettings::kUnlimited);
    EXPECT_EQ(settingsWith("roundup_power2_divisions", "8").rounding.divisions[15], 8);
    EXPECT_EQ(settingsWith("garbage_collection_threshold", "0.8").garbageCollectionThreshold, 0.8);
    EXPECT_EQ(settingsWith("per_process_memory_fraction", "0.5").memoryFraction, 0.5);
    EXPECT_EQ(settingsWith("large_segment_size_mb", "40").largeSegment, 40 * kMiB);
    EXPECT_EQ(settingsWith("max_non_split_rounding_mb", "30").wholeBlockSlack(), 30 * kMiB);
    EXPECT_TRUE(settingsWith("throw_on_cudamalloc_oom", "True").throwOnCudaMallocOom);
    EXPECT_EQ(settingsWith("max_split_size_mb", "20").maxSplitSize, 20 * kMiB) << "PyTorch 2.10 and later";
}

TEST(AllocatorSettings, AReserveIsAShareOfTheGpuOrGibibytes)
{
    EXPECT_EQ(settingsWith("expandable_segments_reserve", "0.5").segmentReserveOn(80 * kGiB), 40 * kGiB);
    EXPECT_EQ(settingsWith("expandable_segments_reserve", "40G").segmentReserveOn(80 * kGiB), 40 * kGiB);
    EXPECT_EQ(settingsWith("expandable_segments_reserve", "40G").segmentReserveOn(0), 40 * kGiB);
    EXPECT_EQ(settingsWith("expandable_segments_reserve", "0.5").segmentReserveOn(0), 0)
        << "of an unknown GPU";
    EXPECT_EQ(settingsWith("expandable_segments_reserve", "1e20").segmentReserveOn(80 * kGiB), 90 * kGiB)
        << "at most 9/8 of the memory";
    for (const char* value : {"40M", "0", "-1", "nan", "inf", "G", ""})
        EXPECT_TRUE(isRefused("expandable_segments_reserve", value)) << value;
    EXPECT_EQ(configurationText(settingsWith("expandable_segments_reserve", "0.5G")),
        "expandable_segments_reserve:0.5G");
}

TEST(AllocatorSettings, AnEntryOfAListHoldsForItsIntervalAndTheFirstForAllBelow)
{
    const auto& divisions = settingsWith("roundup_power2_divisions", "[4:2,16:4,>:8]").rounding.divisions;
    const std::array<std::int64_t, 16> expected{2, 2, 2, 0, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    EXPECT_EQ(divisions, expected);
}

TEST(AllocatorSettings, BeforePyTorch210TheRestOfAListTookTheLastIntervalToo)
{
    const std::array<std::int64_t, 16> newer{2, 2, 2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    const std::array<std::int64_t, 16> older{2, 2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
    EXPECT_EQ(divisionsFrom("[4:2,>:8]")->divisions, newer);
    EXPECT_EQ(divisionsFrom("[4:2,>:8]", true)->divisions, older);
    EXPECT_EQ(divisionsFrom("[>:8]")->divisions[0], 0) << "only what is above the first interval";
    EXPECT_EQ(divisionsFrom("[>:8]", true)->divisions[0], 8);
}

TEST(AllocatorSettings, RefuseLargeSegmentsThatDoNotGoWithTheRest)
{
    const AllocatorSettings split = settingsWith("max_split_size_mb", "32");
    EXPECT_FALSE(withSetting(split, "large_segment_size_mb", "40"));
    EXPECT_TRUE(withSetting(split, "large_segment_size_mb", "32"));
    const AllocatorSettings large = settingsWith("large_segment_size_mb", "40");
    EXPECT_FALSE(withSetting(large, "max_split_size_mb", "39"));
    EXPECT_TRUE(withSetting(large, "max_split_size_mb", "40"));
    EXPECT_FALSE(withSetting(large, "max_non_split_rounding_mb", "39"));
    EXPECT_TRUE(isRefused("large_segment_size_mb", "10"));
    EXPECT_TRUE(isRefused("large_segment_size_mb", "8796093022207")) << "sizes rounded up to it overflow";
}

TEST(AllocatorSettings, RefuseWhatTheAllocatorRefuses)
{
    EXPECT_TRUE(isRefused("max_split_size_mb", "19"));
    EXPECT_TRUE(isRefused("garbage_collection_threshold", "1"));
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
    AllocatorSettings settings = settingsWith("expandable_segments", "true");
    settings.maxSplitSize = 128 * kMiB;
    settings.rounding.divisions.fill(16);
    EXPECT_EQ(configurationText(settings),
        "expandable_segments:True,max_split_size_mb:128,roundup_power2_divisions:16");
    EXPECT_EQ(configurationText({}), "");
}

TEST(AllocatorSettings, AListThatIsWrittenReadsBackTheSame)
{
    const AllocatorSettings settings = settingsWith("roundup_power2_divisions", "[4:2,16:4,>:8]");
    const std::string text = configurationText(settings);
    const std::string value = text.substr(text.find(':') + 1);
    EXPECT_EQ(settingsWith("roundup_power2_divisions", value), settings);
    EXPECT_EQ(divisionsFrom(value, true), settings.rounding) << "in older releases, too";
}

} // namespace highwater
