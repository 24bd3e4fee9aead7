// Checks that a hostile or broken pickle can do nothing except fail.
#include <gtest/gtest.h>

#include "importers/pickle/pickle_machine.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/piecewise_source.h"
#include "tests/support/plain_factory.h"
#include "tests/support/random_trace.h"

namespace highwater {

using test::PickleWriter;
using test::readPickle;

namespace {

/// Returns a pickle with every form that a snapshot's writer uses.
std::string mixedPickle()
{
    PickleWriter writer;
    writer.proto(4).op(0x95).u64(1000).emptyDict().memoize().mark();
    writer.text("list")
        .memoize()
        .emptyList()
        .memoize()
        .mark()
        .integer(1)
        .integer(70'000)
        .integer(-5)
        .integer(1'700'000'000'000'000)
        .appends();
    writer.text("one").memoize().emptyList().memoize().integer(300).append();
    writer.text("pool").memoize().integer(0).integer(1).tuple2().memoize();
    writer.text("again").memoize().get(2).text("flags").boolean(true);
    writer.text("float").op('G').u64(0).text("nothing").none();
    writer.text("long")
        .text(std::string(300, 'x'))
        .text("dict")
        .emptyDict()
        .mark()
        .entry("a", 1)
        .entry("b", "c")
        .setItems();
    return writer.setItems().stop();
}

/// Reads the bytes with and without interned tuples, and expects the same value and the same end. Returns
/// true if the bytes are complete.
bool readsAlike(const std::string& bytes, std::size_t piece)
{
    const test::PickleReading plain = readPickle(bytes, piece);
    const test::PickleReading interned = readPickle(bytes, piece, true);
    EXPECT_EQ(plain.value, interned.value);
    EXPECT_EQ(plain.error.has_value(), interned.error.has_value());
    if (plain.error && interned.error) {
        EXPECT_EQ(plain.error->message, interned.error->message);
        EXPECT_NE(plain.error->code, ErrorCode::CannotRead) << "nothing is wrong with the source";
    }
    return !plain.error;
}

} // namespace

TEST(PickleRobustness, ACompletePickleReadsTheSameInPiecesOfAnySize)
{
    const std::string bytes = mixedPickle();
    const std::string whole = readPickle(bytes).value;
    EXPECT_NE(whole.find("'list': [1, 70000, -5, 1700000000000000]"), std::string::npos) << whole;
    for (std::size_t piece = 1; piece < 40; ++piece)
        EXPECT_EQ(readPickle(bytes, piece).value, whole) << piece;
}

TEST(PickleRobustness, CutAtEveryByteIsTruncated)
{
    const std::string bytes = mixedPickle();
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        const test::PickleReading reading = readPickle(bytes.substr(0, cut), 7);
        ASSERT_TRUE(reading.error) << cut;
        ASSERT_EQ(reading.error->code, ErrorCode::Truncated) << cut << ": " << reading.error->message;
        ASSERT_EQ(reading.error->place, Place::byte(cut));
    }
}

TEST(PickleRobustness, WhatStandsBeforeACutIsSalvaged)
{
    const std::string bytes = PickleWriter()
                                  .emptyDict()
                                  .mark()
                                  .text("a")
                                  .emptyList()
                                  .mark()
                                  .integer(1)
                                  .integer(2)
                                  .appends()
                                  .text("b")
                                  .emptyList()
                                  .mark()
                                  .integer(3)
                                  .bytes();
    EXPECT_EQ(readPickle(bytes).value, "{'a': [1, 2], 'b': [3]}");
}

TEST(PickleRobustness, ADanglingKeyIsDroppedWhenSalvaging)
{
    EXPECT_EQ(
        readPickle(PickleWriter().emptyDict().mark().entry("a", 1).text("b").bytes()).value, "{'a': 1}");
}

TEST(PickleRobustness, ContainersFilledOneByOneAreSalvagedToo)
{
    EXPECT_EQ(
        readPickle(PickleWriter().emptyDict().text("a").emptyList().integer(1).append().integer(2).bytes())
            .value,
        "{'a': [1, 2]}");
}

TEST(PickleRobustness, AnyByteChangedNeverCrashes)
{
    const std::string bytes = mixedPickle();
    std::size_t whole = 0;
    std::size_t broken = 0;
    for (std::size_t position = 0; position < bytes.size(); ++position)
        for (const char value :
            {'\0', '(', '.', 'e', 'u', 'h', '0', '\xff', static_cast<char>(bytes[position] ^ 1)}) {
            std::string changed = bytes;
            changed[position] = value;
            ++(readsAlike(changed, 64) ? whole : broken);
        }
    EXPECT_GT(whole, bytes.size()); // most bytes belong to texts and numbers
    EXPECT_GT(broken, 100u);
}

TEST(PickleRobustness, RandomOpcodesNeverCrash)
{
    // Opcodes that execute no code, so that reading gets far.
    constexpr std::string_view opcodes = "]}()(]}eusa0124NK\x94h\x85\x86\x87\x88lhdtKKKNNq";
    test::Random random(99);
    int whole = 0;
    for (int run = 0; run < 4'000; ++run) {
        std::string bytes;
        for (std::int64_t i = random.below(40); i >= 0; --i) {
            bytes
                += opcodes[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(opcodes.size())))];
            if (bytes.back() == 'K' || bytes.back() == 'h' || bytes.back() == 'q')
                bytes += static_cast<char>(random.below(4));
        }
        whole += readsAlike(bytes + ".", 1 << 20) ? 1 : 0;
    }
    EXPECT_GT(whole, 100);
    EXPECT_LT(whole, 3'900);
}

TEST(PickleRobustness, AMarkBelowWhatWasPoppedIsMalformed)
{
    for (const char* bytes : {"](N00e.", "](N000e.", "N(00.", "]N(000e.", "}(000u.", "N((00t."})
        EXPECT_EQ(readPickle(bytes).error.value_or(Error{}).code, ErrorCode::Malformed) << bytes;
}

TEST(PickleRobustness, NestingDoesNotUseTheStack)
{
    PickleWriter writer;
    for (int i = 0; i < 200'000; ++i)
        writer.emptyList();
    for (int i = 0; i < 199'999; ++i)
        writer.append();
    EXPECT_FALSE(readPickle(writer.stop()).error);
}

TEST(PickleRobustness, MemoryIsBounded)
{
    PickleWriter writer;
    writer.emptyList().mark();
    for (int i = 0; i < 300'000; ++i)
        writer.emptyList();
    const auto error = readPickle(writer.appends().stop(), 4096, false, 1 << 20).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::LimitExceeded);
    EXPECT_NE(error->message.find("1 MiB"), std::string::npos);
}

TEST(PickleRobustness, MemoryIsBoundedAlsoForNumbersInOneMemoEntry)
{
    PickleWriter writer;
    writer.op('K').op(1);
    for (int i = 0; i < 100'000; ++i)
        writer.op('q').op(0);
    const auto error = readPickle(writer.stop(), 4096, false, 1 << 20).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::LimitExceeded);
}

TEST(PickleRobustness, MemoryIsBoundedAlsoForMarks)
{
    PickleWriter writer;
    for (int i = 0; i < 300'000; ++i)
        writer.mark();
    const auto error = readPickle(writer.none().stop(), 4096, false, 1 << 20).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::LimitExceeded);
}

TEST(PickleRobustness, MemoryIsBoundedAlsoForMemoEntriesFarApart)
{
    // Each memo index exceeds the previous one by a million: 12 MB of memo for five bytes.
    PickleWriter writer;
    writer.none();
    for (std::uint32_t i = 1; i <= 12; ++i)
        writer.op('r').u32(i << 20);
    const auto error = readPickle(writer.stop(), 1 << 20, false, 16 << 20).error;
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->code == ErrorCode::LimitExceeded || error->code == ErrorCode::Malformed);
}

TEST(PickleRobustness, AMemoGrowsNoFasterThanTheFile)
{
    // Like above, but each memo index exceeds the previous one by an allowed amount: 20 KB would fill
    // gigabytes of memo.
    PickleWriter writer;
    writer.none();
    for (std::uint32_t i = 1; i <= 4000; ++i)
        writer.op('r').u32(i * 100'000);
    const auto error = readPickle(writer.stop(), 1 << 20, false, std::uint64_t{1} << 40).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, "memo index 1100000 is out of order");
}

TEST(PickleRobustness, AnErrorOfTheSourceComesBehindWhatStoodBefore)
{
    test::PiecewiseSource source(PickleWriter().emptyList().mark().integer(1).bytes(), 100,
        Error{ErrorCode::CannotRead, "the disk is gone", {}});
    ReadBuffer buffer(source);
    test::PlainFactory factory;
    PickleMachine machine(buffer, factory, 1 << 30);
    const Result<Value> outcome = machine.run();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message, "the disk is gone");
    EXPECT_EQ(factory.render(machine.salvage()), "[1]");
}

TEST(PickleRobustness, AnErrorBehindStopDoesNotMatter)
{
    test::PiecewiseSource source(
        PickleWriter().integer(1).stop(), 100, Error{ErrorCode::CannotRead, "the disk is gone", {}});
    ReadBuffer buffer(source);
    test::PlainFactory factory;
    EXPECT_TRUE(PickleMachine(buffer, factory, 1 << 30).run());
}

} // namespace highwater
