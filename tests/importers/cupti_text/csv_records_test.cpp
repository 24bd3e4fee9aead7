#include "importers/cupti_text/csv_records.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"

namespace highwater::cupti_text {

namespace {

RecordList readCsv(const std::string& text, std::uint64_t maxMemoryBytes = 1 << 30)
{
    test::PiecewiseSource source(text, 16);
    return readCsvRecords(source, maxMemoryBytes);
}

RecordList readRows(const std::string& rows, std::uint64_t maxMemoryBytes = 1 << 30)
{
    std::string text = "timestamp,operation,address,bytes,kind,deviceId\n";
    text += rows;
    return readCsv(text, maxMemoryBytes);
}

} // namespace

TEST(CsvRecords, AreToldByTheNamesOfTheirColumns)
{
    EXPECT_TRUE(sniffCsvRecords("timestamp,operation,address,bytes\n1,alloc,2,3\n"));
    EXPECT_TRUE(sniffCsvRecords("# made by us\n\nStart (ns);Memory Kind;OP;Ptr;Size\n"));
    EXPECT_TRUE(sniffCsvRecords("\"time_ns\"\t\"action\"\t\"addr\"\t\"num_bytes\"\r\n"));
    EXPECT_FALSE(sniffCsvRecords("timestamp, name, index, memory.used [MiB]\n"));
    EXPECT_FALSE(sniffCsvRecords("timestamp,operation,bytes\n"));
    EXPECT_FALSE(sniffCsvRecords("timestamp operation address bytes\n"));
    EXPECT_FALSE(sniffCsvRecords(""));
}

TEST(CsvRecords, AreReadByNameInAnyOrder)
{
    const RecordList list = readCsv("Process ID;Bytes;Address;\"Operation\";Time;Stream;Memory Kind\n"
                                    "42;512;0x7f00;\"Release\";1000;7;Managed\n");
    ASSERT_EQ(list.rows.size(), 1u);
    const nsys::MemoryRow& row = list.rows[0];
    EXPECT_EQ(row.process, 42);
    EXPECT_EQ(row.bytes, 512);
    EXPECT_EQ(row.address, 0x7f00u);
    EXPECT_TRUE(row.isFree);
    EXPECT_EQ(row.time, 1000);
    EXPECT_EQ(row.stream, 7);
    EXPECT_TRUE(row.hasStream);
    EXPECT_EQ(row.kind, nsys::MemoryKind::Managed);
}

TEST(CsvRecords, MayQuoteCellsThatHoldSeparators)
{
    const RecordList list = readCsv("timestamp,note,operation,address,bytes\n1,\"a, b\",alloc,2,3\n");
    ASSERT_EQ(list.rows.size(), 1u);
    EXPECT_EQ(list.rows[0].bytes, 3);
}

TEST(CsvRecords, OfCuptisNumbersAreReadAsSuch)
{
    const RecordList list = readRows("1,1,10,512,3,0\n2,2,10,512,2,0\n");
    ASSERT_EQ(list.rows.size(), 2u);
    EXPECT_FALSE(list.rows[0].isFree);
    EXPECT_EQ(list.rows[0].kind, nsys::MemoryKind::Device);
    EXPECT_TRUE(list.rows[1].isFree);
    EXPECT_EQ(list.rows[1].kind, nsys::MemoryKind::Pinned);
}

TEST(CsvRecords, WithAnOperationZeroHaveTheNumbersOfNsightSystems)
{
    const RecordList list = readRows("1,0,10,512,2,0\n2,1,10,512,2,0\n");
    ASSERT_EQ(list.rows.size(), 2u);
    EXPECT_FALSE(list.rows[0].isFree);
    EXPECT_TRUE(list.rows[1].isFree);
    EXPECT_EQ(list.rows[0].kind, nsys::MemoryKind::Device);
}

TEST(CsvRecords, ThatCannotBeReadAreCountedWithTheirFirstLine)
{
    const RecordList list = readRows(
        "1,alloc,10,512,device,0\nx,alloc,10,512,device,0\n2,what,10,512,device,0\n3,alloc,,512,device,0\n"
        "4,alloc,10,-5,device,0\n5,alloc,10,5,device,0,9\n6,7,10,512,device,0\n7,free,10,512,device,0\n");
    EXPECT_EQ(list.rows.size(), 2u);
    EXPECT_EQ(list.unreadable, 6);
    EXPECT_EQ(list.firstUnreadable, Place::line(3));
    EXPECT_FALSE(list.error);
}

TEST(CsvRecords, EndingInAShortRowAreCutOff)
{
    const RecordList list = readRows("1,alloc,10,512,device,0\n2,free,1");
    EXPECT_EQ(list.rows.size(), 1u);
    EXPECT_EQ(list.unreadable, 0);
    ASSERT_TRUE(list.error);
    EXPECT_EQ(list.error->code, ErrorCode::Truncated);
    EXPECT_EQ(list.error->place, Place::line(3));
}

TEST(CsvRecords, NeedNoLineEndBehindTheLastRow)
{
    const RecordList list = readRows("1,alloc,10,512,device,0");
    EXPECT_EQ(list.rows.size(), 1u);
    EXPECT_FALSE(list.error);
}

TEST(CsvRecords, ObeyTheLimitOfMemory)
{
    std::string rows;
    for (int i = 0; i < 100; ++i)
        rows += "1,alloc,10,512,device,0\n";
    const RecordList list = readRows(rows, 10'000);
    ASSERT_TRUE(list.error);
    EXPECT_EQ(list.error->code, ErrorCode::LimitExceeded);
}

} // namespace highwater::cupti_text
