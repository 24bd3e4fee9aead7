#include "app/loading/files/workspace_store.h"

#include <gtest/gtest.h>

#include "app/loading/files/file_hash.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

/// A workspace in "project/run.highwater" that refers to "project/data/a.pickle".
class WorkspaceStoreTest : public testing::Test
{
protected:
    WorkspaceStoreTest()
    {
        WorkspaceFile file;
        file.sources.emplace_back().file = referenceTo(recording);
        file.sources.front().file.sha256 = *sha256OfFile(recording);
        EXPECT_TRUE(saveWorkspace(workspace, file));
    }

    fs::path at(const std::string& name) const { return folder.path() / name; }
    ResolvedSource resolved(const ResolveOptions& options = {}) const
    {
        const Result<OpenedWorkspace> opened = openWorkspace(workspace, options);
        EXPECT_TRUE(opened.has_value());
        return opened ? opened->sources.at(0) : ResolvedSource{};
    }
    WorkspaceReference saved() const { return readWorkspace(workspace)->file.sources.at(0).file; }

    test::TemporaryFolder folder;
    std::string recording = folder.write("project/data/a.pickle", "recorded");
    std::string workspace = (folder.path() / "project" / "run.highwater").string();
};

} // namespace

TEST_F(WorkspaceStoreTest, SavesPathsRelativeToItsFolder)
{
    EXPECT_EQ(saved().path, "data/a.pickle");
    EXPECT_EQ(saved().bytes, 8u);
}

TEST_F(WorkspaceStoreTest, FindsAFileWhereItWas)
{
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Found, recording}));
}

TEST_F(WorkspaceStoreTest, FindsFilesThatMovedTogetherWithIt)
{
    fs::rename(at("project"), at("elsewhere"));
    workspace = at("elsewhere/run.highwater").string();
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Found, at("elsewhere/data/a.pickle").string()}));
}

TEST_F(WorkspaceStoreTest, FindsAFileThatStayedWhereItWasWhenTheWorkspaceMoved)
{
    fs::create_directory(at("mail"));
    fs::rename(workspace, at("mail/run.highwater"));
    workspace = at("mail/run.highwater").string();
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Found, recording}));
}

TEST_F(WorkspaceStoreTest, FindsARenamedFileByItsHash)
{
    fs::create_directories(at("project/other/deeper"));
    fs::rename(recording, at("project/other/deeper/b.bin"));
    folder.write("project/other/decoy.pickle", "decoyed!"); // the same length with another content
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Moved, at("project/other/deeper/b.bin").string()}));
}

TEST_F(WorkspaceStoreTest, DoesNotSearchDeeperThanTwoFolders)
{
    fs::create_directories(at("project/1/2/3"));
    fs::rename(recording, at("project/1/2/3/a.pickle"));
    EXPECT_EQ(resolved().state, SourceState::Missing);
}

TEST_F(WorkspaceStoreTest, SearchesTheFoldersThatItIsTold)
{
    fs::create_directory(at("archive"));
    fs::rename(recording, at("archive/a.pickle"));
    EXPECT_EQ(resolved().state, SourceState::Missing);
    ResolveOptions options;
    options.folders = {at("archive").string()};
    EXPECT_EQ(resolved(options), (ResolvedSource{SourceState::Moved, at("archive/a.pickle").string()}));
}

TEST_F(WorkspaceStoreTest, TellsAnotherFileInTheSamePlace)
{
    folder.write("project/data/a.pickle", "other one");
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Changed, recording}));
    EXPECT_NE(stateText(saved(), resolved()).find("9 B instead of 8 B"), std::string::npos);
}

TEST_F(WorkspaceStoreTest, TellsAnotherFileOfTheSameSize)
{
    folder.write("project/data/a.pickle", "recoded!");
    EXPECT_EQ(resolved().state, SourceState::Changed);
    EXPECT_NE(stateText(saved(), resolved()).find("same size"), std::string::npos);
}

TEST_F(WorkspaceStoreTest, PrefersTheSameContentElsewhereToAnotherFileInItsPlace)
{
    fs::rename(recording, at("project/kept.pickle"));
    folder.write("project/data/a.pickle", "recoded!");
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Moved, at("project/kept.pickle").string()}));
}

TEST_F(WorkspaceStoreTest, NeverGuessesByName)
{
    fs::remove(recording);
    folder.write("project/a.pickle", "other one");
    EXPECT_EQ(resolved(), (ResolvedSource{SourceState::Missing, recording}));
}

TEST_F(WorkspaceStoreTest, OpensNoPipesAndFolders)
{
    fs::remove(recording);
    fs::create_directory(recording);
    EXPECT_EQ(resolved().state, SourceState::Missing);
}

/// Reading such a file would wait for the kernel's next message.
TEST_F(WorkspaceStoreTest, OpensNothingThatTheKernelMakesUp)
{
    WorkspaceFile file = readWorkspace(workspace)->file;
    WorkspaceReference& reference = file.sources.front().file;
    for (const char* path : {"/proc/kmsg", "/proc/self/status"}) {
        reference = {path, {}, reference.sha256, 0};
        test::TemporaryFolder other;
        const std::string text = workspaceToJson(file);
        const Result<OpenedWorkspace> opened = openWorkspace(other.write("run.highwater", text), {});
        ASSERT_TRUE(opened);
        EXPECT_EQ(opened->sources.at(0).state, SourceState::Missing) << path;
    }
}

TEST_F(WorkspaceStoreTest, FindsAFileOnceHoweverItsPathIsWritten)
{
    WorkspaceFile file = readWorkspace(workspace)->file;
    file.sources.front().file.path.clear();
    file.sources.front().file.lastSeen = at("project/./x/../data/a.pickle").string();
    const Result<OpenedWorkspace> opened
        = openWorkspace(folder.write("run.highwater", workspaceToJson(file)), {});
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->sources.at(0), (ResolvedSource{SourceState::Found, recording}));
}

TEST_F(WorkspaceStoreTest, TakesTheSizeWhereNoHashIsKnown)
{
    WorkspaceFile file;
    file.sources.emplace_back().file = referenceTo(recording);
    ASSERT_TRUE(saveWorkspace(workspace, file));
    EXPECT_EQ(resolved().state, SourceState::Found);
    folder.write("project/data/a.pickle", "longer than before");
    EXPECT_EQ(resolved().state, SourceState::Changed);
}

TEST_F(WorkspaceStoreTest, FindsTheConfigurationToo)
{
    WorkspaceFile file = readWorkspace(workspace)->file;
    file.configuration = referenceTo(folder.write("project/run.yaml", "batch: 8\n"));
    ASSERT_TRUE(saveWorkspace(workspace, file));
    const Result<OpenedWorkspace> opened = openWorkspace(workspace, {});
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->sources.size(), 1u);
    EXPECT_EQ(opened->configuration, (ResolvedSource{SourceState::Found, at("project/run.yaml").string()}));
}

TEST_F(WorkspaceStoreTest, StopsWhenItIsAsked)
{
    ResolveOptions options;
    options.stop.requestStop();
    EXPECT_EQ(openWorkspace(workspace, options).error().code, ErrorCode::Cancelled);
}

TEST_F(WorkspaceStoreTest, KeepsTheOldFileWhereItCannotBeSaved)
{
    const std::string before = test::readWholeFile(workspace);
    EXPECT_EQ(saveWorkspace(at("project/data/a.pickle/x").string(), {}).error().message,
        "cannot be saved: its folder is a file");
    EXPECT_EQ(test::readWholeFile(workspace), before);
}

TEST_F(WorkspaceStoreTest, KnowsWorkspacesByContentAndByName)
{
    EXPECT_TRUE(isWorkspaceFile(workspace));
    EXPECT_TRUE(isWorkspaceFile(folder.write("copy.json", test::readWholeFile(workspace))));
    EXPECT_TRUE(isWorkspaceFile(folder.write("broken.highwater", "{")));
    EXPECT_FALSE(isWorkspaceFile(recording));
    EXPECT_FALSE(isWorkspaceFile("-"));
}

TEST(WorkspaceSamples, OfVersionOneFindsItsFiles)
{
    const Result<OpenedWorkspace> opened
        = openWorkspace(test::samplePath("workspace/format-1.highwater"), {});
    ASSERT_TRUE(opened);
    ASSERT_EQ(opened->sources.size(), 3u);
    for (const ResolvedSource& source : opened->sources)
        EXPECT_EQ(source.state, SourceState::Found) << source.path;
}

} // namespace highwater
