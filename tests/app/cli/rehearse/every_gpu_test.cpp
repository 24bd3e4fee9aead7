#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"
#include "tests/support/program/has_parts.h"

namespace highwater::cli {

namespace {

using test::FakeTorch;
using test::ProgramRun;

/// Rehearses on an L4, which `FakeTorch` names, and on the others.
ProgramRun surveyed(const FakeTorch& torch, const std::string& gpus, std::vector<std::string> options = {})
{
    options.insert(options.end(), {"--force", "--gpu", gpus});
    return torch.run(
        "import torch\nheld = torch.alloc(30 << 30)\nfor _ in range(3): torch.optimizer_step()\n", options);
}

} // namespace

TEST(RehearseCommand, NamesTheSmallestOfSeveralGpus)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = surveyed(FakeTorch(), "T4,RTX 4090,A100,H100");
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(
        run.out.find("A100 40 is the smallest of these GPUs that the command fits") != std::string::npos)
        << run.out;
    EXPECT_TRUE(test::hasParts(run.out, {"T4", "does not fit", "A100 80", "fits"}));
}

TEST(RehearseCommand, RehearsesOnceForEachComputeCapability)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = surveyed(FakeTorch(), "A100,H100", {"--json"});
    const auto json = parseJson(run.out);
    EXPECT_EQ(json["rehearsals"].size(), 3u); // 8.9, 8.0 and 9.0
    EXPECT_EQ(json["gpus"].size(), 4u);
    EXPECT_EQ(json["smallest"], "A100 40");
}

TEST(RehearseCommand, FailsWhereItFitsNoneOfSeveralGpus)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = surveyed(FakeTorch(), "T4,RTX 4090");
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_TRUE(contains(run.out, "fits none of these GPUs")) << run.out;
}

TEST(RehearseCommand, NamesNoGpuWhereNothingWasRecorded)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = FakeTorch().run("print('done')\n", {"--force", "--gpu", "T4", "--json"});
    EXPECT_NE(run.exitCode, 0);
    const auto answer = parseJson(run.out);
    for (const auto& gpu : answer.at("gpus"))
        EXPECT_EQ(gpu["verdict"], "failed") << gpu;
}

TEST(RehearseCommand, RefusesAFileOfPricesBeyondItsLimit)
{
    SKIP_WITHOUT_PYTHON();
    const test::TemporaryFolder folder;
    const std::string prices = folder.write("prices.txt", "L4, 1\n" + std::string(1 << 20, '\n') + "L4, 2\n");
    const ProgramRun run = surveyed(FakeTorch(), "T4,L4", {"--prices", prices});
    EXPECT_EQ(run.exitCode, 2) << run.err;
    EXPECT_TRUE(contains(run.err, "prices.txt: exceeds the limit for prices")) << run.err;
}

TEST(RehearseCommand, FindsTheLargestNumberThatFits)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    std::vector<std::string> words = torch.rehearsal("import sys, torch\nheld = torch.alloc(int(sys.argv[1]) "
                                                     "<< 30)\nfor _ in range(3): torch.optimizer_step()\n"
                                                     "if int(sys.argv[1]) > 21: torch.run_out(1 << 30)\n",
        {"--force", "--find", "batch=1:512"});
    words.push_back("{batch}");
    const ProgramRun run = test::runHighwater(words, {.environment = torch.environment()});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(test::hasParts(run.out, {"the largest batch that fits L4 is 21", "batch = 21: fits"}))
        << run.out;

    const ProgramRun again = test::runHighwater(words, {.environment = torch.environment()});
    EXPECT_TRUE(contains(again.err, "are taken from")) << again.err;
    EXPECT_EQ(again.out, run.out);
}

} // namespace highwater::cli
