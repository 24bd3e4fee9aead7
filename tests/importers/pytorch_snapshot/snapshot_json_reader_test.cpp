#include "importers/pytorch_snapshot/snapshot_json_reader.h"

#include <gtest/gtest.h>

#include "tests/support/piecewise_source.h"
#include "tests/support/plain_factory.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

struct Reading
{
    std::string value;
    std::optional<Error> error;
};

Reading readJson(const std::string& text, std::size_t piece = 1 << 16, std::uint64_t maxMemoryBytes = 1 << 30)
{
    test::PiecewiseSource source(text, piece);
    test::PlainFactory factory;
    const JsonOutcome outcome = readSnapshotJson(source, factory, maxMemoryBytes);
    return {factory.render(outcome.root), outcome.error};
}

const char* const kText
    = R"({"a": [1, -2, 3.5, true, null, "x\u00fc"], "pool": [0, 1], "empty": [], "none": {}, "big": 18446744073709551615, "deep": {"b": [[{}]]}})";

} // namespace

TEST(SnapshotJson, ReadsEveryKindOfValue)
{
    EXPECT_EQ(readJson(kText).value,
        "{'a': [1, -2, 3.5, True, None, 'xü'], 'pool': (0, 1), 'empty': [], 'none': {}, 'big': "
        "18446744073709551615, 'deep': {'b': [[{}]]}}");
}

TEST(SnapshotJson, ReadsTheSameInPiecesOfAnySize)
{
    for (const std::size_t piece : {1u, 2u, 7u, 64u})
        EXPECT_EQ(readJson(kText, piece).value, readJson(kText).value);
}

TEST(SnapshotJson, KeepsListsLongerThanABatchWhole)
{
    std::string text = "[";
    std::string wanted;
    for (int i = 0; i < 2500; ++i) {
        text += (i ? "," : "") + std::to_string(i);
        wanted += (i ? ", " : "") + std::to_string(i);
    }
    EXPECT_EQ(readJson(text + "]").value, "[" + wanted + "]");
}

TEST(SnapshotJson, CutAnywhereIsTruncatedAndGivesWhatStoodBefore)
{
    const std::string text = kText;
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
        const Reading reading = readJson(text.substr(0, cut), 5);
        ASSERT_TRUE(reading.error) << cut;
        ASSERT_EQ(reading.error->code, ErrorCode::Truncated) << text.substr(0, cut);
        ASSERT_EQ(reading.error->place, Place::byte(cut));
        ASSERT_EQ(reading.value[0], '{') << cut;
    }
    EXPECT_EQ(readJson(text.substr(0, 20)).value.substr(0, 12), "{'a': [1, -2");
}

TEST(SnapshotJson, SaysWhereItIsNotJson)
{
    const Reading reading = readJson(R"({"a": [1, oops]})");
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(toText(*reading.error), "is not valid JSON (at byte 10)");
    EXPECT_EQ(reading.value, "{'a': [1]}");
}

TEST(SnapshotJson, RefusesNestingWithoutUsingTheStack)
{
    const Reading reading = readJson(std::string(100'000, '['));
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded);
    EXPECT_EQ(reading.error->place, Place::byte(201));
}

TEST(SnapshotJson, BoundsItsMemory)
{
    std::string text = "[";
    for (int i = 0; i < 50'000; ++i)
        text += std::string(i ? "," : "") + "[]";
    const Reading reading = readJson(text + "]", 1 << 16, 1 << 20);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded);
}

TEST(SnapshotJson, BoundsWhatStandsBetweenTwoValues)
{
    for (const std::string& text : {"[1, \"" + std::string(20'000'000, 'x') + "\"]",
             "[1, " + std::string(20'000'000, ' ') + "2]", "[1, " + std::string(20'000'000, '9') + "]"}) {
        const Reading reading = readJson(text);
        ASSERT_TRUE(reading.error);
        EXPECT_TRUE(test::hasParts(reading.error->message, {"16 MiB"}));
        EXPECT_EQ(reading.value, "[1]");
    }
}

TEST(SnapshotJson, PassesOnAnErrorOfItsSource)
{
    test::PiecewiseSource source("{\"a\": 1, ", 100, Error{ErrorCode::CannotRead, "gone", {}});
    test::PlainFactory factory;
    const JsonOutcome outcome = readSnapshotJson(source, factory, 1 << 30);
    ASSERT_TRUE(outcome.error);
    EXPECT_EQ(outcome.error->message, "gone");
    EXPECT_EQ(factory.render(outcome.root), "{'a': 1}");
}

TEST(SnapshotJson, IgnoresWhatFollowsTheValue)
{
    EXPECT_FALSE(readJson("{} trailing").error);
}

} // namespace highwater
