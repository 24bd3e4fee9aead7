#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/program/program_commands.h"
#include "tests/support/program/started_program.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

using test::kFragmentedFile;

namespace {

namespace fs = std::filesystem;

/// A path that is not a readable file, in the test's folder or in the system.
struct Thing
{
    std::string name;
    std::string message; ///< the command line's message
    std::function<std::string(const fs::path&)> make; ///< creates it and returns its path
    bool isForNobody = false; ///< tested as another user, because root may read it
};

std::string socketIn(const fs::path& folder)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = (folder / "socket").string();
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("no socket");
    ::close(socket);
    return path;
}

std::string unreadableFile(const fs::path& folder)
{
    const fs::path path = folder / "unreadable";
    fs::copy_file(kFragmentedFile, path);
    fs::permissions(path, fs::perms::none);
    return path.string();
}

std::string unreadableFolder(const fs::path& folder)
{
    fs::create_directory(folder / "closed");
    fs::copy_file(kFragmentedFile, folder / "closed/run.pickle.zst");
    fs::permissions(folder / "closed", fs::perms::none);
    return (folder / "closed").string();
}

std::string linkLoop(const fs::path& folder)
{
    fs::create_symlink("loop", folder / "loop");
    return (folder / "loop").string();
}

auto always(const char* path)
{
    return [path](const fs::path&) { return std::string(path); };
}

auto inFolder(const char* name)
{
    return [name](const fs::path& folder) { return (folder / name).string(); };
}

const std::vector<Thing>& things()
{
    static const std::vector<Thing> all{
        {"zeros", "has an unrecognized format", always("/dev/zero")},
        {"nothing", "is empty", always("/dev/null")},
        {"io_error", "cannot be read: Input/output error (at byte 0)", always("/proc/self/mem")},
        {"empty_file", "is empty", inFolder("empty")},
        {"missing", "cannot be opened: No such file or directory", inFolder("none")},
        {"socket", "cannot be opened: No such device or address", socketIn},
        {"link_loop", "cannot be opened: Too many levels of symbolic links", linkLoop},
        {"unreadable_file", "cannot be opened: Permission denied", unreadableFile, true},
        {"unreadable_folder", "cannot be opened: Permission denied", unreadableFolder, true},
    };
    return all;
}

template <typename T>
std::string ownNameOf(const testing::TestParamInfo<T>& info)
{
    return info.param.name;
}

/// Ends a command that would never end, with a signal.
const std::vector<std::pair<int, std::uint64_t>> kSecondsOfWork = {{RLIMIT_CPU, 20}};

} // namespace

class UnusualInput : public testing::TestWithParam<Thing>
{
protected:
    void SetUp() override
    {
        if (GetParam().isForNobody
            && test::runHighwater({"info", kFragmentedFile}, {.inChild = test::becomeNobody}).exitCode != 0)
            GTEST_SKIP() << "skipped: another user may not read the samples here";
        fs::permissions(folder.path(), static_cast<fs::perms>(0777));
        folder.write("empty", "");
        path = GetParam().make(folder.path());
    }
    void TearDown() override
    {
        if (fs::exists(folder.path() / "closed"))
            fs::permissions(folder.path() / "closed", fs::perms::owner_all);
    }
    static bool isWithoutContent() { return GetParam().message == "is empty"; }
    test::ProgramRun run(const test::Words& words) const
    {
        test::RunOptions options{.limits = kSecondsOfWork};
        if (GetParam().isForNobody)
            options.inChild = test::becomeNobody;
        return test::runHighwater(words, options);
    }
    test::TemporaryFolder folder;
    std::string path;
};

TEST_P(UnusualInput, IsRefusedByEveryCommandInOneSentence)
{
    const std::string sentence = "highwater: " + path + ": " + GetParam().message + "\n";
    for (const test::ProgramCommand& command : test::allCommands()) {
        // Some commands have the path twice, and report it twice.
        const test::ProgramRun done
            = run(test::wordsOf(command, path, kFragmentedFile, (folder.path() / "out").string()));
        EXPECT_EQ(done.exitCode, 3) << command.name;
        EXPECT_TRUE(done.err == sentence || done.err == sentence + sentence)
            << command.name << ": " << done.err;
        EXPECT_FALSE(fs::exists(folder.path() / ("out" + command.ending))) << command.name;
    }
}

/// The message must name the wrong file, not the other one.
TEST_P(UnusualInput, IsNamedWhereAnotherFileIsWell)
{
    const std::string out = (folder.path() / "out.html").string();
    for (const test::Words& words : {test::Words{"report", kFragmentedFile, "--before", path, "-o", out},
             {"report", kFragmentedFile, "--config", path, "-o", out},
             {"report", kFragmentedFile, "--notes", path, "-o", out},
             {"figure", kFragmentedFile, path, "--kind", "waterfall", "-o", out},
             {"diff", kFragmentedFile, path}, {"peaks", kFragmentedFile, "--rules", path},
             {"budget", "--config", path},
             {"check", kFragmentedFile, "--baseline", path, "--max-peak-increase", "5%"}}) {
        const test::ProgramRun done = run(words);
        const bool isWell = done.exitCode == 0 && isWithoutContent(); // an empty configuration is valid
        EXPECT_TRUE(isWell || done.exitCode == 2 || done.exitCode == 3)
            << test::joined(words) << done.exitCode;
        EXPECT_TRUE(
            isWell || (done.err.starts_with("highwater: " + path + ": ") && test::isOneLine(done.err)))
            << test::joined(words) << done.err;
    }
}

INSTANTIATE_TEST_SUITE_P(As, UnusualInput, testing::ValuesIn(things()), ownNameOf<Thing>);

/// Returns the commands that read one file; a pipe for each of two files would test nothing more.
std::vector<test::ProgramCommand> commandsOfOneFile()
{
    std::vector<test::ProgramCommand> commands = test::allCommands();
    std::erase_if(commands, [](const test::ProgramCommand& command) {
        return std::ranges::find(command.words, "OTHER") != command.words.end();
    });
    return commands;
}

class NamedPipe : public testing::TestWithParam<test::ProgramCommand>
{
};

/// A pipe can be read only once.
TEST_P(NamedPipe, IsReadAsAFileIs)
{
    const test::TemporaryFolder folder;
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const pid_t writer = ::fork();
    if (writer == 0) {
        const std::string bytes = test::readWholeFile(kFragmentedFile);
        const int file = ::open(pipe.c_str(), O_WRONLY);
        const bool isDone = ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
        ::_exit(isDone ? 0 : 1);
    }
    const test::ProgramRun run = test::runHighwater(
        test::wordsOf(GetParam(), pipe, {}, (folder.path() / "out").string()), {.limits = kSecondsOfWork});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.err, "");
    int status = 0;
    ::waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, NamedPipe, testing::ValuesIn(commandsOfOneFile()), test::nameOfCommand);

/// A change to a file while it is read.
struct Change
{
    std::string name;
    std::function<void(const fs::path&)> make;
};

class ChangingInput : public testing::TestWithParam<Change>
{
};

/// Each call changes the file a little later, until the program ends before the change.
TEST_P(ChangingInput, GivesWhatWasReadOrAMessage)
{
    const test::TemporaryFolder folder;
    const std::string said = folder.write("said", "");
    for (const char* sample : {"pytorch-snapshot/r1-grpo-before.pickle.zst", "nsys/training-3.7.2.sqlite",
             "kineto/tiny-addresses.pt.trace.json", "logs/r4-verl-slurm.err"}) {
        const fs::path file = folder.path() / fs::path(sample).filename();
        for (const test::Words& words : {test::Words{"info", file.string()}, {"findings", file.string()}}) {
            bool isLate = false;
            for (long delay = 0; !isLate; delay += 1000 + delay / 2) {
                fs::copy_file(test::samplePath(sample), file, fs::copy_options::overwrite_existing);
                test::StartedProgram program(words, said);
                isLate = program.endsWithin(delay);
                GetParam().make(file);
                const int status = program.wait();
                ASSERT_TRUE(WIFEXITED(status)) << sample << " after " << delay << " µs: " << status;
                const int code = WEXITSTATUS(status);
                EXPECT_TRUE(code == 0 || code == 3 || code == 4) << code << ' ' << test::joined(words);
                EXPECT_EQ(code != 0, test::isOneLine(test::readWholeFile(said))) << test::readWholeFile(said);
                fs::remove(file);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(That, ChangingInput,
    testing::Values(
        Change{"shrinks", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }},
        Change{"becomes_empty", [](const fs::path& file) { fs::resize_file(file, 0); }},
        Change{"grows", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) + 100'000); }},
        Change{"vanishes", [](const fs::path& file) { fs::remove(file); }},
        Change{"becomes_zeros",
            [](const fs::path& file) {
                const auto bytes = fs::file_size(file);
                fs::resize_file(file, 0);
                fs::resize_file(file, bytes);
            }}),
    ownNameOf<Change>);

} // namespace highwater::cli
