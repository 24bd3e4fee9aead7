#include "core/report/privacy/known_folders.h"

#include <gtest/gtest.h>

#include "core/report/strip_paths.h"
#include "core/trace/trace_builder.h"

namespace highwater {

namespace {

KnownFolders foldersOf(const std::string& file)
{
    TraceBuilder builder;
    const Frame frame{
        builder.strings().intern("step"), builder.strings().intern(file), 3, FrameKind::Python, {}};
    builder.stacks().internFrame(frame);
    KnownFolders folders;
    folders.learn(*builder.finish());
    return folders;
}

} // namespace

TEST(KnownFolders, AreRemovedWhereverTheyStandHoweverTheyAreSpelled)
{
    const KnownFolders quoted = foldersOf("/home/alice/\"><img src=x>/model.py");
    EXPECT_EQ(quoted.textWithoutFolders(
                  "step (/home/alice/\"><img src=x>/model.py:3), again /home/alice/\"><img src=x>/b.py"),
        "step (model.py:3), again b.py");
    EXPECT_EQ(
        foldersOf("My Project/gpt 2/model.py").textWithoutFolders("forward My Project/gpt 2/model.py:3"),
        "forward model.py:3");
    EXPECT_EQ(foldersOf("C:\\Jane Doe\\x.py").textWithoutFolders("C:\\Jane Doe\\x.py"), "x.py");
}

TEST(KnownFolders, AreRemovedAsTheyAreShown)
{
    EXPECT_EQ(foldersOf("/a \x1b b/x.py").textWithoutFolders("/a \uFFFD b/x.py"), "x.py");
}

TEST(KnownFolders, LeaveToTheRulesWhatTheseSee)
{
    EXPECT_EQ(foldersOf("/home/alice/x.py").textWithoutFolders("/home/alice/x.py"), "/home/alice/x.py");
    EXPECT_EQ(foldersOf("<string>").textWithoutFolders("<string>"), "<string>");
}

TEST(WithoutPaths, KnowsTheFoldersOfTheRunsFiles)
{
    Report report;
    report.title = "step (My Project/gpt 2/model.py:3)";
    EXPECT_EQ(withoutPaths(report, foldersOf("My Project/gpt 2/model.py")).title, "step (model.py:3)");
}

} // namespace highwater
