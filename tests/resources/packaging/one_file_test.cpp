#include <filesystem>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater {

using test::ProgramRun;
using test::RunOptions;

namespace {

namespace fs = std::filesystem;

/// A single-file program made from a folder whose two programs print their name and arguments and exit with
/// 7.
class OneFile : public testing::Test
{
protected:
    OneFile()
    {
        for (const std::string name : {"highwater", "highwater-gui"})
            makeExecutable(
                m_folder.write("root/bin/" + name, "#!/bin/sh\necho \"" + name + ": $*\"\nexit 7\n"));
        m_folder.write("root/lib/large", std::string(1 << 20, 'x'));
        fs::create_directories(cache());
        fs::create_directories(path("tmp"));
        pack("highwater-1.0.0-x86_64.run");
    }

    std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
    fs::path cache() const { return m_folder.path() / "cache"; }

    void pack(const std::string& name) const
    {
        RunOptions options;
        options.program = HIGHWATER_SOURCE_DIR "/resources/packaging/one-file/pack";
        const ProgramRun run = runHighwater({path("root"), "1.0.0", path(name)}, options);
        ASSERT_EQ(run.exitCode, 0) << run.err;
    }

    ProgramRun start(const std::vector<std::string>& arguments, RunOptions options = {}) const
    {
        if (options.program.empty())
            options.program = path("highwater-1.0.0-x86_64.run");
        if (options.environment.empty())
            options.environment = {{"XDG_CACHE_HOME", cache().string()}, {"TMPDIR", path("tmp")}};
        return runHighwater(arguments, options);
    }

    static void makeExecutable(const std::string& file) { fs::permissions(file, fs::perms::owner_all); }

    static std::ptrdiff_t filesBelow(const fs::path& folder)
    {
        return std::distance(fs::recursive_directory_iterator(folder), {});
    }

    test::TemporaryFolder m_folder;
};

} // namespace

TEST_F(OneFile, OpensTheWindowAndEndsAsItDoes)
{
    const ProgramRun run = start({"a b.pickle", "--theme", "dark"});
    EXPECT_EQ(run.out, "highwater-gui: a b.pickle --theme dark\n");
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(run.exitCode, 7);
}

TEST_F(OneFile, IsTheCommandLineAfterCommand)
{
    EXPECT_EQ(start({"--command", "info", "a b.pickle"}).out, "highwater: info a b.pickle\n");
}

TEST_F(OneFile, IsTheCommandLineWhereItsNameIsHighwater)
{
    fs::create_directory(path("bin"));
    fs::create_symlink(path("highwater-1.0.0-x86_64.run"), path("bin/highwater"));
    RunOptions options;
    options.program = path("bin/highwater");
    EXPECT_EQ(start({"info"}, options).out, "highwater: info\n");
}

TEST_F(OneFile, UnpacksOnce)
{
    start({});
    const fs::path program = fs::directory_iterator(cache() / "highwater/program")->path();
    const auto time = fs::last_write_time(program / "bin");
    const std::ptrdiff_t files = filesBelow(cache());
    EXPECT_EQ(start({"again"}).out, "highwater-gui: again\n");
    EXPECT_EQ(filesBelow(cache()), files);
    EXPECT_EQ(fs::last_write_time(program / "bin"), time);
}

TEST_F(OneFile, UnpacksForAllUsersOfAMachine)
{
    const ProgramRun run = start({"--unpack", path("opt/highwater")});
    EXPECT_EQ(run.exitCode, 0);
    RunOptions options;
    options.program = path("opt/highwater/bin/highwater");
    EXPECT_EQ(start({"info"}, options).out, "highwater: info\n");
    EXPECT_EQ(start({"--unpack"}).err.substr(0, 34), "highwater: --unpack needs a folder");
}

TEST_F(OneFile, StartsWithoutACacheFolderAndLeavesNothing)
{
    RunOptions options;
    options.environment = {{"XDG_CACHE_HOME", "/dev/null"}, {"TMPDIR", path("tmp")}};
    const ProgramRun run = start({"--command", "info"}, options);
    EXPECT_EQ(run.out, "highwater: info\n") << run.err;
    EXPECT_EQ(run.exitCode, 7);
    EXPECT_EQ(filesBelow(path("tmp")), 0);
}

TEST_F(OneFile, SaysThatItCannotUnpackAndLeavesNothing)
{
    RunOptions options;
    options.limits = {{RLIMIT_FSIZE, 100'000}};
    const ProgramRun run = start({}, options);
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("highwater: cannot unpack into " + cache().string()), std::string::npos)
        << run.err;
    EXPECT_EQ(filesBelow(cache()), 2); // highwater/program
}

TEST_F(OneFile, HasTheSameBytesEachTime)
{
    fs::last_write_time(path("root/lib/large"), fs::file_time_type::clock::now() - std::chrono::hours(1));
    pack("again.run");
    EXPECT_EQ(
        test::readWholeFile(path("again.run")), test::readWholeFile(path("highwater-1.0.0-x86_64.run")));
}

} // namespace highwater
