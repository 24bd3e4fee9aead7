#include <csignal>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/program/own_mounts.h"
#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;

std::string namesIn(const fs::path& folder)
{
    std::string names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        names += entry.path().filename().string() + ' ';
    return names;
}

/// Describes how a command mishandled a full disk or another reason why its output cannot be saved; empty if
/// it did not.
std::string complaintOf(const test::ProgramCommand& command, const fs::path& folder, bool isOldThere,
    const std::string& reason, const test::RunOptions& options = {})
{
    const std::string old = "old" + command.ending;
    const std::string before = namesIn(folder);
    test::Words words = test::wordsOf(
        command, test::kGrpoFile, test::kFragmentedFile, (folder / (isOldThere ? "old" : "new")).string());
    if (isOldThere)
        words.emplace_back("--force");
    const test::ProgramRun run = test::runHighwater(words, options);
    const bool isTold = test::isOneLine(run.err) && run.err.ends_with("cannot be saved: " + reason + "\n");
    const std::string after = namesIn(folder);
    const bool isKept = !isOldThere || test::readWholeFile(folder / old) == "old";
    return run.exitCode == 3 && isTold && isKept && after == before
        ? std::string()
        : fmt::format("{}: {} {} left: {}\n", command.name, run.exitCode, run.err, after);
}

/// Writes until no space is free.
void fillUp(const fs::path& path)
{
    std::ofstream file(path, std::ios::binary);
    const std::string piece(4096, 'f');
    while (file.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush()) { }
}

std::string complaintsOnAFullDisk(const fs::path& folder)
{
    std::string complaints;
    for (const test::ProgramCommand& command : test::writingCommands()) {
        std::ofstream(folder / ("old" + command.ending)) << "old";
        fillUp(folder / "filler");
        for (const bool isOldThere : {false, true})
            complaints += complaintOf(command, folder, isOldThere, "no space left on the disk");
        fs::remove(folder / "filler");
        fs::remove(folder / ("old" + command.ending));
    }
    return complaints;
}

} // namespace

TEST(FullDisk, LeavesNothingNewAndAllThatWasThere)
{
    const test::TemporaryFolder folder;
    const std::optional<std::string> complaints = test::withSmallDisk(
        folder.path().string(), "64k", [&] { return complaintsOnAFullDisk(folder.path()); });
    if (!complaints)
        GTEST_SKIP() << "skipped: no disk can be mounted here";
    EXPECT_EQ(*complaints, "");
}

/// Larger than any message.
constexpr std::uint64_t kMaxBytes = 300;

/// Returns the commands whose output is larger than that.
std::vector<test::ProgramCommand> commandsOfLargeFiles()
{
    std::vector<test::ProgramCommand> commands = test::writingCommands();
    std::erase_if(commands, [](const test::ProgramCommand& command) {
        return command.name == "export_steps_csv" || command.name == "export_stacks_csv";
    });
    return commands;
}

class LimitOfFileSizes : public testing::TestWithParam<test::ProgramCommand>
{
};

/// Sets the same limit as `ulimit -f`. SIGXFSZ ends a program that does not ignore it.
TEST_P(LimitOfFileSizes, LeavesNothingNewAndAllThatWasThere)
{
    const test::TemporaryFolder folder;
    folder.write("old" + GetParam().ending, "old");
    for (const bool isOldThere : {false, true})
        EXPECT_EQ(complaintOf(GetParam(), folder.path(), isOldThere, "it exceeds the largest file size here",
                      {.limits = {{RLIMIT_FSIZE, kMaxBytes}}}),
            "");
}

INSTANTIATE_TEST_SUITE_P(
    Of, LimitOfFileSizes, testing::ValuesIn(commandsOfLargeFiles()), test::nameOfCommand);

TEST(DeviceAsOutput, IsNeverReplaced)
{
    const test::TemporaryFolder folder;
    for (const test::ProgramCommand& command : test::writingCommands()) {
        const fs::path out = folder.path() / ("out" + command.ending);
        fs::create_symlink("/dev/full", out);
        test::Words words
            = test::wordsOf(command, test::kFragmentedFile, {}, (folder.path() / "out").string());
        EXPECT_TRUE(test::runHighwater(words).err.ends_with("already exists; --force replaces it\n"));
        words.emplace_back("--force");
        const test::ProgramRun forced = test::runHighwater(words);
        EXPECT_EQ(forced.exitCode, 3) << command.name;
        EXPECT_NE(forced.err.find("cannot be saved"), std::string::npos) << forced.err;
        fs::remove(out);
        EXPECT_TRUE(fs::is_empty(folder.path())) << command.name;
    }
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

} // namespace highwater::cli
