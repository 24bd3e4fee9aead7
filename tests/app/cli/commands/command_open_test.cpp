#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::runHighwater;
using test::RunOptions;
using test::samplePath;

namespace {

/// A copy of the program in a separate folder that contains only known files.
class Open : public testing::Test
{
protected:
    Open()
        : m_program((m_folder.path() / "bin" / "highwater").string())
    {
        std::filesystem::create_directory(m_folder.path() / "bin");
        std::filesystem::copy_file(HIGHWATER_CLI, m_program);
    }

    /// Adds a fake window program that prints its arguments and exits with this code.
    void addWindow(const std::string& subfolder, int exitCode)
    {
        const std::string window = m_folder.write(
            subfolder + "/highwater-gui", "#!/bin/sh\necho \"$@\"\nexit " + std::to_string(exitCode) + "\n");
        std::filesystem::permissions(window, std::filesystem::perms::owner_all);
    }

    test::ProgramRun open(const std::string& file) const
    {
        RunOptions options;
        options.program = m_program;
        options.environment = {{"PATH", (m_folder.path() / "path").string()}};
        return runHighwater({"open", file}, options);
    }

private:
    test::TemporaryFolder m_folder;
    std::string m_program;
};

const std::string kFile = samplePath("encodings/tiny.json");

} // namespace

TEST_F(Open, StartsTheWindowBesideTheProgramAndEndsAsItDoes)
{
    addWindow("bin", 7);
    addWindow("path", 8);
    const auto run = open(kFile);
    EXPECT_EQ(run.exitCode, 7);
    EXPECT_EQ(run.out, "-- " + kFile + "\n");
}

TEST_F(Open, StartsTheWindowInThePathOtherwise)
{
    addWindow("path", 8);
    EXPECT_EQ(open(kFile).exitCode, 8);
}

TEST_F(Open, SaysWhenTheWindowIsNotThere)
{
    const auto run = open(kFile);
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.err.starts_with("highwater: highwater-gui cannot be started")) << run.err;
}

TEST_F(Open, SaysWhatCannotBeOpened)
{
    addWindow("bin", 0);
    const auto run = open("no-such-file.pickle");
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.err.starts_with("highwater: no-such-file.pickle: cannot be opened")) << run.err;
}

TEST(OpenCommand, NeedsAFile)
{
    EXPECT_EQ(runHighwater({"open"}).exitCode, 2);
}

} // namespace highwater
