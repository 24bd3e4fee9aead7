#include <gtest/gtest.h>

#include "importers/nsys/device_map.h"

namespace highwater::nsys {

namespace {

constexpr GlobalId kHost = std::int64_t{1} << 48;
constexpr GlobalId kFirst = kHost | std::int64_t{100} << 24;
constexpr GlobalId kSecond = kHost | std::int64_t{200} << 24;

std::string labelOf(
    const ExportDescription& description, const std::set<DeviceUse>& uses, const DeviceUse& use)
{
    TraceBuilder builder;
    const DeviceMap map(description, uses);
    return builder.deviceRow(map.deviceOf(use, builder)).label();
}

} // namespace

TEST(GlobalIds, HoldProcessAndThread)
{
    constexpr GlobalId thread = 281855332997263; // from a real export
    EXPECT_EQ(processOf(thread), 281855332974592);
    EXPECT_EQ(processNumber(thread), 22671);
    EXPECT_EQ(threadNumber(thread), 22671);
}

TEST(DeviceMap, NumbersAsTheOnlyProcessDoes)
{
    EXPECT_EQ(labelOf({}, {{kFirst, 0}, {kFirst, 1}}, {kFirst, 1}), "cuda:1");
}

TEST(DeviceMap, KeepsProcessesApartThatSayTheSameNumber)
{
    const std::set<DeviceUse> uses = {{kFirst, 0}, {kSecond, 0}, {kSecond, 1}};
    EXPECT_EQ(labelOf({}, uses, {kFirst, 0}), "cuda:0 · pid 100");
    EXPECT_EQ(labelOf({}, uses, {kSecond, 0}), "cuda:0 · pid 200");
    EXPECT_EQ(labelOf({}, uses, {kSecond, 1}), "cuda:1");
}

TEST(DeviceMap, PutsProcessesTogetherThatUseTheSameCard)
{
    ExportDescription description;
    description.cudaDevices = {{3, 0, 100}, {3, 1, 200}};
    const std::set<DeviceUse> uses = {{kFirst, 0}, {kSecond, 1}};
    EXPECT_EQ(labelOf(description, uses, {kFirst, 0}), "cuda:3");
    EXPECT_EQ(labelOf(description, uses, {kSecond, 1}), "cuda:3");
}

TEST(DeviceMap, FindsTheCardOfAUseThatItWasNotGiven)
{
    ExportDescription description;
    description.cudaDevices = {{3, 0, 100}};
    EXPECT_EQ(labelOf(description, {}, {kFirst, 0}), "cuda:3");
}

TEST(DeviceMap, KeepsAProcessOfWhichTheCardIsUnknownFromOneThatIsKnown)
{
    ExportDescription description;
    description.cudaDevices = {{0, 0, 100}};
    const std::set<DeviceUse> uses = {{kFirst, 0}, {kSecond, 0}};
    EXPECT_EQ(labelOf(description, uses, {kFirst, 0}), "cuda:0");
    EXPECT_EQ(labelOf(description, uses, {kSecond, 0}), "cuda:0 · pid 200");
}

TEST(DeviceMap, TellsProcessesOfTwoMachinesApartThatHaveOneNumber)
{
    const GlobalId elsewhere = std::int64_t{2} << 48 | std::int64_t{100} << 24;
    const DeviceMap map({}, {{kFirst, 0}, {elsewhere, 0}});
    EXPECT_NE(map.processOf(kFirst), map.processOf(elsewhere));
}

TEST(DeviceMap, NamesACardOnlyWhereItIsTheOne)
{
    ExportDescription description;
    description.gpus = {{0, "A100", 40, 0}, {1, "T4", 16, 1}};
    TraceBuilder builder;
    const std::set<DeviceUse> uses = {{kFirst, 0}, {kSecond, 0}, {kSecond, 1}};
    const DeviceMap map(description, uses);
    EXPECT_EQ(builder.deviceRow(map.deviceOf({kSecond, 1}, builder)).name, "T4");
    EXPECT_EQ(builder.deviceRow(map.deviceOf({kFirst, 0}, builder)).name, "");
    description.gpus[1] = {1, "A100", 40, 1};
    EXPECT_EQ(builder.deviceRow(map.deviceOf({kFirst, 0}, builder)).capacity, 40);
}

TEST(DeviceMap, KnowsTheOnlyDeviceOfAProcess)
{
    const DeviceMap map({}, {{kFirst, 2}, {kSecond, 0}, {kSecond, 1}});
    EXPECT_EQ(map.onlyOrdinalOf(kFirst), 2);
    EXPECT_EQ(map.onlyOrdinalOf(kSecond), std::nullopt);
    EXPECT_EQ(map.onlyOrdinalOf(0), std::nullopt);
}

} // namespace highwater::nsys
