#include "app/cli/rehearse/target_torch.h"

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"
#include "tests/support/program/has_parts.h"

namespace highwater::cli {

using test::FakeTorch;
using test::ProgramRun;

namespace {

const std::string kAllocatesSome = "import torch\ntorch.alloc(256 << 20)\n";

/// Rehearses with PyTorch 2.6.
ProgramRun rehearsedFor(std::vector<std::string> options, const std::string& script = kAllocatesSome)
{
    options.emplace_back("--force");
    return FakeTorch().run(script, options);
}

} // namespace

TEST(TargetTorch, IsNamedWithItsCommandWhereItDiffers)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedFor({"--torch", "2.4"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_TRUE(
        test::hasParts(run.out, {"rehearsed with PyTorch 2.6.0", "the target has 2.4", "'torch==2.4.*'"}))
        << run.out;
}

TEST(TargetTorch, IsNotMentionedWhereItIsOfTheSameSeries)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedFor({"--torch", "2.6.1+cu126"});
    EXPECT_FALSE(contains(run.out, "the target has")) << run.out;
}

TEST(TargetTorch, IsReadFromAFile)
{
    SKIP_WITHOUT_PYTHON();
    const test::TemporaryFolder folder;
    const ProgramRun run
        = rehearsedFor({"--json", "--torch", folder.write("requirements.txt", "numpy\ntorch==2.4.1\n")});
    const auto json = parseJson(run.out);
    EXPECT_EQ(json["target_torch"], "2.4.1") << run.err;
    EXPECT_EQ(json["torch_differs"], true);
}

TEST(TargetTorch, IsRefusedBeforeTheRunIfItIsNoVersion)
{
    const test::TemporaryFolder folder;
    EXPECT_FALSE(targetTorch("newest"));
    EXPECT_FALSE(targetTorch(folder.write("empty.txt", "numpy\n")));
    EXPECT_EQ(rehearsedFor({"--torch", "newest"}).exitCode, 2);
}

TEST(TargetTorch, LeavesARunUndecidedForWhichItHasNoKernels)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run
        = rehearsedFor({}, "import torch\ntorch._C._cuda_getArchFlags = lambda: 'sm_90'\n" + kAllocatesSome);
    EXPECT_EQ(run.exitCode, 4) << run.out;
    EXPECT_TRUE(test::hasParts(run.out,
        {"undecided: this PyTorch cannot run on the GPU", "has no kernels for compute capability 8.9 (L4)",
            "cu128"}))
        << run.out;
}

} // namespace highwater::cli
