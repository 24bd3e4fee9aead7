#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/program/program_commands.h"
#include "tests/support/program/started_program.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

/// Expects the command to refuse an impossible output with this exit code and sentence.
void expectRefused(const test::ProgramCommand& command, const fs::path& out, bool isForced, int exitCode,
    const std::string& sentence, const std::function<void()>& inChild = {})
{
    test::Words words = test::wordsOf(command, test::kFragmentedFile, {}, out.string());
    if (isForced)
        words.emplace_back("--force");
    const test::ProgramRun run = test::runHighwater(words, {.inChild = inChild});
    EXPECT_EQ(run.exitCode, exitCode);
    EXPECT_EQ(run.err, "highwater: " + out.string() + command.ending + ": " + sentence + "\n");
}

} // namespace

class OutputPlace : public testing::TestWithParam<test::ProgramCommand>
{
};

TEST_P(OutputPlace, MayBeAFolderThatIsMissing)
{
    const test::TemporaryFolder folder;
    expectRefused(
        GetParam(), folder.path() / "none/out", false, 3, "cannot be saved: its folder does not exist");
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_P(OutputPlace, MayBeAFolderItself)
{
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / ("out" + GetParam().ending));
    expectRefused(GetParam(), folder.path() / "out", false, 2, "already exists; --force replaces it");
    expectRefused(GetParam(), folder.path() / "out", true, 3, "cannot be saved: it is a folder");
    EXPECT_TRUE(fs::is_empty(folder.path() / ("out" + GetParam().ending)));
}

TEST_P(OutputPlace, MayBeTooLongAName)
{
    const test::TemporaryFolder folder;
    expectRefused(
        GetParam(), folder.path() / std::string(300, 'o'), false, 3, "cannot be saved: its name is too long");
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_P(OutputPlace, MayBeAFolderThatNobodyMayWriteTo)
{
    if (test::runHighwater({"info", test::kFragmentedFile}, {.inChild = test::becomeNobody}).exitCode != 0)
        GTEST_SKIP() << "skipped: another user may not read the samples here";
    const test::TemporaryFolder folder;
    fs::permissions(folder.path(), static_cast<fs::perms>(0555));
    expectRefused(GetParam(), folder.path() / "out", false, 3,
        "cannot be saved: no permission to write in its folder", test::becomeNobody);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

/// Starts both at the same time, repeatedly. The file must be the complete output of one of them.
TEST_P(OutputPlace, MayBeThatOfAnotherProgram)
{
    const test::TemporaryFolder folder;
    const std::string said = folder.write("said", "");
    const std::string out = (folder.path() / "out").string();
    std::vector<std::string> contents;
    std::vector<test::Words> both;
    for (const std::string& file : {test::kFragmentedFile, test::kTooBigFile}) {
        test::Words words = test::wordsOf(GetParam(), file, {}, out);
        words.emplace_back("--force");
        ASSERT_EQ(test::runHighwater(words).exitCode, 0);
        contents.push_back(test::readWholeFile(out + GetParam().ending));
        both.push_back(std::move(words));
    }
    const auto filesBefore = std::distance(fs::directory_iterator(folder.path()), {});
    for (int round = 0; round < 2; ++round) {
        test::StartedProgram one(both[0], said);
        test::StartedProgram other(both[1], said);
        EXPECT_EQ(one.wait(), 0) << test::readWholeFile(said);
        EXPECT_EQ(other.wait(), 0) << test::readWholeFile(said);
        const std::string left = test::readWholeFile(out + GetParam().ending);
        EXPECT_TRUE(left == contents[0] || left == contents[1]) << left.size();
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), filesBefore);
}

INSTANTIATE_TEST_SUITE_P(Of, OutputPlace, testing::ValuesIn(test::writingCommands()), test::nameOfCommand);

TEST(OutputOfARehearsal, IsTriedBeforeTheScriptRuns)
{
    const test::TemporaryFolder folder;
    const std::string ran = (folder.path() / "ran").string();
    const test::Words script{"--", "/bin/sh", "-c", "touch " + ran};
    for (const char* option : {"--out", "--trace", "--labels"}) {
        const std::string out = (folder.path() / "none/out.pickle").string();
        test::Words words{"rehearse", "--gpu", "L4", option, out};
        if (std::string_view(option) != "--out")
            words.insert(words.end(), {"--out", (folder.path() / "snapshot.pickle").string()});
        words.insert(words.end(), script.begin(), script.end());
        const test::ProgramRun run = test::runHighwater(words);
        EXPECT_EQ(run.exitCode, 3);
        EXPECT_TRUE(run.err.starts_with("highwater: " + out + ": cannot be saved")) << run.err;
        EXPECT_TRUE(fs::is_empty(folder.path()));
    }
}

} // namespace highwater::cli
