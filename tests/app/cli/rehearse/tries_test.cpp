#include <gtest/gtest.h>

#include "app/cli/rehearse/tries.h"
#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "tests/app/rehearse/fake_torch.h"
#include "tests/support/program/has_parts.h"

namespace highwater::cli {

namespace {

using test::FakeTorch;
using test::ProgramRun;

/// A script in which `need` returns the GiB that a step needs. It runs out of memory where the GPU has a
/// limit and that is more than 20.
std::string scriptThatNeeds(const std::string& need)
{
    return "import os, torch\n" + need
        + "def train():\n"
          "    size = need()\n"
          "    if size > 20 and 'memory=1099511627776' not in os.environ['HIGHWATER_SIMULATED_GPU']:\n"
          "        held = torch.alloc(12 << 30)\n"
          "        torch.run_out(size << 30)\n"
          "    torch.free(torch.alloc(size << 30))\n"
          "    torch.empty_cache()\n"
          "for _ in range(3):\n"
          "    train()\n"
          "    torch.optimizer_step()\n";
}

const std::string kNeedsExpandableSegments
    = scriptThatNeeds("def need(): return 10 if 'expandable_segments:True' in "
                      "os.environ.get('PYTORCH_CUDA_ALLOC_CONF', '') else 30\n");

/// Needs 60 GiB; 50 with checkpointed blocks, 40 with no gradients in evaluation, 15 with both.
const std::string kNeedsTwoChanges = scriptThatNeeds(
    "class Block(torch.nn.Module):\n"
    "    def forward(self): return torch.is_grad_enabled()\n"
    "    def children(self): return [torch.nn.Module()]\n"
    "net = torch.nn.ModuleList([Block(), Block(), Block()])\n"
    "net.forward = lambda: net.children()[0]()\n"
    "judge = Block()\n"
    "judge.eval()\n"
    "def need():\n"
    "    return {(1, 1): 60, (0, 1): 50, (1, 0): 40, (0, 0): 15}[int(net()), int(judge())]\n");

ProgramRun rehearsedTrying(const std::string& script, const std::vector<std::string>& options = {})
{
    std::vector<std::string> words{"--force", "--once"};
    words.insert(words.end(), options.begin(), options.end());
    return FakeTorch().run(script, words);
}

} // namespace

TEST(RehearseTries, NamesAChangeThatMakesItFitWithItsPeak)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(kNeedsExpandableSegments);
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_TRUE(test::hasParts(run.out,
        {"It fits L4 with expandable segments: 10 GiB reserved",
            "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "as it is", "30 GiB", "does not fit"}))
        << run.out << run.err;
}

TEST(RehearseTries, CombineTheTwoBestWhereNoneIsEnough)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(kNeedsTwoChanges, {"--json"});
    const auto tries = parseJson(run.out)["tries"];
    EXPECT_EQ(tries["enough"], parseJson(R"(["no-grad", "checkpointing"])")) << run.out << run.err;
    EXPECT_EQ(tries["rehearsals"].back()["reserved_peak_bytes"].get<std::int64_t>() >> 30, 15);
}

TEST(RehearseTries, CheckpointByTheMethodOfTheModelAndNameIt)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run
        = rehearsedTrying(scriptThatNeeds("class Unet(torch.nn.Module):\n"
                                          "    need = 30\n"
                                          "    def enable_gradient_checkpointing(self): self.need = 10\n"
                                          "    def forward(self): return self.need\n"
                                          "unet = Unet()\n"
                                          "def need(): return unet()\n"));
    EXPECT_TRUE(test::hasParts(run.out,
        {"It fits L4 with checkpointed blocks: 10 GiB reserved",
            "call unet.enable_gradient_checkpointing()"}))
        << run.out << run.err;
}

TEST(RehearseTries, NameTheBlocksThatHaveNoMethod)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(kNeedsTwoChanges, {"--json"});
    EXPECT_TRUE(contains(parseJson(run.out)["tries"]["how"].dump(), "call each block (Block) by")) << run.out;
}

TEST(RehearseTries, TurnTheCacheOffBeforeTheModelIsCopied)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(
        scriptThatNeeds("class Model(torch.nn.Module):\n"
                        "    def __init__(self): self.config = torch.space(use_cache=True)\n"
                        "    def forward(self): return 15 if self.config.use_cache else 5\n"
                        "policy, reference = Model(), Model()\n"
                        "reference.eval()\n"
                        "def need(): return policy() + reference()\n"),
        {"--try", "no-cache"});
    EXPECT_TRUE(contains(run.out, "use_cache = False before the model is copied")) << run.out << run.err;
}

TEST(RehearseTries, AreNotEnoughWhereMemoryGrows)
{
    Tries tries;
    tries.rehearsals = {{.changes = {}, .fit = rehearse::Fit::DoesNotFit},
        {.changes = {"checkpointing"},
            .fit = rehearse::Fit::Fits,
            .growth = MemoryGrowth{"Memory leaks 512 MiB per step", "Keep no logits", true, 22}}};
    const auto json = triesJson(tries);
    EXPECT_EQ(json["enough"], nullptr);
    EXPECT_EQ(json["enough_for_now"][0], "checkpointing");
    EXPECT_EQ(json["rehearsals"][1]["verdict"], "fits-for-now");
    EXPECT_EQ(json["rehearsals"][1]["steps_left"], 22);
}

TEST(RehearseTries, AreOfTheChangesThatAreAskedFor)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(kNeedsTwoChanges, {"--json", "--try", "checkpointing"});
    const auto tries = parseJson(run.out)["tries"];
    EXPECT_EQ(tries["enough"], nullptr) << run.out << run.err;
    EXPECT_EQ(tries["rehearsals"].size(), 2u);
}

TEST(RehearseTries, AreNotMadeWhereNoneIsAskedFor)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(kNeedsExpandableSegments, {"--json", "--try", "none"});
    EXPECT_EQ(parseJson(run.out)["tries"], nullptr) << run.out;
}

TEST(RehearseTries, SayThatTheCommandLooksAtTheMemory)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run
        = rehearsedTrying(scriptThatNeeds("def need(): return 10 if 'memory=1099511627776' in "
                                          "os.environ['HIGHWATER_SIMULATED_GPU'] else 30\n"));
    EXPECT_TRUE(contains(run.out, "the command looks at the GPU's memory")) << run.out << run.err;
}

TEST(RehearseTries, RefuseAChangeThatIsNone)
{
    const ProgramRun run = rehearsedTrying(kNeedsExpandableSegments, {"--try", "prayer"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(contains(run.err, "prayer is no change")) << run.err;
}

TEST(RehearseCommand, TakesTheCommandRightAfterAnOptionThatMayRepeat)
{
    SKIP_WITHOUT_PYTHON();
    const FakeTorch torch;
    const std::string script = torch.rehearsal("import torch\ntorch.alloc(256 << 20)\n").back();
    for (const std::vector<std::string>& last :
        {std::vector<std::string>{"--gpu", "L4"}, {"--gpu", "L4", "--try", "none"}}) {
        std::vector<std::string> words{"rehearse", "--force", "-o", torch.snapshot()};
        words.insert(words.end(), last.begin(), last.end());
        words.insert(words.end(), {"--", "python3", script, "--batch", "1"});
        const ProgramRun run = test::runHighwater(words, {.environment = torch.environment()});
        EXPECT_EQ(run.exitCode, 0) << run.err;
    }
}

TEST(RehearseCommand, SaysWhatWasInUseWhenMemoryRanOut)
{
    SKIP_WITHOUT_PYTHON();
    const ProgramRun run = rehearsedTrying(kNeedsExpandableSegments, {"--try", "none"});
    EXPECT_TRUE(contains(run.out, "in use when 30 GiB more was requested: 12 GiB")) << run.out;
}

} // namespace highwater::cli
