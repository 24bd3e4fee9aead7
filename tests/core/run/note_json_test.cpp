#include "core/run/note_json.h"

#include <random>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/run/note_json_value.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_workspace.h"

namespace highwater {

namespace {

Note onlyNoteOf(std::string_view json)
{
    const Result<ParsedNotes> read = parseNotes(json);
    EXPECT_TRUE(read.has_value()) << (read ? "" : toText(read.error()));
    return read && read->notes.size() == 1 ? read->notes.front() : Note{};
}

NotePlace placeOf(const std::string& at)
{
    return onlyNoteOf("[{\"at\": " + at + "}]").place;
}

std::string problemOfNotes(std::string_view json)
{
    const Result<ParsedNotes> read = parseNotes(json);
    return read ? std::string() : toText(read.error());
}

std::string problemAt(const std::string& at)
{
    return problemOfNotes("[{}, {\"at\": " + at + "}]");
}

} // namespace

TEST(NoteJson, IsReadAsTheManualWritesIt)
{
    const Note note
        = onlyNoteOf(R"([{"title": "Peak", "text": "**here**", "run": "before", "file": "a.pickle",
        "device": "cuda:1", "color": "blue", "at": {"event": 5}}])");
    EXPECT_EQ(note,
        (Note{NoteRun::Before, NotedMoment{5}, "a.pickle", "cuda:1", "Peak", "**here**", NoteColor::Blue}));
}

TEST(NoteJson, OfNothingButBracesIsAboutTheWholeRunAfter)
{
    EXPECT_EQ(onlyNoteOf("[{}]"), Note{});
    EXPECT_EQ(onlyNoteOf(R"([{"at": {}}])"), Note{});
    EXPECT_EQ(onlyNoteOf(R"([{"at": null, "title": null}])"), Note{});
}

TEST(NoteJson, CanStandAsNotesOfAnObject)
{
    EXPECT_EQ(onlyNoteOf(R"({"notes": [{"title": "a"}]})").title, "a");
}

TEST(NoteJson, KnowsEveryKindOfPlace)
{
    EXPECT_EQ(placeOf(R"({"event": -1})"), NotePlace(NotedMoment{-1}));
    EXPECT_EQ(placeOf(R"({"range": [1, 9]})"), NotePlace(NotedRange{1, 9}));
    EXPECT_EQ(placeOf(R"({"step": 2})"), NotePlace(NotedStep{2}));
    EXPECT_EQ(placeOf(R"({"allocation": {"event": 7}})"), NotePlace(NotedAllocation{7, 0}));
    EXPECT_EQ(placeOf(R"({"allocation": {"address": "0x7f064c000000"}})"),
        NotePlace(NotedAllocation{-1, 0x7f064c000000}));
    EXPECT_EQ(placeOf(R"({"site": "a.py:1 f"})"), NotePlace(NotedSite{"a.py:1 f"}));
    EXPECT_EQ(placeOf(R"({"row": {"group": "site", "key": "k"}})"), NotePlace(NotedRow{"site", "k"}));
    EXPECT_EQ(placeOf(R"({"line": 72})"), NotePlace(NotedLine{72}));
}

TEST(NoteJson, SaysWhichNoteAndWhichMemberIsWrong)
{
    EXPECT_TRUE(test::hasParts(problemOfNotes("7"), {"not a list", "[{\"title\": …}, …]"}));
    EXPECT_EQ(problemOfNotes("[{}, 7]"), "note 2 is not an object");
    EXPECT_EQ(problemOfNotes(R"([{"title": 7}])"), "note 1: title is not a string");
    EXPECT_TRUE(
        test::hasParts(problemOfNotes(R"([{"run": "later"}])"), {"note 1: run ", "\"before\"", "\"after\""}));
    EXPECT_TRUE(
        test::hasParts(problemOfNotes(R"([{"color": "pink"}])"), {"note 1: color ", "red, orange, green"}));
    EXPECT_EQ(problemAt("5"), "note 2: at is not an object");
    EXPECT_EQ(problemAt(R"({"event": "5"})"), "note 2: at.event is not a number");
    EXPECT_EQ(problemAt(R"({"event": 5.5})"), "note 2: at.event is not a whole number");
    EXPECT_EQ(problemAt(R"({"event": -2})"), "note 2: at.event is below -1");
    EXPECT_EQ(problemAt(R"({"event": 9223372036854775808})"), "note 2: at.event is too large");
    EXPECT_EQ(problemAt(R"({"event": 4611686018427387904})"), "note 2: at.event is too large");
    EXPECT_TRUE(test::hasParts(problemAt(R"({"range": [1]})"), {"note 2: at.range ", "two numbers"}));
    EXPECT_TRUE(test::hasParts(problemAt(R"({"range": [9, 9]})"), {"note 2: at.range is empty"}));
    EXPECT_EQ(problemAt(R"({"step": -1})"), "note 2: at.step is below 0");
    EXPECT_TRUE(test::hasParts(problemAt(R"({"allocation": {}})"), {"note 2: at.allocation ", "neither"}));
    EXPECT_TRUE(test::hasParts(problemAt(R"({"allocation": {"address": "0xzz"}})"),
        {"note 2: at.allocation.address ", "\"0x7f064c000000\""}));
    EXPECT_EQ(problemAt(R"({"site": 1})"), "note 2: at.site is not a string");
    EXPECT_EQ(problemAt(R"({"row": {"key": "k"}})"), "note 2: at.row.group is missing");
    EXPECT_EQ(problemAt(R"({"line": 0})"), "note 2: at.line is below 1");
    EXPECT_TRUE(
        test::hasParts(problemAt(R"({"event": 1, "step": 2})"), {"note 2: at ", "both event and step"}));
}

TEST(NoteJson, SaysAtWhichByteItIsNoJson)
{
    EXPECT_TRUE(test::hasParts(problemOfNotes("[{}, }]"), {"not JSON (at byte 5)"}));
    EXPECT_TRUE(test::hasParts(problemOfNotes("[{}"), {"ends too early (at byte 3)"}));
    EXPECT_TRUE(test::hasParts(problemOfNotes(""), {"ends too early (at byte 0)"}));
    EXPECT_TRUE(test::hasParts(problemOfNotes("[\"\xff\"]"), {"not JSON (at byte 2)"}));
}

TEST(NoteJson, LeavesOutWhatItDoesNotKnowAndSaysSo)
{
    const Result<ParsedNotes> read = parseNotes(R"([{"author": "me", "at": {"step": 1, "colour": 2}}])");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->notes, (Notes{{NoteRun::After, NotedStep{1}, "", "", "", "", {}}}));
    ASSERT_EQ(read->warnings.size(), 2u);
    EXPECT_TRUE(test::hasParts(read->warnings[0], {"note 1: at.colour "}));
    EXPECT_TRUE(test::hasParts(read->warnings[1], {"note 1: author "}));
}

TEST(NoteJson, WarnsOfFewUnknownMembersOnly)
{
    std::string json = "[{";
    for (int i = 0; i < 1000; ++i)
        json += "\"key" + std::to_string(i) + "\": 1, ";
    const Result<ParsedNotes> read = parseNotes(json + "\"title\": \"a\"}]");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->warnings.size(), 21u);
    EXPECT_EQ(read->warnings.back(), "more members are unknown and ignored");
}

TEST(NoteJson, KeepsWithinTheLimitsOfNotes)
{
    EXPECT_TRUE(parseNotes("[{\"title\": \"" + std::string(kMaxNoteTitleBytes, 'a') + "\"}]"));
    EXPECT_TRUE(
        test::hasParts(problemOfNotes("[{\"title\": \"" + std::string(kMaxNoteTitleBytes + 1, 'a') + "\"}]"),
            {"note 1: title ", "1,001 bytes", "1,000"}));
    EXPECT_TRUE(
        test::hasParts(problemOfNotes("[{\"text\": \"" + std::string(kMaxNoteTextBytes + 1, 'a') + "\"}]"),
            {"note 1: text ", "100,001 bytes", "100,000"}));
    std::string many = "[{}";
    for (std::size_t i = 0; i < kMaxNotes; ++i)
        many += ",{}";
    EXPECT_TRUE(test::hasParts(problemOfNotes(many + "]"), {"10,001 notes", "10,000"}));
}

TEST(NoteJson, IsNotReadDeeperThanItCanBe)
{
    EXPECT_TRUE(
        test::hasParts(problemOfNotes(std::string(1'000'000, '[')), {"64 MiB, 64 levels, 2,000,000 values"}));
}

TEST(NoteJson, TitlesAreOneLine)
{
    EXPECT_EQ(onlyNoteOf(R"([{"title": "a\r\nb\nc"}])").title, "a  b c");
}

TEST(NoteJson, WrittenAndReadAgainIsTheSame)
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const Notes notes = test::randomNotes(random);
        const std::string text = jsonOf(notes).dump();
        const Result<ParsedNotes> again = parseNotes(text);
        ASSERT_TRUE(again) << toText(again.error());
        EXPECT_EQ(again->notes, notes) << text;
        EXPECT_EQ(again->warnings, std::vector<std::string>());
    }
}

} // namespace highwater
