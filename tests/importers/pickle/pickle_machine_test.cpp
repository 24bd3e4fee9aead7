#include "importers/pickle/pickle_machine.h"

#include <gtest/gtest.h>

#include "tests/support/pickle_writer.h"
#include "tests/support/plain_factory.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

using test::PickleWriter;
using test::readPickle;

namespace {

std::string bytesOf(std::initializer_list<int> values)
{
    std::string out;
    for (const int value : values)
        out += static_cast<char>(value);
    return out;
}

std::string valueOf(const std::string& bytes)
{
    const test::PickleReading reading = readPickle(bytes);
    return reading.error ? "error: " + toText(*reading.error) : reading.value;
}

struct BytesAndValue
{
    std::string bytes; ///< the pickle without STOP
    std::string value;
};

} // namespace

class PickleValue : public testing::TestWithParam<BytesAndValue>
{
};

TEST_P(PickleValue, IsRead)
{
    EXPECT_EQ(valueOf(GetParam().bytes + "."), GetParam().value);
}

TEST_P(PickleValue, IsTheSameInPiecesOfOneByte)
{
    EXPECT_EQ(readPickle(GetParam().bytes + ".", 1).value, GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(Integers, PickleValue,
    testing::Values(BytesAndValue{"K\xff", "255"}, BytesAndValue{"M\xff\xff", "65535"},
        BytesAndValue{bytesOf({'J', 0xff, 0xff, 0xff, 0xff}), "-1"},
        BytesAndValue{bytesOf({'J', 0, 0, 0, 0x80}), "-2147483648"}, BytesAndValue{bytesOf({0x8a, 0}), "0"},
        BytesAndValue{bytesOf({0x8a, 1, 0xff}), "-1"},
        BytesAndValue{bytesOf({0x8a, 5, 0, 0, 0, 0x80, 0}), "2147483648"},
        BytesAndValue{bytesOf({0x8a, 8, 0, 0, 0, 0, 0, 0, 0, 0x80}), "-9223372036854775808"},
        BytesAndValue{bytesOf({0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0x80, 0}), "9223372036854775808"},
        BytesAndValue{
            bytesOf({0x8a, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}), "18446744073709551615"},
        BytesAndValue{bytesOf({0x8a, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), "-1"},
        BytesAndValue{bytesOf({0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "opaque"},
        BytesAndValue{bytesOf({0x8a, 10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "opaque"},
        BytesAndValue{bytesOf({0x8b, 2, 0, 0, 0, 0x2c, 0x01}), "300"}));

INSTANTIATE_TEST_SUITE_P(Protocol0, PickleValue,
    testing::Values(BytesAndValue{"I42\n", "42"}, BytesAndValue{"I-7\n", "-7"},
        BytesAndValue{"I01\n", "True"}, BytesAndValue{"I00\n", "False"}, BytesAndValue{"L5L\n", "5"},
        BytesAndValue{"L18446744073709551615L\n", "18446744073709551615"},
        BytesAndValue{"L99999999999999999999999L\n", "opaque"}, BytesAndValue{"F1.5\n", "1.5"},
        BytesAndValue{"Vgr\\u00fc\\U0001f600\n", "'grü😀'"}, BytesAndValue{"V\xe9\n", "'é'"},
        BytesAndValue{"S'text'\n", "'text'"}, BytesAndValue{"(lp0\nI1\naI2\na", "[1, 2]"},
        BytesAndValue{"(dp0\nVa\nI1\ns", "{'a': 1}"}, BytesAndValue{"(I1\nI2\nl", "[1, 2]"},
        BytesAndValue{"(Va\nI1\nd", "{'a': 1}"}, BytesAndValue{"(I1\nI2\nt", "(1, 2)"},
        BytesAndValue{"(lp7\n0g7\n", "[]"}));

INSTANTIATE_TEST_SUITE_P(Others, PickleValue,
    testing::Values(BytesAndValue{"N", "None"}, BytesAndValue{"\x88", "True"}, BytesAndValue{"\x89", "False"},
        BytesAndValue{bytesOf({'G', 0x3f, 0xf8, 0, 0, 0, 0, 0, 0}), "1.5"},
        BytesAndValue{bytesOf({0x8c, 2, 'h', 'i'}), "'hi'"},
        BytesAndValue{bytesOf({'X', 2, 0, 0, 0, 'h', 'i'}), "'hi'"},
        BytesAndValue{bytesOf({0x8d, 2, 0, 0, 0, 0, 0, 0, 0, 'h', 'i'}), "'hi'"},
        BytesAndValue{bytesOf({'U', 2, 'h', 'i'}), "'hi'"},
        BytesAndValue{bytesOf({'T', 2, 0, 0, 0, 'h', 'i'}), "'hi'"},
        BytesAndValue{bytesOf({'C', 2, 'h', 'i'}), "opaque"},
        BytesAndValue{bytesOf({'B', 1, 0, 0, 0, 'h'}), "opaque"},
        BytesAndValue{bytesOf({0x8e, 1, 0, 0, 0, 0, 0, 0, 0, 'h'}), "opaque"},
        BytesAndValue{bytesOf({0x96, 1, 0, 0, 0, 0, 0, 0, 0, 'h'}), "opaque"}, BytesAndValue{")", "()"},
        BytesAndValue{"K\x01\x85", "(1)"}, BytesAndValue{"K\x01K\x02\x86", "(1, 2)"},
        BytesAndValue{"K\x01K\x02K\x03\x87", "(1, 2, 3)"},
        BytesAndValue{"](K\x01K\x02"
                      "e",
            "[1, 2]"},
        BytesAndValue{"]K\x01"
                      "a",
            "[1]"},
        BytesAndValue{"](e", "[]"}, BytesAndValue{"}(u", "{}"}, BytesAndValue{"}K\x01Ns", "{1: None}"},
        BytesAndValue{"K\x01K\x02"
                      "0",
            "1"},
        BytesAndValue{"K\x01(K\x02K\x03"
                      "1",
            "1"},
        BytesAndValue{"K\x05"
                      "2\x86",
            "(5, 5)"}));

TEST(PickleMachine, SkipsProtocolAndFrame)
{
    EXPECT_EQ(valueOf(PickleWriter().proto(4).op(0x95).u64(3).integer(7).stop()), "7");
}

TEST(PickleMachine, ReadsEveryKnownProtocol)
{
    for (unsigned char protocol = 0; protocol <= 5; ++protocol)
        EXPECT_EQ(valueOf(PickleWriter().proto(protocol).integer(7).stop()), "7");
}

TEST(PickleMachine, RefusesNewerProtocols)
{
    const auto error = readPickle(PickleWriter().proto(6).integer(7).stop()).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::UnknownFormat);
    EXPECT_EQ(error->place, Place::byte(0));
    EXPECT_TRUE(test::hasParts(error->message, {"protocol 6", "(5)"}));
}

TEST(PickleMachine, IgnoresWhatFollowsStop)
{
    EXPECT_EQ(valueOf(PickleWriter().integer(7).stop() + std::string("\0\0garbage", 9)), "7");
}

TEST(PickleMachine, TakesTextsLongerThanItsWindow)
{
    const std::string text(600'000, 'x');
    EXPECT_EQ(readPickle(PickleWriter().text(text).stop(), 50'000).value, "'" + text + "'");
}

TEST(PickleMemo, GivesBackWhatWasPut)
{
    EXPECT_EQ(
        valueOf(PickleWriter().emptyList().put(0).mark().text("a").put(1).get(1).get(1).appends().stop()),
        "['a', 'a', 'a']");
    EXPECT_EQ(valueOf(PickleWriter().text("a").put(300).get(300).tuple2().stop()), "('a', 'a')");
}

TEST(PickleMemo, CountsMemoizeFromZero)
{
    EXPECT_EQ(valueOf(PickleWriter().text("a").memoize().text("b").memoize().tuple2().get(0).tuple2().stop()),
        "(('a', 'b'), 'a')");
}

TEST(PickleMemo, CanHoldNumbersAndNone)
{
    EXPECT_EQ(valueOf(PickleWriter()
                          .integer(5)
                          .memoize()
                          .none()
                          .memoize()
                          .op('0')
                          .op('0')
                          .get(0)
                          .get(1)
                          .tuple2()
                          .stop()),
        "(5, None)");
}

TEST(PickleMemo, SeesWhatWasAddedToAContainerLater)
{
    const PickleWriter writer
        = PickleWriter().emptyList().memoize().mark().integer(1).integer(2).appends().get(0);
    EXPECT_EQ(valueOf(PickleWriter(writer).tuple2().stop()), "([1, 2], [1, 2])");
}

TEST(PickleMemo, TakesAnEntryBehindTheContents)
{
    EXPECT_EQ(
        valueOf(
            PickleWriter().emptyList().mark().integer(1).integer(2).appends().put(0).get(0).tuple2().stop()),
        "([1, 2], [1, 2])");
}

TEST(PickleMemo, TakesTheLatestOfSeveralEntriesOfOneNumber)
{
    EXPECT_EQ(
        valueOf(PickleWriter().integer(1).put(0).integer(2).put(0).get(0).op(0x87).stop()), "(1, 2, 2)");
}

TEST(PickleMemo, KeepsALaterEntryOfANumberWhenTheContainerThatHadItGrows)
{
    EXPECT_EQ(valueOf(PickleWriter()
                          .integer(3)
                          .put(1)
                          .emptyList()
                          .put(0)
                          .mark()
                          .integer(5)
                          .put(0)
                          .appends()
                          .get(0)
                          .op(0x87)
                          .stop()),
        "(3, [5], 5)");
    EXPECT_EQ(
        valueOf(PickleWriter().emptyList().put(0).mark().emptyList().put(0).appends().get(0).tuple2().stop()),
        "([[]], [])");
}

struct BytesAndSentence
{
    std::string bytes;
    std::string sentence;
    ErrorCode code = ErrorCode::Malformed;
};

class BrokenPickle : public testing::TestWithParam<BytesAndSentence>
{
};

TEST_P(BrokenPickle, IsRefusedWithItsPlace)
{
    const auto error = readPickle(GetParam().bytes).error;
    ASSERT_TRUE(error);
    EXPECT_EQ(toText(*error), GetParam().sentence);
    EXPECT_EQ(error->code, GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(Stack, BrokenPickle,
    testing::Values(BytesAndSentence{".", "the pickle ends with nothing on its stack (at byte 0)"},
        BytesAndSentence{"Na.", "APPEND has no list (at byte 1)"},
        BytesAndSentence{"NNa.", "APPEND has no list (at byte 2)"},
        BytesAndSentence{"Ne.", "APPENDS has no list before its mark (at byte 1)"},
        BytesAndSentence{"(Ne.", "APPENDS has no list before its mark (at byte 2)"},
        BytesAndSentence{"]NNs.", "SETITEM has no dict (at byte 3)"},
        BytesAndSentence{"s.", "SETITEM has no dict (at byte 0)"},
        BytesAndSentence{"u.", "SETITEMS has no dict before its mark (at byte 0)"},
        BytesAndSentence{"}(Nu.", "SETITEMS has a key without a value (at byte 3)"},
        BytesAndSentence{"(Nd.", "DICT has a key without a value (at byte 2)"},
        BytesAndSentence{"l.", "LIST has no mark (at byte 0)"},
        BytesAndSentence{"t.", "TUPLE has no mark (at byte 0)"},
        BytesAndSentence{"N\x86.", "a tuple needs more values than the stack has (at byte 1)"},
        BytesAndSentence{"1.", "POP_MARK has no mark (at byte 0)"},
        BytesAndSentence{"2.", "DUP has nothing to duplicate (at byte 0)"},
        BytesAndSentence{"q\x01.", "a memo entry has no value (at byte 0)"},
        BytesAndSentence{"h\x05.", "memo entry 5 is used before it is set (at byte 0)"},
        BytesAndSentence{"g5\n.", "memo entry 5 is used before it is set (at byte 0)"},
        BytesAndSentence{"gx\n.", "a memo index is not a number (at byte 0)"},
        BytesAndSentence{
            bytesOf({'N', 'r', 0, 0, 0, 0x80, '.'}), "memo index 2147483648 is out of order (at byte 1)"},
        BytesAndSentence{"Ix\n.", "the text of an integer is not a number (at byte 0)"},
        BytesAndSentence{"Fx\n.", "the text of a floating-point number is not a number (at byte 0)"},
        BytesAndSentence{"\xff.", "unknown pickle opcode 0xff (at byte 0)"}));

INSTANTIATE_TEST_SUITE_P(Lengths, BrokenPickle,
    testing::Values(
        BytesAndSentence{bytesOf({'X', 0xff, 0xff, 0xff, 0xff}),
            "a text is longer than 64 MiB, unlike any in a snapshot (at byte 0)", ErrorCode::LimitExceeded},
        BytesAndSentence{bytesOf({0x8d, 0, 0, 0, 0, 0, 0, 0, 0x40}),
            "a text is longer than 64 MiB, unlike any in a snapshot (at byte 0)", ErrorCode::LimitExceeded},
        BytesAndSentence{bytesOf({'X', 9, 0, 0, 0, 'a'}),
            "the file ends in the middle of the snapshot (at byte 6)", ErrorCode::Truncated},
        BytesAndSentence{bytesOf({0x8e, 0, 0, 0, 0, 0, 0, 0, 0x40, 'a'}),
            "the file ends in the middle of the snapshot (at byte 10)", ErrorCode::Truncated}));

INSTANTIATE_TEST_SUITE_P(Execution, BrokenPickle,
    testing::Values(
        BytesAndSentence{"cos\nsystem\n.",
            "the pickle would load os.system, but a memory snapshot never runs code; refused (at byte 0)",
            ErrorCode::Refused},
        BytesAndSentence{"(ios\nsystem\n.",
            "the pickle would load os.system, but a memory snapshot never runs code; refused (at byte 1)",
            ErrorCode::Refused},
        BytesAndSentence{PickleWriter().text("posix").text("system").op(0x93).stop(),
            "the pickle would load posix.system, but a memory snapshot never runs code; refused (at byte 15)",
            ErrorCode::Refused},
        BytesAndSentence{"ca\x1b\nb\n.",
            "the pickle would load a\uFFFD.b, but a memory snapshot never runs code; refused (at byte 0)",
            ErrorCode::Refused},
        BytesAndSentence{
            "\x97.", "the pickle refers to buffers outside the file (at byte 0)", ErrorCode::Refused}));

class ExecutingOpcode : public testing::TestWithParam<int>
{
};

TEST_P(ExecutingOpcode, IsRefused)
{
    const auto error = readPickle(
        PickleWriter().none().none().op(static_cast<unsigned char>(GetParam())).raw("a\nb\n....").stop())
                           .error;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::Refused);
}

INSTANTIATE_TEST_SUITE_P(All, ExecutingOpcode,
    testing::Values('c', 'i', 0x93, 'R', 'b', 'o', 0x81, 0x92, 'P', 'Q', 0x82, 0x83, 0x84));

} // namespace highwater
