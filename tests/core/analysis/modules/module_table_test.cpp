#include "core/analysis/modules/module_table.h"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "core/analysis/composition/composition.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Frames of a model whose forward calls blocks in a loop, each a norm and a linear layer.
const std::string kModuleStacks = R"(
stack norm = /t/torch/nn/modules/normalization.py:217 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /t/torch/nn/modules/module.py:1739 _wrapped_call_impl | /w/block.py:10 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /w/gpt.py:40 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /w/train.py:9 step
stack linear = /t/torch/nn/modules/linear.py:125 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /w/block.py:11 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /w/gpt.py:40 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /w/train.py:9 step
stack head = /w/gpt.py:44 forward | /t/torch/nn/modules/module.py:1750 _call_impl | /w/train.py:9 step
stack wrapped = /s/transformers/models/gpt2/modeling_gpt2.py:274 forward | /s/transformers/modeling_layers.py:121 forward_with_checkpointing | /t/torch/nn/modules/module.py:1750 _call_impl | /s/transformers/models/gpt2/modeling_gpt2.py:606 forward | /s/transformers/utils/generic.py:943 wrapper | /t/torch/nn/modules/module.py:1750 _call_impl | /w/train.py:9 step
stack loss = /t/torch/nn/functional.py:3000 cross_entropy | /w/train.py:10 step
stack back =
)";

struct RecordedModules
{
    explicit RecordedModules(std::shared_ptr<const Trace> of)
        : trace(std::move(of))
        , allocations(*trace, 0)
        , sites(*trace, allocations)
        , modules(*trace, allocations, sites)
    {
    }
    explicit RecordedModules(const std::string& events)
        : RecordedModules(test::traceFromText(kModuleStacks + events))
    {
    }
    std::string path(AllocationIndex i) const { return modules.path(modules.of(i)); }

    std::shared_ptr<const Trace> trace;
    AllocationTable allocations;
    CallSites sites;
    ModuleTable modules;
};

const std::string kTwoBlocks = R"(
alloc a 10 @norm
alloc b 10 @norm
alloc c 10 @linear
alloc d 10 @norm
alloc e 10 @norm
alloc f 10 @linear
alloc g 10 @head
)";

const std::string kGpt = "forward gpt.py (train.py:9)";

class ModulesOfSnapshot : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST(ModuleTable, NamesModulesByTheirCodeAndThePlaceThatCallsThem)
{
    const RecordedModules run("alloc a 10 @linear\n");
    EXPECT_EQ(run.path(0),
        "forward gpt.py (train.py:9) / forward block.py (gpt.py:40) / forward linear.py (block.py:11)");
}

TEST(ModuleTable, LooksThroughWhatALibraryPutAroundForward)
{
    const RecordedModules run("alloc a 10 @wrapped\n");
    EXPECT_EQ(run.path(0),
        "forward modeling_gpt2.py (train.py:9) / forward modeling_gpt2.py (modeling_gpt2.py:606)");
}

TEST(ModuleTable, TellsTheLayersOfALoopApart)
{
    const RecordedModules run(kTwoBlocks);
    EXPECT_EQ(
        run.path(0), kGpt + " / forward block.py [0] (gpt.py:40) / forward normalization.py (block.py:10)");
    EXPECT_EQ(run.path(1), run.path(0)) << "two allocations of one layer";
    EXPECT_EQ(run.path(2), kGpt + " / forward block.py [0] (gpt.py:40) / forward linear.py (block.py:11)");
    EXPECT_EQ(
        run.path(3), kGpt + " / forward block.py [1] (gpt.py:40) / forward normalization.py (block.py:10)");
    EXPECT_EQ(run.path(5), kGpt + " / forward block.py [1] (gpt.py:40) / forward linear.py (block.py:11)");
    EXPECT_EQ(run.path(6), kGpt);
}

TEST(ModuleTable, LayersOfALoopAreOneFamily)
{
    const RecordedModules run(kTwoBlocks);
    const ModuleId first = run.modules.outer(run.modules.of(0), 2);
    const ModuleId second = run.modules.outer(run.modules.of(3), 2);
    EXPECT_EQ(run.modules.shortPath(first), "gpt.py:40–44 / block.py:10–11 [0]");
    EXPECT_EQ(run.modules.shortPath(second, true), "gpt.py:40–44 from train.py:9 / block.py:10–11 [1]");
    EXPECT_EQ(run.modules.family(first), run.modules.family(second));
    EXPECT_NE(run.modules.family(first), run.modules.family(run.modules.of(0)));
}

TEST(ModuleTable, CountsTheCallsOfTheOutermostModuleAndStartsItsLayersAnew)
{
    std::string again = kTwoBlocks;
    for (char& c : again)
        if (c >= 'a' && c <= 'g' && &c != again.data() && *(&c - 1) == ' ' && *(&c + 1) == ' ')
            c = static_cast<char>(c + 10);
    const RecordedModules run(kTwoBlocks + "alloc z 10 @loss\n" + again);
    ASSERT_EQ(run.allocations.size(), 15u);
    for (AllocationIndex i = 0; i < 7; ++i) {
        EXPECT_EQ(run.modules.of(i), run.modules.of(i + 8)) << i;
        EXPECT_EQ(run.modules.pass(i), 0u);
        EXPECT_EQ(run.modules.pass(i + 8), 1u);
    }
}

TEST(ModuleTable, SaysWhyAnAllocationIsInNoModule)
{
    const RecordedModules run("alloc a 10 @loss\nalloc b 10 @back\n");
    EXPECT_TRUE(run.modules.of(0).isNone());
    EXPECT_EQ(run.modules.reason(0), NoModule::Outside);
    EXPECT_TRUE(run.modules.of(1).isNone());
    EXPECT_EQ(run.modules.reason(1), NoModule::NoFrames);
}

TEST(ModuleTable, DoesNotNumberTheLayersOfWhatIsOlderThanTheTrace)
{
    const RecordedModules run("final p 10 @norm\nfinal q 10 @linear\nfinal r 10 @norm\n" + kTwoBlocks);
    ASSERT_EQ(run.allocations.olderCount(), 3u);
    for (AllocationIndex i = 0; i < 3; ++i)
        EXPECT_TRUE(run.path(i).starts_with(kGpt + " / forward block.py (gpt.py:40) / ")) << run.path(i);
    EXPECT_TRUE(run.path(3).starts_with(kGpt + " / forward block.py [0] (gpt.py:40) / ")) << run.path(3);
}

TEST(ModuleTable, PlacesBackwardInTheLayerWhoseMemoryItFreesNext)
{
    const RecordedModules run(kTwoBlocks + R"(
alloc l 10 @loss
alloc x 10 @back
free f
alloc y 10 @back
free e
alloc z 10 @back
free c
)");
    EXPECT_EQ(run.path(8), kGpt) << "the head read what the last layer made";
    EXPECT_EQ(run.path(9), kGpt + " / forward block.py [1] (gpt.py:40)");
    EXPECT_EQ(run.path(10), kGpt + " / forward block.py [1] (gpt.py:40)")
        << "it read what the first layer made";
    EXPECT_EQ(run.modules.source(9), ModuleSource::Backward);
    EXPECT_EQ(run.modules.source(0), ModuleSource::Frames);
}

TEST(ModuleTable, DoesNotPlaceBackwardBeyondTheNextPythonCode)
{
    const RecordedModules run(kTwoBlocks + "alloc x 10 @back\nalloc l 10 @loss\nfree e\n");
    EXPECT_TRUE(run.modules.of(7).isNone());
}

TEST(ModuleTable, DoesNotGuessWhichLayerACheckpointRunsAgain)
{
    const std::string again
        = "stack again = /w/block.py:10 forward | /t/torch/nn/modules/module.py:1750 _call_impl | "
          "/t/torch/utils/checkpoint.py:1500 recompute_fn | /t/torch/utils/checkpoint.py:1100 unpack_hook | "
          "/w/train.py:12 step\n";
    const RecordedModules run(again + "alloc a 10 @again\n");
    EXPECT_TRUE(run.modules.of(0).isNone());
    EXPECT_EQ(run.modules.reason(0), NoModule::Recomputed);
}

TEST(ModuleTable, NamesModulesByTheLabelsOfTheProgram)
{
    const auto imported = loadFile(test::samplePath("rehearsed/labelled-modules.pickle.zst"), {});
    const RecordedModules run(imported->trace);
    std::set<std::string> paths;
    for (AllocationIndex i = 0; i < run.allocations.size(); ++i)
        if (!run.modules.of(i).isNone() && run.modules.source(i) == ModuleSource::Label)
            paths.insert(run.path(i));
    EXPECT_TRUE(paths.contains("layers.2 / mlp.0"));
    EXPECT_TRUE(paths.contains("layers.0 / attention / scores"));
    EXPECT_TRUE(paths.contains("head"));
}

TEST(ModuleTable, TheTitleHasTheLinesOfTheFunction)
{
    const RecordedModules run(kTwoBlocks);
    EXPECT_EQ(run.modules.title(run.modules.of(6)), "forward (gpt.py:40–44)");
    EXPECT_EQ(run.modules.title(run.modules.outer(run.modules.of(3), 2)), "forward (block.py:10–11) [1]");
}

TEST(ModuleTable, NamesTheClassOnlyWhereTheFramesShowIt)
{
    const std::string functional = "stack layerNorm = /t/torch/nn/functional.py:2900 layer_norm | "
                                   "/t/torch/nn/modules/normalization.py:217 forward | "
                                   "/t/torch/nn/modules/module.py:1750 _call_impl | "
                                   "/w/train.py:9 step\n";
    const RecordedModules run(functional + "alloc a 10 @layerNorm\nalloc b 10 @linear\nalloc c 10 @norm\n");
    EXPECT_EQ(run.modules.className(run.modules.of(0)), "LayerNorm");
    EXPECT_EQ(run.modules.className(run.modules.of(1)), "Linear");
    EXPECT_EQ(
        run.modules.shortPath(run.modules.of(1)), "gpt.py:40–44 / block.py:10–11 / Linear (block.py:11)");
    EXPECT_EQ(run.modules.className(run.modules.of(2)), "") << "one of several classes of the file";
    EXPECT_EQ(run.modules.className(run.modules.outer(run.modules.of(1), 1)), "") << "the user's own code";
}

TEST(ModuleTable, AProfilerNamesClassAndInstance)
{
    const auto imported = loadFile(test::samplePath("kineto/tiny-addresses.pt.trace.json"), {});
    const RecordedModules run(imported->trace);
    std::set<std::string> names;
    for (AllocationIndex i = 0; i < run.allocations.size(); ++i)
        for (ModuleId at = run.modules.of(i); !at.isNone(); at = run.modules.node(at).caller)
            names.insert(run.modules.name(at) + " is a " + run.modules.className(at));
    EXPECT_TRUE(names.contains("Linear_0 is a Linear"));
    EXPECT_TRUE(names.contains("Net_0 is a Net"));
}

TEST_P(ModulesOfSnapshot, ModulesSumToThePeak)
{
    const auto imported = loadFile(test::samplePath(GetParam()), {});
    const RecordedModules run(imported->trace);
    for (const std::int64_t event : {std::int64_t{-1}, run.allocations.eventCount() / 2}) {
        const Composition groups
            = compositionAt(*run.trace, run.allocations, run.sites, event, GroupKey::Module);
        const Bytes sum = std::accumulate(groups.groups.begin(), groups.groups.end(), Bytes{0},
            [](Bytes so, const CompositionGroup& group) { return so + group.bytes; });
        Bytes live = 0;
        for (const AllocationIndex i : run.allocations.liveAt(event))
            live += run.allocations.bytes(i);
        EXPECT_EQ(sum, live);
    }
}

INSTANTIATE_TEST_SUITE_P(ModuleTable, ModulesOfSnapshot,
    testing::Values("rehearsed/copies.pickle.zst", "rehearsed/beam-search.pickle.zst",
        "pytorch-snapshot/r1-grpo-before.pickle.zst", "rehearsed/ddp-rank0.pickle.zst",
        "rehearsed/labelled-modules.pickle.zst", "rehearsed/modules-checkpoint.pickle.zst"));

} // namespace highwater
