#include "app/loading/source_code/source_lines.h"

#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

using Texts = std::vector<std::string>;

std::shared_ptr<const Trace> traceWithFrame(const std::string& place)
{
    return test::traceFromText("stack s = " + place + " forward\nalloc a 512 @s\nend\n");
}

SourceAnswer textSource(const Trace& trace, const std::string& folder = "")
{
    return findSource(trace, trace.stacks.innermost(trace.events.stack[0]), folder);
}

} // namespace

TEST(SourceLines, AreTheLineAndTwoNeighboursOnEachSide)
{
    const auto found = sourceLines("1\n2\n3\n4\n5\n6\n7\n", 4);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first, 2);
    EXPECT_EQ(found->texts, (Texts{"2", "3", "4", "5", "6"}));
}

TEST(SourceLines, EndWithTheFile)
{
    EXPECT_EQ(sourceLines("1\n2\n3", 1), (SourceLines{1, {"1", "2", "3"}}));
    EXPECT_EQ(sourceLines("1\n2\n3", 3), (SourceLines{1, {"1", "2", "3"}}));
    EXPECT_EQ(sourceLines("1\n2\n3\n", 4), std::nullopt);
    EXPECT_EQ(sourceLines("", 1), std::nullopt);
    EXPECT_EQ(sourceLines("1\n", 2'147'483'647), std::nullopt);
}

TEST(SourceLines, LoseTheirCommonIndentation)
{
    EXPECT_EQ(sourceLines("    if x:\r\n\r\n\t    return 1\r\n", 2),
        (SourceLines{1, {"if x:", "", "    return 1"}}));
}

TEST(SourceLines, AreCutBetweenCharacters)
{
    std::string line;
    for (std::size_t i = 0; i < kMaxLineCharacters; ++i)
        line += "ä";
    EXPECT_EQ(sourceLines(line, 1)->texts, Texts{line});
    EXPECT_EQ(sourceLines(line + "b", 1)->texts, Texts{line + "…"});
}

TEST(FrameSource, IsReadFromTheRecordedPath)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("model.py", "a\nb\nc\n");
    const SourceAnswer answer = textSource(*traceWithFrame(path + ":2"));
    EXPECT_EQ(answer.path, path);
    ASSERT_TRUE(answer.lines) << answer.problem;
    EXPECT_EQ(answer.lines->texts, (Texts{"a", "b", "c"}));
}

TEST(FrameSource, IsTakenFromTheRecordingFirst)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("model.py", "changed since\n");
    const Result<ImportedTrace> imported = test::importBytes(
        R"({"segments": [], "device_traces": [[{"action": "alloc", "addr": 4096, "size": 512, "stream": 0,
        "frames": [{"name": "forward", "line": 1, "filename": ")"
        + path + R"("}]}]], "source_code": {")" + path + R"(": "as it ran\n"}})");
    ASSERT_TRUE(imported);
    const SourceAnswer answer = textSource(*imported->trace);
    EXPECT_TRUE(answer.isRecorded);
    ASSERT_TRUE(answer.lines);
    EXPECT_EQ(answer.lines->texts, Texts{"as it ran"});
    EXPECT_EQ(answer.path, path);
}

TEST(FrameSource, AsksForAFolderIfItIsNotFound)
{
    const auto trace = traceWithFrame("/nowhere/grpo/model.py:1");
    const SourceAnswer without = textSource(*trace);
    EXPECT_EQ(without.problem, "Source not found: /nowhere/grpo/model.py");
    EXPECT_TRUE(without.needsFolder);
    const test::TemporaryFolder folder;
    const std::string path = folder.write("grpo/model.py", "x\n");
    EXPECT_EQ(textSource(*trace, folder.path().string()).path, path);
}

TEST(FrameSource, SaysThatTheLineIsMissing)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("model.py", "a\n");
    const SourceAnswer answer = textSource(*traceWithFrame(path + ":9"));
    EXPECT_EQ(answer.problem, path + " has no line 9: it is not the file that ran");
    EXPECT_FALSE(answer.lines);
}

TEST(FrameSource, IsNoLargeFile)
{
    const test::TemporaryFolder folder;
    const std::string path = folder.write("model.py", std::string(kMaxSourceBytes + 1, '\n'));
    const SourceAnswer answer = textSource(*traceWithFrame(path + ":1"));
    EXPECT_EQ(answer.problem, path + " is larger than 4 MiB");
}

TEST(FrameSource, IsNotLookedForWithoutALine)
{
    const SourceAnswer answer = textSource(*traceWithFrame("??:0"));
    EXPECT_EQ(answer.problem, "No source line was recorded for this frame");
    EXPECT_FALSE(answer.needsFolder);
}

} // namespace highwater
