#include "core/run/workspace_file.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"
#include "tests/support/random_workspace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

/// Returns a workspace of the current version with these members.
std::string workspaceWith(const std::string& members)
{
    return R"({"format": "highwater-workspace", "version": 2, )" + members + "}";
}

std::string problemOfWorkspace(std::string_view json)
{
    const Result<ParsedWorkspace> read = workspaceFromJson(json);
    return read ? std::string() : toText(read.error());
}

std::string problemWith(const std::string& members)
{
    return problemOfWorkspace(workspaceWith(members));
}

std::string problemOfSource(const std::string& members)
{
    return problemWith(R"("sources": [{"role": "after", "path": "a"}, {)" + members + "}]");
}

std::string sampleText()
{
    return test::readWholeFile(test::samplePath("workspace/format-1.highwater"));
}

} // namespace

TEST(WorkspaceFile, WrittenAndReadAgainIsTheSame)
{
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const WorkspaceFile file = test::randomWorkspace(random);
        const Result<ParsedWorkspace> again = workspaceFromJson(workspaceToJson(file));
        ASSERT_TRUE(again) << toText(again.error()) << workspaceToJson(file);
        EXPECT_EQ(again->file, file) << workspaceToJson(file);
        EXPECT_EQ(again->warnings, std::vector<std::string>());
        EXPECT_EQ(again->version, kWorkspaceVersion);
    }
}

TEST(WorkspaceFile, WrittenTwiceIsTheSameText)
{
    std::mt19937 random(8);
    for (int round = 0; round < 50; ++round) {
        const std::string text = workspaceToJson(test::randomWorkspace(random));
        EXPECT_EQ(workspaceToJson(workspaceFromJson(text)->file), text);
    }
}

TEST(WorkspaceFile, OfVersionOneOpensWithAllItsContent)
{
    const Result<ParsedWorkspace> read = workspaceFromJson(sampleText());
    ASSERT_TRUE(read) << toText(read.error());
    EXPECT_EQ(read->version, 1);
    EXPECT_EQ(read->warnings, std::vector<std::string>());
    WorkspaceFile expected;
    expected.sources.resize(3);
    expected.sources[0].file = {"../pytorch-snapshot/r1-grpo-before.pickle.zst", "",
        "a031d22188d427eb22e522b1483a2adef6c55d310738ef9d8ca955a0a0644ca8", 87198};
    expected.sources[0].role = NoteRun::Before;
    expected.sources[0].isShown = true;
    expected.sources[1].file = {"../pytorch-snapshot/r1-grpo-after.pickle.zst", "",
        "8e53462d5ec49f13c366d84708e290c4a77a1e4174bcf377a565bb34c0dd1bfe", 110942};
    expected.sources[1].isShown = true;
    expected.sources[2].file = {"../logs/r2-grpo-memory.jsonl", "",
        "edefaf1dad0b1da6969ed75302b4945017ddcd3ffce5a8cdb2d44a49e9016159", 1694};
    expected.sources[2].offset = -3'600'250'000'000;
    expected.notes
        = {{NoteRun::Before, NotedMoment{5701}, "", "", "The peak", "Backward of the **first** step.", {}},
            {NoteRun::After, NotedRange{100, 900}, "", "", "Steps 2 to 4 <b>repeat</b>", "", {}},
            {NoteRun::After, NotedStep{2}, "", "", "Third step", "", {}},
            {NoteRun::After, NotedSite{"train.py:12 step"}, "", "", "Logits", "See `train.py`.", {}}};
    expected.view.open = "steps";
    EXPECT_EQ(read->file, expected);
}

TEST(WorkspaceFile, OfVersionOneSaysWhatIsWrongWithIt)
{
    const auto problem = [](const std::string& members) {
        return problemOfWorkspace(R"({"format": "highwater-workspace", "version": 1, )" + members + "}");
    };
    EXPECT_TRUE(test::hasParts(problem(R"("before": 1)"), {"version 1", "before is not a list"}));
    EXPECT_TRUE(test::hasParts(problem(R"("after": [1])"), {"version 1", "after ", "not an object"}));
    EXPECT_TRUE(test::hasParts(problem(R"("offsets_s": [1])"), {"version 1", "offsets_s is not an object"}));
    EXPECT_TRUE(
        test::hasParts(problem(R"("offsets_s": {"a": 1e300})"), {"version 1", "offsets_s ", "seconds"}));
    EXPECT_TRUE(test::hasParts(problem(R"("view": {})"), {"version 1", "view is not a string"}));
}

TEST(WorkspaceFile, OfALaterVersionIsRefused)
{
    EXPECT_TRUE(test::hasParts(
        problemOfWorkspace(R"({"format": "highwater-workspace", "version": 3})"), {"newer", "3", "up to 2"}));
}

TEST(WorkspaceFile, OfNoVersionIsWrong)
{
    EXPECT_EQ(
        problemOfWorkspace(R"({"format": "highwater-workspace"})"), "the workspace: version is missing");
    EXPECT_EQ(problemOfWorkspace(R"({"format": "highwater-workspace", "version": 0})"),
        "the workspace: version is below 1");
    EXPECT_EQ(problemOfWorkspace(R"({"format": "highwater-workspace", "version": "2"})"),
        "the workspace: version is not a number");
}

TEST(WorkspaceFile, TellsOtherDocumentsApart)
{
    EXPECT_EQ(workspaceFromJson("[]").error().code, ErrorCode::UnknownFormat);
    EXPECT_TRUE(test::hasParts(problemOfWorkspace(R"({"format": 7, "version": 2})"),
        {"not a workspace", "\"format\"", "\"highwater-workspace\""}));
}

TEST(WorkspaceFile, BrokenSaysAtWhichByte)
{
    EXPECT_EQ(problemOfWorkspace("{\"format\": oops}"), "the workspace is not JSON (at byte 11)");
    const std::string whole = sampleText();
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 2}) {
        const Result<ParsedWorkspace> read = workspaceFromJson(whole.substr(0, length));
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, ErrorCode::Truncated);
        EXPECT_EQ(read.error().place, Place::byte(length));
    }
}

TEST(WorkspaceFile, SaysWhichMemberIsWrong)
{
    EXPECT_EQ(problemWith(R"("sources": {})"), "the workspace: sources is not a list");
    EXPECT_TRUE(
        test::hasParts(problemOfSource(R"("path": "b")"), {"source 2: role ", "\"before\"", "\"after\""}));
    EXPECT_TRUE(test::hasParts(problemOfSource(R"("role": "after")"), {"source 2: path is missing"}));
    EXPECT_TRUE(test::hasParts(problemOfSource(R"("role": "after", "path": "b", "sha256": "abc")"),
        {"source 2: sha256 ", "64 hexadecimal digits"}));
    EXPECT_TRUE(test::hasParts(
        problemOfSource(R"("role": "after", "path": "b", "bytes": -1)"), {"source 2: bytes is below 0"}));
    EXPECT_TRUE(test::hasParts(
        problemOfSource(R"("role": "after", "path": "b", "capacity_bytes": 9223372036854775807)"),
        {"source 2: capacity_bytes is too large"}));
    EXPECT_TRUE(
        test::hasParts(problemOfSource(R"("role": "after", "path": "b", "offset_ns": -9223372036854775808)"),
            {"source 2: offset_ns ", "-4611686018427387903"}));
    EXPECT_TRUE(test::hasParts(problemWith(R"("notes": [{"at": 1}])"), {"note 1: at is not an object"}));
    EXPECT_TRUE(test::hasParts(problemWith(R"("rules": [{}])"), {"rule 1: \"category\" is missing"}));
    EXPECT_TRUE(
        test::hasParts(problemWith(R"("steps": {"markers": [2, 1]})"), {"steps.markers", "ascending"}));
    EXPECT_TRUE(
        test::hasParts(problemWith(R"("report": {"parts": [1]})"), {"report.parts ", "not a string"}));
    EXPECT_TRUE(test::hasParts(problemWith(R"("view": {"events": [3, 3]})"), {"view.events is empty"}));
    EXPECT_TRUE(test::hasParts(
        problemWith(R"("view": {"compare_events": [3]})"), {"view.compare_events is not a list of two"}));
    EXPECT_EQ(problemWith(R"("view": "steps")"), "the workspace: view is not an object");
    EXPECT_EQ(problemWith(R"("configuration": {})"), "the workspace: configuration.path is missing");
}

/// Everything that can be read can be written, and is unchanged when it is read again, even if the file was
/// damaged.
TEST(WorkspaceFile, DamagedIsRefusedOrReadAsItIsWritten)
{
    std::mt19937 random(3);
    std::size_t accepted = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = round % 2 == 0 ? sampleText() : workspaceToJson(test::randomWorkspace(random));
        for (int change = 0; change <= round % 3; ++change)
            text[random() % text.size()] = "{}[]\",:-0a1 \\"[random() % 13];
        const Result<ParsedWorkspace> read = workspaceFromJson(text);
        if (!read) {
            EXPECT_FALSE(read.error().message.empty());
            continue;
        }
        ++accepted;
        const Result<ParsedWorkspace> again = workspaceFromJson(workspaceToJson(read->file));
        ASSERT_TRUE(again) << toText(again.error()) << text;
        EXPECT_EQ(again->file, read->file) << text;
    }
    EXPECT_GT(accepted, 300u);
}

TEST(WorkspaceFile, KeepsWhatItDoesNotKnow)
{
    const Result<ParsedWorkspace> read
        = workspaceFromJson(workspaceWith(R"("later": {"a": [1, "x"]}, "also": null)"));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->file.rest, R"({"also":null,"later":{"a":[1,"x"]}})");
    const Result<ParsedWorkspace> again = workspaceFromJson(workspaceToJson(read->file));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->file, read->file);
}

TEST(WorkspaceFile, WarnsOfWhatItLeavesOut)
{
    const Result<ParsedWorkspace> read = workspaceFromJson(workspaceWith(R"("view": {"zoom": 2})"));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->warnings, std::vector<std::string>{"view.zoom is unknown and ignored"});
}

TEST(WorkspaceFile, IsKnownByItsFirstBytes)
{
    EXPECT_TRUE(looksLikeWorkspace(workspaceToJson({})));
    EXPECT_TRUE(looksLikeWorkspace(sampleText().substr(0, 40)));
    EXPECT_FALSE(looksLikeWorkspace(R"({"format": "highwater"})"));
    EXPECT_FALSE(looksLikeWorkspace(""));
    EXPECT_FALSE(looksLikeWorkspace("["));
}

TEST(WorkspaceFile, WritesPathsThatAreNoUtf8SoThatItCanBeReadAgain)
{
    WorkspaceFile file;
    file.sources.emplace_back().file.path = "bad\xff.pickle";
    const Result<ParsedWorkspace> read = workspaceFromJson(workspaceToJson(file));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->file.sources.front().file.path, "bad\xEF\xBF\xBD.pickle");
}

} // namespace highwater
