#include <gtest/gtest.h>

#include <cstring>

#include "core/analysis/device/device_figures.h"
#include "tests/support/frame_names.h"
#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/sample_files.h"
#include "tests/support/sqlite_bytes.h"

namespace highwater {

namespace {

using test::functionsAt;
using test::kNsysTables;
using test::memoryRow;

Result<ImportedTrace> import(const std::string& script, const ImportOptions& options = {})
{
    return test::importBytes(test::sqliteBytes(kNsysTables + script), 1 << 20, options);
}

std::shared_ptr<const Trace> traceOf(const std::string& script)
{
    const Result<ImportedTrace> imported = import(script);
    EXPECT_TRUE(imported) << toText(imported.error());
    EXPECT_FALSE(imported->incomplete);
    return imported->trace;
}

// Process 1 on host 1, and two of its threads.
const std::string kProcess = std::to_string((std::int64_t{1} << 48) + (std::int64_t{1} << 24));
const std::string kThread = std::to_string((std::int64_t{1} << 48) + (std::int64_t{1} << 24) + 10);
const std::string kOtherThread = std::to_string((std::int64_t{1} << 48) + (std::int64_t{1} << 24) + 11);

std::string range(const std::string& row)
{
    return "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES (" + row + ");\n";
}

using Functions = std::vector<std::string>;

} // namespace

TEST(NsysRows, ComeInTheOrderOfTheirTimes)
{
    const auto trace = traceOf(memoryRow("30, " + kProcess + ", 0, 1, 4096, 7, 2, 1")
        + memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0"));
    EXPECT_EQ(trace->events.action[0], Action::Alloc);
    EXPECT_EQ(trace->pairings[0].partner[0], 1);
}

TEST(NsysCounters, AreNotedAndNotRead)
{
    const auto trace
        = traceOf("CREATE TABLE NVTX_COUNTER_SAMPLES_0_16777216 (timestamp INTEGER, bytes INTEGER);"
                  "INSERT INTO NVTX_COUNTER_SAMPLES_0_16777216 VALUES (10, 4096);\n");
    ASSERT_TRUE(trace->log.find("nvtx-counters"));
    EXPECT_EQ(trace->log.find("nvtx-counters")->count, 1);
    EXPECT_TRUE(trace->counters.empty());
}

TEST(NsysRows, ThatCannotBeAreCountedAndLeftOut)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + memoryRow("'soon', " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + memoryRow("10, " + kProcess + ", 0, 1, 4096, -7, 2, 0")
        + memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 9")
        + memoryRow("10, " + kProcess + ", 0, 1, 'x', 7, 2, 0"));
    EXPECT_EQ(trace->events.rows(), 1u);
    EXPECT_EQ(trace->log.find("event-unreadable")->count, 4);
}

TEST(NsysRows, AreReadByTheLabelsOfTheFilesOwnEnums)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 12, 5")
        + memoryRow("20, " + kProcess + ", 0, 1, 4096, 7, 12, 6")
        + "CREATE TABLE ENUM_CUDA_DEV_MEM_EVENT_OPER (id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
          "INSERT INTO ENUM_CUDA_DEV_MEM_EVENT_OPER VALUES (5, 'CUDA_DEV_A', 'Allocation'),"
          " (6, 'CUDA_DEV_D', 'Deallocation');"
          "CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER PRIMARY KEY, name TEXT, label TEXT);"
          "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (12, 'K', 'Pinned');");
    ASSERT_EQ(trace->events.rows(), 2u);
    EXPECT_EQ(trace->events.action[0], Action::Alloc);
    EXPECT_EQ(trace->events.action[1], Action::Free);
    EXPECT_EQ(trace->devices[0].kind, DeviceKind::HostPinned);
}

TEST(NsysRows, OfAnOldSchemaWithoutKindAndContextAreDeviceMemory)
{
    const Result<ImportedTrace> imported = test::importBytes(test::sqliteBytes(
        "CREATE TABLE EXPORT_META_DATA (name TEXT, value TEXT); CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS "
        "(start "
        "INTEGER, globalPid INTEGER, deviceId INTEGER, address INTEGER, bytes INTEGER, memoryOperationType "
        "INTEGER); INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1, 0, 0, 512, 5, 0)"));
    ASSERT_TRUE(imported);
    EXPECT_EQ(deviceFigures(*imported->trace, 0).peakBytes, 5);
    EXPECT_EQ(imported->trace->devices[0].kind, DeviceKind::Cuda);
}

TEST(NsysFree, WithoutSizeHasThatOfItsAllocation)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + memoryRow("20, " + kProcess + ", 0, 1, 4096, 0, 2, 1"));
    EXPECT_EQ(trace->events.size[1], 7);
    EXPECT_EQ(trace->log.find("size-mismatch"), nullptr);
}

TEST(NsysFree, UnderAnotherContextOfTheProcessEndsWhatIsAtTheAddress)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + memoryRow("20, " + kProcess + ", 0, 2, 4096, 7, 2, 1"));
    EXPECT_EQ(trace->pairings[0].partner[1], 0);
    EXPECT_EQ(deviceFigures(*trace, 0).finalBytes, 0);
}

TEST(NsysStack, WithoutCallTakesTheRangesOfTheOnlyThreadThatHasSome)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + range("5, 15, 59, 'outer', " + kThread) + range("6, 14, 59, 'aten::mm, op_id = 3', " + kThread)
        + range("11, 15, 59, 'later', " + kOtherThread));
    EXPECT_EQ(functionsAt(*trace, 0), (Functions{"aten::mm", "outer"}));
    EXPECT_EQ(trace->text(trace->events.details.get(0)), R"({"attributed":"by time"})");
    EXPECT_EQ(trace->log.find("attributed-by-time")->count, 1);
}

TEST(NsysStack, WithoutCallStaysEmptyWhereTwoThreadsHaveRanges)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + range("5, 15, 59, 'one', " + kThread) + range("6, 14, 59, 'other', " + kOtherThread));
    EXPECT_TRUE(functionsAt(*trace, 0).empty());
    EXPECT_TRUE(trace->events.details.get(0).isNone());
}

TEST(NsysStack, HasNoRangesThatStandForAStepOrDoNotNest)
{
    const auto trace = traceOf(memoryRow("10, " + kProcess + ", 0, 1, 4096, 7, 2, 0")
        + range("1, 20, 59, 'step 3', " + kThread) + range("2, 19, 60, 'overlaps', " + kThread)
        + range("3, 18, 59, 'layer', " + kThread));
    EXPECT_EQ(functionsAt(*trace, 0), (Functions{"layer"}));
    EXPECT_EQ(trace->spans.size(), 3u);
}

TEST(NsysStack, LooksForTheCallWithinItsProcessOnly)
{
    const std::string elsewhere = std::to_string((std::int64_t{1} << 48) + (std::int64_t{2} << 24));
    const auto trace
        = traceOf("INSERT INTO StringIds VALUES (1, 'cudaMalloc_v3020'), (2, 'cudaMallocAsync_v11020');"
                  "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, "
            + elsewhere + ", 77, 2, 0, NULL), (8, 12, " + kThread + ", 77, 1, 0, NULL);"
            + "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (10, " + kProcess
            + ", 0, 1, 4096, 7, 2, 0, NULL, 77);");
    EXPECT_EQ(functionsAt(*trace, 0), (Functions{"cudaMalloc"}));
}

TEST(NsysNames, EndAtTheFirstNul)
{
    const auto trace = traceOf(range("1, 2, 59, 'shown' || char(0) || 'SECRET=1', " + kThread));
    EXPECT_EQ(trace->text(trace->spans[0].name), "shown");
    EXPECT_TRUE(trace->strings.find("SECRET=1").isNone());
}

TEST(NsysNames, AreCutBetweenCharacters)
{
    const auto trace
        = traceOf(range("1, 2, 59, replace(hex(zeroblob(800)), '00', 'äb'), " + kThread)); // 2,400 bytes
    const std::string_view name = trace->text(trace->spans[0].name);
    EXPECT_EQ(name.size(), 2000u);
    EXPECT_TRUE(name.ends_with("äb") || name.ends_with("ä"));
}

TEST(NsysClock, IsItsOwnWhereNoEpochIsTold)
{
    const auto trace
        = traceOf(memoryRow("10, 0, 0, 1, 4096, 7, 2, 0") + "DELETE FROM TARGET_INFO_SESSION_START_TIME;");
    EXPECT_EQ(trace->metadata.clock, Clock::Own);
    EXPECT_EQ(trace->events.time[0], 10);
    EXPECT_TRUE(trace->log.find("no-epoch"));
}

TEST(NsysClock, IsItsOwnWhereTimesWereShiftedByHand)
{
    const auto trace = traceOf(memoryRow("10, 0, 0, 1, 4096, 7, 2, 0")
        + "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_CONFIG_TIME_SHIFT', '55');");
    EXPECT_EQ(trace->metadata.clock, Clock::Own);
    EXPECT_TRUE(test::hasParts(trace->log.find("times-shifted")->message, {"shifted by 55 ns"}));
}

TEST(NsysSentence, OfAnEmptyTableDiffersFromThatOfNone)
{
    const auto empty = traceOf("");
    EXPECT_TRUE(test::hasParts(empty->log.find("no-memory-events")->message, {"is empty"}));
    const auto none = traceOf("DROP TABLE CUDA_GPU_MEMORY_USAGE_EVENTS;");
    EXPECT_TRUE(test::hasParts(none->log.find("no-memory-events")->message, {"is missing", "record again"}));
}

TEST(NsysSentence, SaysThatNothingWasAllocatedWhereTheRecordingAskedForIt)
{
    const auto trace
        = traceOf("CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);"
                  "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:COLLECT_GPU_MEMORY_USAGE', 'true');");
    EXPECT_NE(trace->log.find("no-memory-events")->message.find("nothing was allocated"), std::string::npos);
}

TEST(NsysTables, ThatAreViewsOrVirtualAreNotRead)
{
    const auto trace
        = traceOf("DROP TABLE NVTX_EVENTS; CREATE VIEW NVTX_EVENTS AS SELECT 1 AS start, 2 AS end, 59 AS "
                  "eventType, 'from a view' AS text, 0 AS globalTid;"
                  "CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start);");
    EXPECT_TRUE(trace->spans.empty());
    EXPECT_EQ(trace->log.find("contents"), nullptr);
}

TEST(NsysImport, IsRefusedWhereMemoryDoesNotSuffice)
{
    ImportOptions options;
    options.maxMemoryBytes = 70'000;
    std::string rows;
    for (int i = 0; i < 500; ++i)
        rows += memoryRow(std::to_string(i) + ", 0, 0, 1, " + std::to_string(512 * i) + ", 7, 2, 0");
    const Result<ImportedTrace> imported = import(rows, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

TEST(NsysImport, OfADatabaseWithAWriteAheadLogHeaderWorksFromMemory)
{
    std::string bytes = test::sqliteBytes(kNsysTables + memoryRow("10, 0, 0, 1, 4096, 7, 2, 0"));
    bytes[18] = bytes[19] = 2;
    const Result<ImportedTrace> imported = test::importBytes(bytes);
    ASSERT_TRUE(imported) << toText(imported.error());
    EXPECT_EQ(imported->trace->events.rows(), 1u);
}

TEST(NsysImport, SurvivesEveryByteChangedInTurn)
{
    const std::string bytes = test::readWholeFile(test::samplePath("nsys/memory-pools-3.25.0.sqlite"));
    int read = 0;
    for (std::size_t position = 16; position < bytes.size(); position += 97) {
        std::string changed = bytes;
        changed[position] = static_cast<char>(changed[position] ^ 0x5a);
        const Result<ImportedTrace> imported = test::importBytes(changed);
        read += imported ? 1 : 0;
        for (DeviceIndex device = 0; imported && device < imported->trace->devices.size(); ++device)
            EXPECT_GE(deviceFigures(*imported->trace, device).peakBytes, 0) << position;
    }
    EXPECT_GT(read, 100);
}

} // namespace highwater
