#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/program/started_program.h"

namespace highwater::cli {

namespace {

namespace fs = std::filesystem;
using test::FakeTorch;
using test::ProgramRun;

const std::string kAllocates = "import torch\ntorch.alloc(256 << 20)\n";

ProgramRun rehearsedWith(const FakeTorch& torch, const std::string& script)
{
    return torch.run(script, {"--force"});
}

} // namespace

TEST(RehearseCommand, CountsTheStepsBeforeAFailure)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedWith(
        FakeTorch(), kAllocates + "for _ in range(3): torch.optimizer_step()\nraise KeyError('labels')\n");
    EXPECT_FALSE(contains(run.out, "fits")) << run.out;
    EXPECT_TRUE(contains(run.out, "exit code 1 after 3 training steps")) << run.out;
}

TEST(RehearseCommand, NamesAFailureInItsDocument)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = FakeTorch().run(kAllocates + "raise SystemExit(5)\n", {"--force", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    const auto json = parseJson(run.out);
    EXPECT_EQ(json["verdict"], "failed");
    ASSERT_EQ(json["processes"].size(), 1u);
    EXPECT_EQ(json["processes"][0]["devices"][0]["verdict"], "failed");
    EXPECT_EQ(json["command_exit_code"], 5);
}

TEST(RehearseCommand, SaysThatTheCommandFailedBeforeItUsedAGpu)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = FakeTorch().run("import torch\nraise SystemExit(5)\n", {"--force", "--json"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(parseJson(run.out)["verdict"], "failed");
    EXPECT_TRUE(contains(run.err, "exit code 5")) << run.err;
}

TEST(RehearseCommand, SaysThatARunDoesNotFitWhereMemoryEndedIt)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun raised = rehearsedWith(FakeTorch(), kAllocates + "torch.run_out(8 << 30)\n");
    EXPECT_EQ(raised.exitCode, 1);
    EXPECT_TRUE(contains(raised.out, "does not fit: ran out of memory once")) << raised.out;
    const std::string caught = kAllocates + "try: torch.run_out(8 << 30)\nexcept RuntimeError: pass\n";
    EXPECT_EQ(rehearsedWith(FakeTorch(), caught).exitCode, 1); // the script gave up, but with exit code 0
    EXPECT_EQ(rehearsedWith(FakeTorch(), caught + "raise SystemExit(7)\n").exitCode, 1);
    const std::string translated = kAllocates
        + "try: torch.run_out(8 << 30)\nexcept RuntimeError as error: raise ValueError from error\n";
    EXPECT_EQ(rehearsedWith(FakeTorch(), translated).exitCode, 1);
}

TEST(RehearseCommand, IsIncompleteWhereItMayNotRepeatTheRun)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = FakeTorch().run(kAllocates + "torch.read_back()\n", {"--force", "--once"});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(contains(run.out, "may have decided sizes")) << run.out;
}

TEST(RehearseCommand, SaysInItsDocumentThatTheSecondRunIsEqual)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = FakeTorch().run(kAllocates + "torch.read_back()\n", {"--force", "--json"});
    const auto document = parseJson(run.out);
    EXPECT_EQ(document.at("complete"), true);
    EXPECT_EQ(document.at("second_run").at("equal"), true);
    EXPECT_EQ(document.at("processes").at(0).at("unsteered_reads").at(0).at("what"), "copy");
}

TEST(RehearseCommand, EndsTheCommandAfterSoManySteps)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = FakeTorch().run(
        kAllocates + "while True:\n    torch.optimizer_step()\n", {"--force", "--max-steps", "3"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "after 3 optimizer steps")) << run.out;
    EXPECT_TRUE(test::hasParts(run.err, {"step 2", "0.25 GiB reserved"}));
    EXPECT_FALSE(contains(run.err, "step 3")) << run.err; // only steps 1, 2, 5, 10 and so on are reported
}

TEST(RehearseCommand, LeavesHelpersOutThatAllocateNothing)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    const std::string helper
        = "import subprocess, sys\n"
          "subprocess.run([sys.executable, '-c', 'import torch; torch.initialise()'], check=True)\n";
    const ProgramRun run = torch.run(helper + kAllocates, {"--force", "--json"});
    const auto document = parseJson(run.out);
    ASSERT_EQ(document.at("processes").size(), 1u) << run.out;
    EXPECT_EQ(document.at("processes").at(0).at("path"), torch.snapshot());
}

TEST(RehearseCommand, LetsOlderTritonsLinkAgainstTheDriver)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run
        = FakeTorch().run("import ctypes, os, torch\ntorch.alloc(1 << 20)\n"
                          "ctypes.CDLL(os.path.join(os.environ['TRITON_LIBCUDA_PATH'], 'libcuda.so'))\n",
            {"--force"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
}

TEST(RehearseCommand, ReplacesTheFileThatALinkLeadsTo)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    const fs::path kept = torch.folder() / "disk/kept.pickle";
    fs::create_directory(kept.parent_path());
    std::ofstream(kept) << "old";
    fs::permissions(kept, static_cast<fs::perms>(0640));
    fs::create_symlink(kept, torch.snapshot());
    EXPECT_EQ(rehearsedWith(torch, kAllocates).exitCode, 0);
    EXPECT_TRUE(fs::is_symlink(torch.snapshot()));
    EXPECT_GT(fs::file_size(kept), 100u);
    EXPECT_EQ(fs::status(kept).permissions(), static_cast<fs::perms>(0640));
    EXPECT_EQ(std::distance(fs::directory_iterator(kept.parent_path()), {}), 1);
}

TEST(RehearseCommand, ReplacesNoOutputWithoutForce)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    const std::string old = (torch.folder() / "old").string();
    std::ofstream(old) << "old";
    const std::vector<std::vector<std::string>> all{{"--out", old},
        {"--out", torch.snapshot(), "--labels", old}, {"--out", torch.snapshot(), "--trace", old}};
    for (const std::vector<std::string>& options : all) {
        std::vector<std::string> words{"rehearse", "--gpu", "L4"};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), {"--", "python3", "train.py"});
        const ProgramRun run = test::runHighwater(words);
        EXPECT_EQ(run.exitCode, 2);
        EXPECT_EQ(run.err, "highwater: " + old + ": already exists; --force replaces it\n");
    }
}

TEST(RehearseCommand, ReplacesNoRanksSnapshotWithoutForce)
{
    SKIP_WITHOUT_PYTHON();
    if (fs::exists("/dev/nvidia0") || fs::exists("/dev/dxg"))
        GTEST_SKIP() << "a real GPU needs --force";
    const FakeTorch torch;
    const std::string old = (torch.folder() / "out_rank1.pickle").string();
    std::ofstream(old) << "old";
    const std::string script = "import os\nos.environ.update(RANK='1', WORLD_SIZE='2')\n" + kAllocates;
    EXPECT_TRUE(contains(torch.run(script).out, "out_rank1_process"));
    EXPECT_EQ(fs::file_size(old), 3u);
    EXPECT_FALSE(contains(torch.run(script, {"--force"}).out, "out_rank1_process"));
    EXPECT_GT(fs::file_size(old), 100u);
}

namespace {

/// A pipe that a process started by the rehearsed script holds open as long as it lives.
class Grandchild
{
public:
    explicit Grandchild(const FakeTorch& torch)
        : m_path((torch.folder() / "pipe").string())
    {
        ::mkfifo(m_path.c_str(), 0600);
    }
    ~Grandchild()
    {
        if (m_pid > 0 && !isGoneWithin(0))
            ::kill(m_pid, SIGKILL);
        ::close(m_pipe);
    }
    Grandchild(const Grandchild&) = delete;
    Grandchild& operator=(const Grandchild&) = delete;

    std::string script() const
    {
        return "import subprocess, sys\n"
               "code = 'import os, sys, time; pipe = open(sys.argv[1], \"w\"); print(os.getpid(), file=pipe, "
               "flush=True); time.sleep(600)'\n"
               "subprocess.run([sys.executable, '-c', code, '"
            + m_path + "'])\n";
    }
    void waitUntilItRuns()
    {
        m_pipe = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        pollfd begin{m_pipe, POLLIN, 0};
        ASSERT_EQ(::poll(&begin, 1, 60'000), 1);
        char text[32] = {};
        ASSERT_GT(::read(m_pipe, text, sizeof text - 1), 0);
        m_pid = std::atoi(text);
    }
    bool isGoneWithin(int milliseconds) const
    {
        pollfd end{m_pipe, POLLIN, 0};
        return ::poll(&end, 1, milliseconds) == 1 && (end.revents & POLLHUP) != 0;
    }

private:
    std::string m_path;
    int m_pipe = -1;
    pid_t m_pid = 0;
};

} // namespace

TEST(RehearseCommand, LeavesNoProcessesAndNoFilesWhereItIsKilled)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    Grandchild grandchild(torch);
    for (const auto& [name, value] : torch.environment())
        ::setenv(name.c_str(), value.c_str(), 1);
    std::ofstream(torch.folder() / "said").close();
    test::StartedProgram program(
        torch.rehearsal(grandchild.script(), {"--force"}), (torch.folder() / "said").string());
    for (const auto& [name, value] : torch.environment())
        ::unsetenv(name.c_str());
    grandchild.waitUntilItRuns();
    EXPECT_FALSE(fs::is_empty(torch.temporary()));
    program.send(SIGKILL);
    EXPECT_TRUE(grandchild.isGoneWithin(60'000));
    rehearsedWith(torch, kAllocates);
    EXPECT_TRUE(fs::is_empty(torch.temporary()));
}

} // namespace highwater::cli
