#include "importers/tensorboard/tensorboard_importer.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "importers/tensorboard/event_records.h"
#include "tests/support/import_bytes.h"

namespace highwater {

namespace {

std::string littleEndian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i));
    return text;
}

/// Returns a length-delimited field shorter than 128 bytes.
std::string field(int number, const std::string& bytes)
{
    return static_cast<char>(number << 3 | 2) + std::string(1, static_cast<char>(bytes.size())) + bytes;
}

std::string recordHead(std::uint64_t bytes)
{
    const std::string length = littleEndian(bytes, 8);
    return length + littleEndian(tensorboard::maskedChecksum(length), 4);
}

std::string record(const std::string& payload)
{
    return recordHead(payload.size()) + payload + littleEndian(tensorboard::maskedChecksum(payload), 4);
}

std::string scalarEvent(double wallSeconds, char step, const std::string& tag, float value)
{
    const std::string scalar = field(1, tag) + "\x15" + littleEndian(std::bit_cast<std::uint32_t>(value), 4);
    return record("\x09" + littleEndian(std::bit_cast<std::uint64_t>(wallSeconds), 8) + "\x10"
        + std::string(1, step) + field(5, field(1, scalar)));
}

const std::string kHead = record("\x09" + std::string(8, '\0') + field(3, "brain.Event:2"));

} // namespace

TEST(TensorBoard, ChecksumsAreThoseOfTheFormat)
{
    // CRC-32C of "123456789" is 0xE3069283, then masked.
    EXPECT_EQ(
        tensorboard::maskedChecksum("123456789"), ((0xE3069283u >> 15) | (0xE3069283u << 17)) + 0xA282EAD8u);
}

TEST(TensorBoard, TagsAreSeriesWithStepsAndTimes)
{
    const auto imported
        = test::importBytes(kHead + scalarEvent(1'714'521'600.5, 3, "memory/max_reserved(GiB)", 1.5f)
            + scalarEvent(1'714'521'601, 4, "loss", 2));
    ASSERT_TRUE(imported);
    const Trace& trace = *imported->trace;
    EXPECT_EQ(trace.metadata.kind, TraceKind::TensorBoardEvents);
    EXPECT_EQ(trace.metadata.clock, Clock::Unix);
    ASSERT_EQ(trace.counters.size(), 2u);
    EXPECT_EQ(trace.counters[0].name, "memory/max_reserved(GiB)");
    EXPECT_EQ(trace.counters[0].unit, "bytes");
    EXPECT_EQ(trace.counters[0].value, std::vector<double>{1.5 * kGiB});
    EXPECT_EQ(trace.counters[0].step, std::vector<std::int64_t>{3});
    EXPECT_EQ(trace.counters[0].time, std::vector<Nanoseconds>{1'714'521'600'500'000'000});
    EXPECT_EQ(trace.counters[1].unit, "");
}

TEST(TensorBoard, ReadsScalarsThatAreTensors)
{
    const std::string tensor
        = std::string("\x08\x02") + field(4, littleEndian(std::bit_cast<std::uint64_t>(2.5), 8));
    const auto imported = test::importBytes(
        kHead + record("\x10\x01" + field(5, field(1, field(1, "loss") + field(8, tensor)))));
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->counters.size(), 1u);
    EXPECT_EQ(imported->trace->counters[0].value, std::vector<double>{2.5});
}

TEST(TensorBoard, ReadsATensorWithExactlyOneInteger)
{
    const auto eventOf = [](const std::string& tensor) {
        return record("\x10\x01" + field(5, field(1, field(1, "loss") + field(8, tensor))));
    };
    const std::string packed = field(7, "\x96\x01");
    const std::string two = "\x38\x05\x38\x06";
    const std::string twoPacked = field(7, "\x05\x06");
    const auto imported = test::importBytes(kHead + eventOf(packed) + eventOf(two) + eventOf(twoPacked));
    ASSERT_TRUE(imported);
    ASSERT_EQ(imported->trace->counters.size(), 1u);
    EXPECT_EQ(imported->trace->counters[0].value, std::vector<double>{150});
}

TEST(TensorBoard, CutWithinARecordKeepsThoseBefore)
{
    const std::string bytes = kHead + scalarEvent(1'714'521'600, 3, "loss", 1.5f);
    const auto imported = test::importBytes(bytes + bytes.substr(0, 20));
    ASSERT_TRUE(imported);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, ErrorCode::Truncated);
    EXPECT_EQ(imported->incomplete->place, Place::byte(bytes.size()));
    EXPECT_EQ(imported->trace->counters.size(), 1u);
}

TEST(TensorBoard, ALengthThatTheFileDoesNotHaveKeepsWhatCameBefore)
{
    const std::string good = kHead + scalarEvent(1'714'521'600, 3, "loss", 1.5f);
    for (const int power : {20, 40, 62}) {
        const auto imported = test::importBytes(good + recordHead(std::uint64_t{1} << power) + "x");
        ASSERT_TRUE(imported) << power;
        ASSERT_TRUE(imported->incomplete) << power;
        EXPECT_EQ(imported->incomplete->code, ErrorCode::Truncated);
        EXPECT_EQ(imported->incomplete->place, Place::byte(good.size()));
        EXPECT_EQ(imported->trace->counters.size(), 1u);
    }
}

TEST(TensorBoard, RefusesALengthThatTheFileDoesNotHave)
{
    const auto imported = test::importBytes(recordHead(std::uint64_t{1} << 40) + "x");
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::Truncated);
}

TEST(TensorBoard, RefusesARecordBeyondTheMemoryLimit)
{
    ImportOptions options;
    options.maxMemoryBytes = 1'000;
    const auto imported = test::importBytes(kHead + record(std::string(2'000, 'x')), 1 << 20, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

TEST(TensorBoard, SaysThatFiguresOfFurtherTagsAreLeftOut)
{
    std::string bytes = kHead;
    for (int tag = 0; tag < 10'002; ++tag)
        bytes += scalarEvent(1'714'521'600, 1, "loss" + std::to_string(tag), 1.5f);
    const auto imported = test::importBytes(bytes);
    ASSERT_TRUE(imported);
    EXPECT_EQ(imported->trace->counters.size(), 10'000u);
    const ImportLogEntry* leftOut = imported->trace->log.find("too-many-series");
    ASSERT_NE(leftOut, nullptr);
    EXPECT_EQ(leftOut->count, 2);
}

TEST(TensorBoard, RefusesSeriesBeyondTheMemoryLimit)
{
    std::string bytes = kHead;
    for (char step = 0; step < 100; ++step)
        bytes += scalarEvent(1'714'521'600, step, "loss", 1.5f);
    ImportOptions options;
    options.maxMemoryBytes = 1'000;
    const auto imported = test::importBytes(bytes, 1 << 20, options);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().code, ErrorCode::LimitExceeded);
}

TEST(TensorBoard, SaysWhereAChecksumIsWrong)
{
    std::string bytes = kHead + scalarEvent(1'714'521'600, 3, "loss", 1.5f);
    bytes.back() = static_cast<char>(bytes.back() + 1);
    const auto imported = test::importBytes(bytes);
    ASSERT_TRUE(imported);
    ASSERT_TRUE(imported->incomplete);
    EXPECT_EQ(imported->incomplete->code, ErrorCode::Malformed);
    EXPECT_EQ(imported->incomplete->place, Place::byte(kHead.size()));
}

} // namespace highwater
