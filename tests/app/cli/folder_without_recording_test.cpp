#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

constexpr const char* kSentence = ": has no recording and no log with memory figures\n";

class FolderWithoutRecording : public testing::TestWithParam<bool>
{
protected:
    FolderWithoutRecording()
    {
        if (GetParam()) {
            folder.write("README.md", "# How to train\n");
            folder.write("config.yaml", "batch: 4\n");
        }
    }
    test::TemporaryFolder folder;
    std::string path = folder.path().string();
};

} // namespace

TEST_P(FolderWithoutRecording, FailsEveryCommandThatTakesFolders)
{
    for (const std::vector<std::string>& arguments :
        {std::vector<std::string>{"info", path}, {"check", path, "--max-peak", "1TiB"}, {"findings", path},
            {"report", path, "-o", "-", "--json"}}) {
        const test::ProgramRun run = test::runHighwater(arguments);
        EXPECT_EQ(run.exitCode, 3) << arguments.front();
        EXPECT_EQ(run.err, "highwater: " + path + kSentence) << arguments.front();
        EXPECT_TRUE(run.out.empty()) << arguments.front() << ": " << run.out;
    }
}

TEST_P(FolderWithoutRecording, IsNoPassInJson)
{
    const test::ProgramRun run = test::runHighwater({"check", path, "--max-peak", "1TiB", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_NE(run.out.find("\"ok\": false"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\"error\": \"has no recording"), std::string::npos) << run.out;
}

TEST_P(FolderWithoutRecording, DoesNotHideOneThatHasSome)
{
    const std::string ranks = test::samplePath("ranks");
    const test::ProgramRun run = test::runHighwater({"check", ranks, path, "--max-peak", "1TiB"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_NE(run.out.find("rank3_snapshot"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(EmptyAndWithTexts, FolderWithoutRecording, testing::Bool(),
    [](const auto& folder) { return folder.param ? "WithTexts" : "Empty"; });

} // namespace highwater::cli
