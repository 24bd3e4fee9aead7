// Checks that impossible figures are counted in the import log, or that the file is refused.
#include <gtest/gtest.h>

#include "core/analysis/device/device_figures.h"
#include "tests/support/import_bytes.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

const std::string kSegmentFields
    = R"("address": 4096, "total_size": 512, "blocks": [{"address": 4096, "size": 512,
    "requested_size": 100, "state": "active_allocated"}])";

Result<ImportedTrace> read(
    const std::string& events, const std::string& segment = R"("device": 0, )" + kSegmentFields)
{
    return test::importBytes(R"({"segments": [{)" + segment + R"(}], "device_traces": [[)" + events + "]]}");
}

/// Returns the log entry with that code, or an entry with the code "none".
ImportLogEntry entryOf(const Result<ImportedTrace>& imported, std::string_view code)
{
    const ImportLogEntry* entry = imported ? imported->trace->log.find(code) : nullptr;
    return entry ? *entry : ImportLogEntry{Severity::Info, "none", "", 0, {}};
}

constexpr Bytes kHuge = (Bytes{1} << 53) + 1;

} // namespace

TEST(SnapshotChecks, KeepSizesThatNoDeviceHasAndSaySo)
{
    const auto imported = read(R"({"action": "alloc", "addr": 8192, "size": )" + std::to_string(kHuge)
        + R"(}, {"action": "free_completed", "addr": 8192, "size": )" + std::to_string(kHuge) + "}");
    ASSERT_TRUE(imported);
    EXPECT_EQ(deviceFigures(*imported->trace, 0).peakBytes, kHuge + 100);
    EXPECT_EQ(entryOf(imported, "size-implausible").count, 2);
    EXPECT_TRUE(entryOf(imported, "size-implausible").firstAt);
}

TEST(SnapshotChecks, KeepARequestThatFailedWhateverItAskedFor)
{
    const auto imported = read(R"({"action": "oom", "device_free": 5, "size": 9223372036854775807})");
    ASSERT_TRUE(imported);
    EXPECT_EQ(deviceFigures(*imported->trace, 0).ooms.at(0).requestedBytes, 9223372036854775807);
}

TEST(SnapshotChecks, SayThatASizeBeyond64BitsCountsNothing)
{
    const auto imported = read(R"({"action": "alloc", "addr": 8192, "size": 9223372036854775808})");
    ASSERT_TRUE(imported);
    EXPECT_EQ(entryOf(imported, "size-out-of-range").count, 1);
}

TEST(SnapshotChecks, TakeAFlagThatReadsLikeAPoolForAList)
{
    for (const bool first : {false, true}) {
        const auto imported = read("",
            R"("device": 0, "is_expandable": [)" + std::to_string(int{first}) + ", 0], " + kSegmentFields);
        ASSERT_TRUE(imported);
        EXPECT_EQ(imported->trace->segments.segments[0].expandable, first);
    }
}

TEST(SnapshotChecks, RefuseSizesWhoseTotalsWouldNotFit)
{
    std::string events = R"({"action": "alloc", "addr": 8192, "size": 281474976710655})";
    for (int i = 0; i < 300; ++i)
        events += R"(, {"action": "alloc", "addr": )" + std::to_string(16384 + 512 * i)
            + R"(, "size": 281474976710655})";
    const auto imported = read(events);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(test::hasParts(imported.error().message, {"more than 64 PiB"}));
    EXPECT_TRUE(imported.error().place);
}

TEST(SnapshotChecks, RefuseASizeThatLeavesNoRoomForTotals)
{
    EXPECT_FALSE(read(R"({"action": "alloc", "addr": 8192, "size": 9223372036854775807})"));
}

TEST(SnapshotChecks, RefuseSegmentsThatShareBlocksTooOften)
{
    test::PickleWriter writer;
    writer.proto(4).emptyDict().mark().text("segments").emptyList().mark();
    writer.emptyDict()
        .mark()
        .entry("device", 0)
        .entry("address", 4096)
        .entry("total_size", 512)
        .text("blocks");
    writer.emptyList()
        .put(0)
        .mark()
        .emptyDict()
        .mark()
        .entry("address", 4096)
        .entry("size", Bytes{1} << 48)
        .entry("requested_size", 1)
        .entry("state", "active_allocated")
        .setItems()
        .appends()
        .setItems();
    for (int i = 0; i < 300; ++i)
        writer.emptyDict()
            .mark()
            .entry("device", 0)
            .entry("address", 4096 + i)
            .entry("total_size", 512)
            .text("blocks")
            .get(0)
            .setItems();
    writer.appends().text("device_traces").emptyList().setItems();
    EXPECT_FALSE(test::importBytes(writer.stop()));
}

TEST(SnapshotChecks, CountEventsWithoutSizeOrAddress)
{
    const auto imported = read(R"({"action": "alloc", "addr": 8192}, {"action": "alloc", "size": 7},
        {"action": "segment_alloc"}, {"action": "snapshot"}, {"action": "annotate", "user_metadata": "x"})");
    ASSERT_TRUE(imported);
    EXPECT_EQ(entryOf(imported, "missing-size").count, 2);
    EXPECT_EQ(entryOf(imported, "missing-address").count, 2);
    EXPECT_TRUE(entryOf(imported, "missing-size").firstAt);
}

TEST(SnapshotChecks, CountSegmentsWithoutDeviceAddressOrSize)
{
    EXPECT_EQ(entryOf(read("", kSegmentFields), "missing-device").count, 1);
    const auto noAddress = read("", R"("device": 0, "total_size": 512, "blocks": [])");
    EXPECT_EQ(entryOf(noAddress, "missing-address").count, 1);
    const auto noSize = read("", R"("device": 0, "address": 4096, "blocks": [{"address": 4096, "size": 512,
        "requested_size": 100, "state": "active_allocated"}])");
    EXPECT_EQ(entryOf(noSize, "missing-size").count, 1);
    EXPECT_EQ(deviceFigures(*noSize->trace, 0).reservedFinalBytes, 512);
}

TEST(SnapshotChecks, CountDevicesThatAreNoNumbers)
{
    EXPECT_EQ(entryOf(read("", R"("device": null, )" + kSegmentFields), "device-not-a-number").count, 1);
    EXPECT_EQ(entryOf(read("", R"("device": "1", )" + kSegmentFields), "device-not-a-number").count, 1);
    EXPECT_EQ(entryOf(read("", R"("device": -1, )" + kSegmentFields), "device-out-of-range").count, 1);
    EXPECT_EQ(
        entryOf(read("", R"("device": 1099511627776, )" + kSegmentFields), "device-out-of-range").count, 1);
    EXPECT_TRUE(read("")->trace->log.find("no-history"));
    EXPECT_EQ(read("")->trace->log.entries().size(), 1u);
}

} // namespace highwater
