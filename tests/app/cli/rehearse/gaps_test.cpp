#include "app/cli/rehearse/gaps.h"

#include <gtest/gtest.h>

#include "app/cli/rehearse/outcome.h"
#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"
#include "tests/support/program/has_parts.h"

namespace highwater::cli {

using test::FakeTorch;
using test::ProgramRun;

namespace {

const std::string kTakesMemory = "import torch\ntorch.alloc(256 << 20)\n";

ProgramRun rehearsalOf(const std::string& script)
{
    return FakeTorch().run(script, {"--force"});
}

/// A process that reserves 12 GiB on an L4 between two times.
ProcessVerdict processDuring(double begin, double end)
{
    ProcessVerdict verdict;
    verdict.process.begin = begin;
    verdict.process.end = end;
    verdict.devices.emplace_back();
    verdict.devices.front().reservedPeakBytes = Bytes{12} << 30;
    return verdict;
}

RehearsalOutcome outcomeOf(std::vector<ProcessVerdict> processes)
{
    RehearsalOutcome outcome;
    outcome.available.least = Bytes{21} << 30;
    outcome.processes = std::move(processes);
    return outcome;
}

} // namespace

TEST(RehearsalGaps, NameTwoProcessesThatShareAGpu)
{
    const auto gaps = findGaps(outcomeOf({processDuring(0, 10), processDuring(5, 15)}));
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_TRUE(test::hasParts(gaps[0], {"2 processes", "cuda:0", "24 GiB"}));
}

TEST(RehearsalGaps, AreNoneWhereProcessesFollowEachOtherOrHaveGpusOfTheirOwn)
{
    EXPECT_TRUE(findGaps(outcomeOf({processDuring(0, 5), processDuring(5, 15)})).empty());
    ProcessVerdict other = processDuring(5, 15);
    other.process.visibleDevices = "1";
    EXPECT_TRUE(findGaps(outcomeOf({processDuring(0, 10), other})).empty());
    other = processDuring(5, 15);
    other.devices.front().device = 1;
    EXPECT_TRUE(findGaps(outcomeOf({processDuring(0, 10), other})).empty());
}

TEST(RehearsalGaps, NameAProcessThatRunsStill)
{
    ProcessVerdict process = processDuring(0, 1);
    process.process.pid = 7;
    process.process.isRunning = true;
    const auto gaps = findGaps(outcomeOf({process}));
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_TRUE(contains(gaps[0], "process 7"));
}

TEST(RehearsalGaps, HoldWhatMayUseTheGpuAfterTheCommand)
{
    RehearsalOutcome outcome = outcomeOf({processDuring(0, 1)});
    outcome.result.hasLeftProcesses = true;
    const auto gaps = findGaps(outcome);
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_TRUE(contains(gaps[0], "the command started"));
    outcome.processes.front().process.isRunning = true;
    EXPECT_EQ(findGaps(outcome).size(), 1u) << "the one that is named";
}

TEST(RehearseCommand, FailsWhereAProcessFailedThatNobodyWaitedFor)
{
    SKIP_WITHOUT_PYTHON();
    const std::string child
        = "import multiprocessing, torch\ndef work():\n    torch.alloc(1 << 20)\n    raise KeyError(3)\n"
          "if __name__ == '__main__':\n"
          "    p = multiprocessing.get_context('spawn').Process(target=work); p.start(); p.join()\n";
    const ProgramRun run = rehearsalOf(child + "    torch.alloc(1 << 20)\n");
    EXPECT_EQ(run.exitCode, 3) << run.out;
    EXPECT_TRUE(contains(run.out, "Process-1, failed: process ")) << run.out;
}

TEST(RehearseCommand, SaysThatTheOptimizerTrainsWhatIsInHostMemory)
{
    SKIP_WITHOUT_PYTHON();
    const std::string script = "import types\n" + kTakesMemory
        + "torch._optimizer.param_groups = [{'params': [types.SimpleNamespace(is_cuda=%)]}]\n"
          "torch.optimizer_step()\n";
    const std::string line = "the optimizer trains parameters in host memory";
    const std::size_t place = script.find('%');
    EXPECT_TRUE(contains(rehearsalOf(std::string(script).replace(place, 1, "False")).out, line));
    EXPECT_FALSE(contains(rehearsalOf(std::string(script).replace(place, 1, "True")).out, line));
}

/// Each parameter starts a Python that requests more memory than there is.
class OwnEnvironment : public testing::TestWithParam<const char*>
{
};

TEST_P(OwnEnvironment, IsRehearsedAsWell)
{
    SKIP_WITHOUT_PYTHON();
    const std::string child = "text = 'import torch; torch.alloc(1 << 20); torch.run_out(64 << 30)'\n"
                              "import os, subprocess, sys\n";
    const ProgramRun run = rehearsalOf(kTakesMemory + child + GetParam() + "\n");
    EXPECT_EQ(run.exitCode, 1) << run.out << run.err;
    EXPECT_TRUE(contains(run.out, "does not fit")) << run.out;
}

INSTANTIATE_TEST_SUITE_P(Programs, OwnEnvironment,
    testing::Values("subprocess.run([sys.executable, '-c', text], env={'PYTHONPATH': os.environ['TORCH']})",
        "subprocess.run(['env', '-i', 'PYTHONPATH=' + os.environ['TORCH'], sys.executable, '-c', text])",
        "subprocess.run(['sh', '-c', 'PYTHONPATH=$TORCH exec \"$0\" -c \"$1\"', sys.executable, text])",
        "os.posix_spawn(sys.executable, [sys.executable, '-c', text], {'PYTHONPATH': os.environ['TORCH']}); "
        "os.wait()"));

TEST(RehearsalGaps, HoldAScriptThatEndedBeforeItImportedTorch)
{
    SKIP_WITHOUT_PYTHON();
    const test::TemporaryFolder folder;
    const std::string script = folder.write("stage.py", "import a_missing_module\n");
    const ProgramRun run = rehearsalOf(
        kTakesMemory + "import subprocess, sys\nsubprocess.run([sys.executable, '" + script + "'])\n");
    EXPECT_EQ(run.exitCode, 4) << run.out;
    EXPECT_TRUE(test::hasParts(run.out, {"stage.py", "(No module named"}));
}

TEST(RehearseCommand, RefusesOneFileForTwoOutputs)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    EXPECT_EQ(torch.run(kTakesMemory, {"--force", "--labels", torch.snapshot()}).exitCode, 2);
    EXPECT_EQ(torch.run(kTakesMemory, {"--force", "--steering", "no-such-rules.py"}).exitCode, 2);
}

} // namespace highwater::cli
