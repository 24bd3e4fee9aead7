#include "importers/cupti_text/printed_records.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"
#include "tests/support/sample_files.h"

namespace highwater::cupti_text {

namespace {

RecordList readPrinted(
    const std::string& text, std::size_t piece = 1 << 20, const std::optional<Error>& atEnd = {})
{
    test::PiecewiseSource source(text, piece, atEnd);
    return readPrintedRecords(source, 1 << 30);
}

std::string allocation(int time, int address, int size)
{
    return "  MEMORY2 [ " + std::to_string(time) + " ] memoryOperationType ALLOCATE, address "
        + std::to_string(address) + ", size " + std::to_string(size) + ", pc 0, memoryKind DEVICE, devId 1\n";
}

/// Returns a record with these numbers in its columns for stream, process and correlation.
nsys::MemoryRow numbered(std::int64_t stream, std::int64_t process, std::int64_t correlation)
{
    nsys::MemoryRow row;
    row.stream = stream;
    row.process = process;
    row.correlation = correlation;
    return row;
}

} // namespace

TEST(PrintedRecords, AreToldByALineAmongTheFirst)
{
    EXPECT_TRUE(
        sniffPrintedRecords("Device Name: X\n  MEMORY2 [ 12 ] memoryOperationType ALLOCATE, address 5"));
    EXPECT_TRUE(
        sniffPrintedRecords("MEMORY_POOL [ 12 ] memoryPoolOperation MEM_POOL_CREATED, memoryPool LOCAL"));
    EXPECT_FALSE(sniffPrintedRecords("MEMORY2 is a kind of record\n"));
    EXPECT_FALSE(sniffPrintedRecords("Device Name: X\n"));
    EXPECT_FALSE(sniffPrintedRecords(std::string(64, '\n') + allocation(1, 2, 3)));
}

TEST(PrintedRecords, OfOneLineHaveAllTheirFields)
{
    const RecordList list = readPrinted(test::readWholeFile(test::samplePath("cupti/tiny-cuda-11.txt")));
    ASSERT_EQ(list.rows.size(), 10u);
    EXPECT_EQ(list.form, "printed, a line a record");
    EXPECT_EQ(list.deviceName, "Simulated GPU");
    const nsys::MemoryRow& pooled = list.rows[4];
    EXPECT_EQ(pooled.time, 7'000'006'000);
    EXPECT_EQ(pooled.address, 0x7F3000000000u);
    EXPECT_EQ(pooled.bytes, kMiB);
    EXPECT_EQ(pooled.process, 4242);
    EXPECT_EQ(pooled.correlation, 120);
    EXPECT_EQ(pooled.stream, 13);
    EXPECT_EQ(pooled.pool, 0x5600A0000000u);
    EXPECT_EQ(pooled.poolSize, 32 * kMiB);
    EXPECT_EQ(pooled.poolUtilized, kMiB);
    EXPECT_FALSE(pooled.isFree);
    EXPECT_TRUE(list.rows[3].isFree);
    EXPECT_EQ(list.rows[1].kind, nsys::MemoryKind::Pinned);
}

TEST(PrintedRecords, OfThreeLinesSayTheSame)
{
    const RecordList one = readPrinted(test::readWholeFile(test::samplePath("cupti/tiny-cuda-11.txt")));
    for (const char* name : {"cupti/tiny-cuda-12.txt", "cupti/tiny-cuda-12.4.txt"}) {
        const RecordList three = readPrinted(test::readWholeFile(test::samplePath(name)));
        EXPECT_EQ(three.form, "printed, several lines a record");
        ASSERT_EQ(three.rows.size(), one.rows.size());
        ASSERT_EQ(three.pools.size(), one.pools.size());
        for (std::size_t i = 0; i < one.rows.size(); ++i) {
            EXPECT_EQ(three.rows[i].address, one.rows[i].address) << name << " " << i;
            EXPECT_EQ(three.rows[i].bytes, one.rows[i].bytes) << name << " " << i;
            EXPECT_EQ(three.rows[i].process, one.rows[i].process) << name << " " << i;
            EXPECT_EQ(three.rows[i].stream, one.rows[i].stream) << name << " " << i;
            EXPECT_EQ(three.rows[i].correlation, one.rows[i].correlation) << name << " " << i;
            EXPECT_EQ(three.rows[i].poolSize, one.rows[i].poolSize) << name << " " << i;
        }
    }
}

TEST(PrintedRecords, OfPoolsAreKept)
{
    const RecordList list = readPrinted(test::readWholeFile(test::samplePath("cupti/tiny-cuda-12.txt")));
    ASSERT_EQ(list.pools.size(), 2u);
    EXPECT_EQ(list.pools[0].pool, 0x5600A0000000u);
    EXPECT_EQ(list.pools[1].size, 0);
    EXPECT_FALSE(list.pools[1].isGone);
}

TEST(PrintedRecords, MayStandAmongOtherLines)
{
    const RecordList list
        = readPrinted("epoch 1\n" + allocation(1, 5, 512) + "loss, size 7\n" + allocation(2, 6, 256));
    ASSERT_EQ(list.rows.size(), 2u);
    EXPECT_EQ(list.rows[0].bytes, 512);
    EXPECT_EQ(list.rows[0].device, 1);
    EXPECT_EQ(list.unreadable, 0);
}

TEST(PrintedRecords, WithoutUsableFieldsAreCountedWithTheirFirstLine)
{
    const RecordList list = readPrinted(allocation(1, 5, 512)
        + "MEMORY2 [ soon ] memoryOperationType ALLOCATE, address 5, size 5\n"
          "MEMORY2 [ 2 ] memoryOperationType <unknown>, address 5, size 5\n"
          "MEMORY2 [ 2 ] memoryOperationType RELEASE, size 5\n"
          "MEMORY2 [ 2 ] memoryOperationType ALLOCATE, address 5, size 999999999999999999\n"
        + allocation(2, 6, 256));
    EXPECT_EQ(list.rows.size(), 2u);
    EXPECT_EQ(list.unreadable, 4);
    EXPECT_EQ(list.firstUnreadable, Place::line(2));
}

TEST(PrintedRecords, CountWhatTheRecorderLost)
{
    const RecordList list = readPrinted(allocation(1, 5, 512) + "Warning: Dropped 12 activity records.\n");
    EXPECT_EQ(list.dropped, 12);
}

TEST(PrintedRecords, CutOffInALineLeaveTheLastOut)
{
    const std::string text = allocation(1, 5, 512) + allocation(2, 6, 1048576);
    const RecordList list = readPrinted(text.substr(0, text.size() - 40));
    EXPECT_EQ(list.rows.size(), 1u);
    ASSERT_TRUE(list.error);
    EXPECT_EQ(list.error->code, ErrorCode::Truncated);
    EXPECT_EQ(list.error->place, Place::line(2));
}

TEST(PrintedRecords, CutOffBetweenTheLinesOfARecordLeaveTheLastOut)
{
    const std::string text = test::readWholeFile(test::samplePath("cupti/tiny-cuda-12.txt"));
    const std::size_t third = text.find("MEMORY2", text.find("MEMORY2", text.find("MEMORY2") + 1) + 1);
    const RecordList list = readPrinted(text.substr(0, text.find('\n', third) + 1));
    EXPECT_EQ(list.rows.size(), 2u);
    ASSERT_TRUE(list.error);
    EXPECT_EQ(list.error->code, ErrorCode::Truncated);
}

TEST(PrintedRecords, BeforeAnErrorAreKeptAsFarAsTheyAreWhole)
{
    const Error gone{ErrorCode::CannotRead, "gone", {}};
    const std::string text = test::readWholeFile(test::samplePath("cupti/tiny-cuda-12.txt"));
    const std::size_t third = text.find("MEMORY2", text.find("MEMORY2", text.find("MEMORY2") + 1) + 1);
    const RecordList list = readPrinted(text.substr(0, text.find('\n', third) + 10), 1 << 20, gone);
    EXPECT_EQ(list.rows.size(), 2u);
    ASSERT_TRUE(list.error);
    EXPECT_EQ(list.error->message, "gone");
}

TEST(PrintedRecords, ReadTheSameInPiecesOfAnySize)
{
    const std::string text = test::readWholeFile(test::samplePath("cupti/tiny-cuda-12.txt"));
    for (const std::size_t piece : {1u, 7u})
        EXPECT_EQ(readPrinted(text, piece).rows.size(), 10u);
}

TEST(PrintedRecords, OfEndlessLinesTakeNoMoreMemory)
{
    const RecordList list = readPrinted("MEMORY2 [ 1 ] memoryOperationType ALLOCATE, address 5, size 7, pc "
        + std::string(3'000'000, '1') + "\n" + allocation(2, 6, 256));
    EXPECT_EQ(list.rows.size(), 2u);
}

TEST(PrintedRecords, PutNumbersRightThatStandUnderEachOthersNames)
{
    std::vector<nsys::MemoryRow> rows;
    for (std::int64_t i = 0; i < 10; ++i)
        rows.push_back(numbered(4242, 100 + i, i % 2 == 0 ? 7 : kInvalidNumber));
    EXPECT_TRUE(restoreSwappedNumbers(rows));
    EXPECT_EQ(rows[1].process, 4242);
    EXPECT_EQ(rows[1].correlation, 101);
    EXPECT_EQ(rows[1].stream, kInvalidNumber);
}

TEST(PrintedRecords, LeaveNumbersThatStandRight)
{
    std::vector<nsys::MemoryRow> oneStream;
    std::vector<nsys::MemoryRow> twoProcesses;
    for (std::int64_t i = 0; i < 10; ++i) {
        oneStream.push_back(numbered(7, 4242, 100 + i));
        twoProcesses.push_back(numbered(7, i < 5 ? 4242 : 4243, 100 + i));
    }
    EXPECT_FALSE(restoreSwappedNumbers(oneStream));
    EXPECT_FALSE(restoreSwappedNumbers(twoProcesses));
}

TEST(PrintedRecords, TellByTheNumbersThemselvesWhereThereAreFew)
{
    std::vector<nsys::MemoryRow> shifted{numbered(4242, 101, 7)};
    std::vector<nsys::MemoryRow> shiftedWithoutStream{numbered(99, 101, kInvalidNumber)};
    std::vector<nsys::MemoryRow> right{numbered(7, 4242, 101)};
    std::vector<nsys::MemoryRow> rightWithoutStream{numbered(kInvalidNumber, 4242, 101)};
    std::vector<nsys::MemoryRow> none;
    EXPECT_TRUE(restoreSwappedNumbers(shifted));
    EXPECT_TRUE(restoreSwappedNumbers(shiftedWithoutStream));
    EXPECT_FALSE(restoreSwappedNumbers(right));
    EXPECT_FALSE(restoreSwappedNumbers(rightWithoutStream));
    EXPECT_FALSE(restoreSwappedNumbers(none));
}

} // namespace highwater::cupti_text
