#include "core/analysis/diff/setting_changes.h"

#include <gtest/gtest.h>

#include "core/analysis/diff/common_quantity.h"

namespace highwater {

namespace {

std::vector<SettingChange> changes(const Trace& before, const Trace& after)
{
    const Device device;
    return settingChanges({before, device}, {after, device});
}

} // namespace

TEST(SettingChanges, AreOnlyWhatDiffers)
{
    Trace before;
    Trace after;
    before.metadata.settings = {{"expandable_segments", "false"}, {"max_split_size", "-1"}};
    after.metadata.settings = {{"expandable_segments", "true"}, {"max_split_size", "-1"}};
    EXPECT_EQ(changes(before, after), (std::vector<SettingChange>{{"expandable_segments", "false", "true"}}));
    EXPECT_TRUE(changes(before, before).empty());
}

TEST(SettingChanges, NameWhatOnlyOneRunSets)
{
    Trace before;
    Trace after;
    before.metadata.settings = {{"a", "1"}};
    after.metadata.settings = {{"a", "1"}, {"b", "2"}};
    EXPECT_EQ(changes(before, after), (std::vector<SettingChange>{{"b", "", "2"}}));
}

TEST(SettingChanges, SayNothingWhereOneFileTellsNoSettings)
{
    Trace before;
    Trace after;
    after.metadata.settings = {{"a", "1"}};
    EXPECT_TRUE(changes(before, after).empty());
}

TEST(SettingChanges, TakeTheLastValueThatALogWrites)
{
    Trace before;
    Trace after;
    before.metadata.configuration = {{"batch", "8", "arguments", 1}, {"batch", "4", "arguments", 9}};
    after.metadata.configuration = {{"batch", "2", "arguments", 1}};
    EXPECT_EQ(changes(before, after), (std::vector<SettingChange>{{"batch", "4", "2"}}));
}

TEST(SettingChanges, TakeFilesOfTheirOwnBeforeWhatTheLogSays)
{
    Trace trace;
    trace.metadata.configuration = {{"batch", "8", "arguments", 1}};
    const Device device;
    EXPECT_EQ(settingChanges({trace, device}, {trace, device, {{"batch", "2", "yaml", 1}}}),
        (std::vector<SettingChange>{{"batch", "8", "2"}}));
}

TEST(ShownSetting, HasWordsForNoLimitAndNoValue)
{
    EXPECT_EQ(shownSetting("max_split_size", "-1"), "not limited");
    EXPECT_EQ(shownSetting("save_total_limit", "None"), "not limited");
    EXPECT_EQ(shownSetting("trainer.resume_from", "None"), "not set");
    EXPECT_EQ(shownSetting("local_rank", "-1"), "-1");
}

TEST(ShownSetting, HasUnitsForTheAllocatorsSizesAlone)
{
    EXPECT_EQ(shownSetting("max_split_size", "134217728"), "128 MiB");
    EXPECT_EQ(shownSetting("vocab_size", "50257"), "50257");
    EXPECT_EQ(shownSetting("max_split_size_mb", "128"), "128");
}

TEST(FoldedLists, MakeOneOfANumberedListWithTheSameValues)
{
    const std::vector<std::optional<std::string>> one = {"1", "2"};
    const std::vector<std::optional<std::string>> other = {"1", "3"};
    EXPECT_EQ(
        foldedLists<SettingOfRuns>({{"a.0", one}, {"a.1", one}, {"a.2", other}, {"b", one}, {"c", one}}),
        (std::vector<SettingOfRuns>{{"a.*", one}, {"a.2", other}, {"b", one}, {"c", one}}));
    EXPECT_TRUE(foldedLists<SettingOfRuns>({}).empty());
}

TEST(CommonQuantity, IsThatOfBoth)
{
    Device device;
    EXPECT_EQ(commonQuantity(device, device), (CommonQuantity{Quantity::Requested, false}));
}

TEST(CommonQuantity, RoundsRequestedBytesToSetThemAgainstAllocatedOnes)
{
    Device snapshot;
    Device profiler;
    profiler.quantity = Quantity::Allocated;
    profiler.hasFinalSegments = false;
    EXPECT_EQ(commonQuantity(snapshot, profiler), (CommonQuantity{Quantity::Allocated, true}));
    EXPECT_EQ(commonQuantity(profiler, snapshot), (CommonQuantity{Quantity::Allocated, true}));
}

TEST(CommonQuantity, DoesNotExistBetweenTensorsAndTheDriver)
{
    Device snapshot;
    Device driver;
    driver.quantity = Quantity::DeviceUsed;
    EXPECT_EQ(commonQuantity(snapshot, driver), std::nullopt);
}

} // namespace highwater
