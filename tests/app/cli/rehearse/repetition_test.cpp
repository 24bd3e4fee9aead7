#include <gtest/gtest.h>

#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"
#include "tests/support/program/has_parts.h"

namespace highwater::cli {

using test::FakeTorch;
using test::ProgramRun;

namespace {

const std::string kBegins = "import torch\ntorch.alloc(256 << 20)\n";

ProgramRun repeated(const std::string& script)
{
    return FakeTorch().run(script, {"--force"});
}

/// Python code for the number of the current run, from a file in the rehearsal's folder that each run makes
/// longer.
const std::string kRunNumber = "import os\npath = os.path.join(os.environ['TMPDIR'], 'runs')\n"
                               "with open(path, 'a') as file: file.write('x')\nrun = os.path.getsize(path)\n";

} // namespace

TEST(Repetition, SeesASizeThatHasALeastOne)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = repeated(kBegins + "torch.alloc(4096 * max(64, torch.read_back()))\n");
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(contains(run.out, "other numbers in place of 0")) << run.out;
}

TEST(Repetition, SeesHowManyDifferentValuesThereAre)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run
        = repeated(kBegins + "for key in {torch.read_back() for _ in range(8)}: torch.alloc(4096)\n");
    EXPECT_EQ(run.exitCode, 4) << run.out;
}

TEST(Repetition, TakesASmallValueWhereALargeOneFails)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = repeated(kBegins + "print('abc'[torch.read_back()])\n");
    EXPECT_EQ(run.exitCode, 0) << run.out;
    EXPECT_TRUE(contains(run.out, "repeated with 1 in place of 0")) << run.out;
}

TEST(Repetition, SaysWhyTheCommandFailsWithOtherValues)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = repeated(kBegins + "if torch.read_back(): raise ValueError('no such class')\n");
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(contains(run.out, "exit code 1 (ValueError: no such class)")) << run.out;
}

TEST(Repetition, SaysThatMemoryRunsOutWithOtherValues)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = repeated(kBegins + "if torch.read_back(): torch.run_out(64 << 30)\n");
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(contains(run.out, "out of memory if they are other numbers")) << run.out;
}

TEST(Repetition, RescuesACommandThatZerosBreak)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = repeated(kBegins + "print(1 / torch.read_back())\n");
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_TRUE(test::hasParts(
        run.out, {"undecided: ", "exit code 1", "256 MiB reserved", "train.py:3: copy, 1 time"}));
}

TEST(Repetition, TellsFilesThatTheFirstRunWroteFromValues)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run
        = repeated(kBegins + kRunNumber + "torch.read_back()\ntorch.alloc(8192 if run == 1 else 4096)\n");
    EXPECT_EQ(run.exitCode, 0) << run.out;
    EXPECT_TRUE(contains(run.out, "the first run differs")) << run.out;
}

TEST(Repetition, TellsChanceFromValues)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = repeated(kBegins + kRunNumber + "torch.read_back()\ntorch.alloc(4096 * run)\n");
    EXPECT_EQ(run.exitCode, 4) << run.out;
    EXPECT_TRUE(contains(run.out, "runs of the command allocate differently")) << run.out;
}

} // namespace highwater::cli
