// Small files that need a lot of time or memory: both must follow the file's size, or end at the limit.
#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/pickle_writer.h"

namespace highwater {

using test::importBytes;
using test::PickleWriter;

namespace {

ImportOptions withMemory(std::uint64_t bytes)
{
    ImportOptions options;
    options.maxMemoryBytes = bytes;
    return options;
}

/// Expects the import to succeed without exceeding the limit.
void expectBounded(const Result<ImportedTrace>& imported, std::uint64_t limit)
{
    ASSERT_TRUE(imported) << imported.error().message;
    const Trace& trace = *imported->trace;
    EXPECT_LE(trace.events.memoryBytes() + trace.stacks.memoryBytes() + trace.segments.segments.memoryBytes(),
        limit);
}

/// Begins a snapshot without segments; the list of its device traces is on top.
PickleWriter& begun(PickleWriter& writer)
{
    writer.proto(4).emptyDict().mark().text("segments").emptyList().text("device_traces").emptyList();
    return writer;
}

} // namespace

TEST(SnapshotBombs, AStackThatGrowsFrameByFrameCostsWhatItHolds)
{
    // Each APPEND gives the stack another outermost frame, so that it cannot share nodes with the previous
    // stack.
    PickleWriter writer;
    begun(writer).emptyList();
    writer.emptyDict().mark().entry("action", "alloc").entry("addr", 1).entry("size", 1).text("frames");
    writer.emptyList().mark().frame("f", "a.py", 1).put(0).frame("g", "a.py", 2).put(1).appends();
    for (int i = 0; i < 3000; ++i)
        writer.get(static_cast<std::uint32_t>(i % 2)).append();
    writer.setItems().append().append().setItems();
    const Result<ImportedTrace> imported = importBytes(writer.stop());
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_LE(imported->trace->stacks.nodeCount(), 30'000u);
}

TEST(SnapshotBombs, OneListOfEventsOnManyDevicesStaysWithinTheLimit)
{
    PickleWriter writer;
    begun(writer).mark();
    writer.emptyList().mark();
    for (int i = 0; i < 1000; ++i)
        writer.event("alloc", 512 * i, 512);
    writer.appends().put(0);
    for (int i = 0; i < 500; ++i)
        writer.get(0);
    writer.appends().setItems();
    expectBounded(importBytes(writer.stop(), 1 << 20, withMemory(8 << 20)), 8 << 20);
}

TEST(SnapshotBombs, ARepeatedKeyDoesNotCountItsEventsTwice)
{
    PickleWriter writer;
    begun(writer).emptyList();
    writer.event("alloc", 512, 100).append().append().put(0).text("device_traces").get(0).setItems();
    const Result<ImportedTrace> imported = importBytes(writer.stop());
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->eventCount(0), 1);
}

TEST(SnapshotBombs, MemoryIsBoundedWhileReadingEvents)
{
    PickleWriter writer;
    begun(writer).emptyList().mark();
    for (int i = 0; i < 60'000; ++i)
        writer.event("alloc", 512 * i, 512);
    writer.appends().append().setItems();
    const Result<ImportedTrace> imported = importBytes(writer.stop(), 1 << 16, withMemory(1 << 20));
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

TEST(SnapshotBombs, ReferencesToReferencesAreNotExpanded)
{
    PickleWriter writer;
    begun(writer).text("bomb");
    writer.emptyList().mark().integer(1).integer(2).integer(3).appends().put(0);
    for (std::uint32_t level = 1; level < 60; ++level) {
        writer.emptyList().mark();
        for (int i = 0; i < 10; ++i)
            writer.get(level - 1);
        writer.appends().put(level);
    }
    for (std::uint32_t level = 1; level < 60; ++level)
        writer.text("x");
    // The inner levels become further keys and values. The test only checks that reading ends.
    writer.setItems();
    const Result<ImportedTrace> imported = importBytes(writer.stop());
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->trace->metadata.unknownEntries.size(), 60u);
    for (const auto& [name, value] : imported->trace->metadata.unknownEntries)
        EXPECT_LE(value.size(), 16u * 1024) << name;
}

TEST(SnapshotBombs, AContainerThatHoldsItselfIsRenderedOnlySoFar)
{
    PickleWriter writer;
    begun(writer).text("odd");
    writer.emptyList().put(0).integer(1).append();
    writer.emptyList().put(1).get(0).append().append(); // 0 holds 1, 1 holds 0
    writer.setItems();
    const Result<ImportedTrace> imported = importBytes(writer.stop());
    ASSERT_TRUE(imported) << imported.error().message;
    ASSERT_EQ(imported->trace->metadata.unknownEntries.size(), 1u);
    EXPECT_LE(imported->trace->metadata.unknownEntries[0].second.size(), 16u * 1024);
}

TEST(SnapshotBombs, SettingsThatHoldThemselvesEnd)
{
    for (const auto& [key, own] : {std::pair{"k", "self"}, {"", ""}}) {
        PickleWriter writer;
        begun(writer).text("allocator_settings");
        writer.emptyDict().put(0).entry(key, 1).setItem().text(own).get(0).setItem();
        writer.setItems();
        const Result<ImportedTrace> imported = importBytes(writer.stop());
        ASSERT_TRUE(imported) << imported.error().message;
        EXPECT_GE(imported->trace->metadata.settings.size(), 1u);
        EXPECT_LE(imported->trace->metadata.settings.size(), 1000u);
    }
}

} // namespace highwater
