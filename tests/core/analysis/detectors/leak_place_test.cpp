#include "core/analysis/detectors/leak_place.h"

#include <fmt/format.h>

#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

/// Returns iterations of a loop in `main` that keep a block from each named stack.
std::string roundsThatKeep(const std::string& stacks, const std::vector<std::string>& kept)
{
    std::string text = stacks + "stack data = /app/train.py:18 main\nstack other = /app/train.py:22 main\n";
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 10; ++i)
            text += fmt::format("alloc d{0}x{1} 10 @data\nfree d{0}x{1} @data\n", round, i);
        for (const std::string& name : kept)
            text += fmt::format("alloc {1}{0} 1000 @{1}\n", round, name);
        text += fmt::format("alloc o{0} 10 @other\nfree o{0} @other\n", round);
    }
    return text + "end\n";
}

LeakPlace placeIn(const std::string& text)
{
    const test::DetectorCase tiny(text);
    const DeviceStudy& study = *tiny.input.study;
    std::vector<AllocationIndex> kept;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        if (study.allocations.bytes(i) == 1000)
            kept.push_back(i);
    return findLeakPlace(study, kept);
}

const char* const kModuleCall = " | /x/site-packages/torch/nn/modules/module.py:9 _call_impl";

} // namespace

TEST(LeakPlace, IsTheLineThatCallsTheModelAndNotOneWithin)
{
    const std::string stacks = fmt::format(
        "stack a = /app/model.py:5 forward{0} | /app/trainer.py:30 log_probs | /app/trainer.py:12 update | "
        "/app/train.py:20 main\n"
        "stack b = /app/model.py:7 forward{0} | /app/trainer.py:30 log_probs | /app/trainer.py:13 update | "
        "/app/train.py:20 main\n",
        kModuleCall);
    const LeakPlace place = placeIn(roundsThatKeep(stacks, {"a", "b"}));
    EXPECT_EQ(place.line, "log_probs (trainer.py:30)");
    EXPECT_EQ(place.inModel, "");
    EXPECT_EQ(place.throughBytes, place.allBytes);
    EXPECT_TRUE(test::hasParts(place.end, {"update (trainer.py) returned to main (train.py:20)"}));
    EXPECT_TRUE(test::hasParts(place.sentence(), {place.end}));
}

TEST(LeakPlace, IsInTheFunctionAroundAComprehension)
{
    const std::string stacks
        = fmt::format("stack a = /app/model.py:5 forward{} | /app/train.py:30 <genexpr> | "
                      "/app/train.py:30 evaluate | /app/train.py:20 main\n",
            kModuleCall);
    EXPECT_EQ(placeIn(roundsThatKeep(stacks, {"a"})).line, "evaluate (train.py:30)");
}

TEST(LeakPlace, NamesTheLineWithinAModelWhereAllComesFromOne)
{
    const std::string stacks
        = fmt::format("stack a = /app/model.py:5 forward{} | /app/train.py:20 main\n", kModuleCall);
    const LeakPlace place = placeIn(roundsThatKeep(stacks, {"a"}));
    EXPECT_EQ(place.line, "main (train.py:20)");
    EXPECT_EQ(place.inModel, "forward (model.py:5)");
    EXPECT_EQ(place.end, "the loop came back to main (train.py:20)");
}

TEST(LeakPlace, HoldsMoreThanHalfOfTheBytes)
{
    const std::string stacks = "stack a = /app/keep.py:1 one | /app/train.py:20 main\n"
                               "stack b = /app/keep.py:2 two | /app/train.py:20 main\n"
                               "stack c = /app/keep.py:3 three | /app/train.py:20 main\n";
    const LeakPlace place = placeIn(roundsThatKeep(stacks, {"a", "b", "c"}));
    EXPECT_EQ(place.line, "main (train.py:20)");
    EXPECT_EQ(place.throughBytes, place.allBytes);
}

TEST(LeakPlace, NamesTheLineCommonToAllOnceIfOthersLeakToo)
{
    const std::string stacks
        = "stack a = /app/trainer.py:30 log_probs | /app/trainer.py:12 update | /app/train.py:20 main\n"
          "stack b = /app/trainer.py:31 log_probs | /app/trainer.py:30 log_probs | /app/trainer.py:12 update "
          "| "
          "/app/train.py:20 main\n"
          "stack c = /app/rollout.py:40 scores | /app/trainer.py:12 update | /app/train.py:20 main\n";
    const LeakPlace place = placeIn(roundsThatKeep(stacks, {"a", "b", "c"}));
    EXPECT_EQ(place.line, "log_probs (trainer.py:30)");
    EXPECT_EQ(place.commonLine, "update (trainer.py:12)");
    EXPECT_TRUE(test::hasParts(place.sentence(), {"All of the leak comes from update (trainer.py:12)"}));
    EXPECT_EQ(place.inTitle(), ", mostly from log_probs (trainer.py:30)");
}

TEST(LeakPlace, IsNotNamedIfStacksShareNoOwnLine)
{
    const LeakPlace place = placeIn(
        roundsThatKeep("stack a = /app/one.py:1 one | /x/site-packages/transformers/trainer.py:5 train\n"
                       "stack b = /app/two.py:2 two | /x/site-packages/transformers/trainer.py:5 train\n",
            {"a", "b"}));
    EXPECT_EQ(place.sentence(), "");
    EXPECT_TRUE(place.keepers.empty());
}

TEST(LeakPlace, CountsALineOnceIfItCallsItself)
{
    const std::string stacks
        = "stack a = /app/tree.py:7 walk | /app/tree.py:7 walk | /app/tree.py:7 walk | /app/train.py:20 "
          "main\n"
          "stack b = /app/tree.py:9 leaf | /app/tree.py:7 walk | /app/train.py:20 main\n";
    const LeakPlace place = placeIn(roundsThatKeep(stacks, {"a", "b"}));
    EXPECT_EQ(place.line, "walk (tree.py:7)");
    EXPECT_EQ(place.throughBytes, place.allBytes);
}

TEST(LeakPlace, LooksThroughLibrariesBetweenOwnLines)
{
    const std::string stacks = "stack a = /x/site-packages/torch/_tensor.py:5 clone | /app/log.py:3 keep | "
                               "/x/site-packages/transformers/trainer.py:9 step | /app/train.py:20 main\n"
                               "stack b = /x/site-packages/torch/_tensor.py:8 cpu | /app/log.py:4 count | "
                               "/x/site-packages/transformers/trainer.py:9 step | /app/train.py:20 main\n";
    EXPECT_EQ(placeIn(roundsThatKeep(stacks, {"a", "b"})).line, "main (train.py:20)");
    EXPECT_EQ(placeIn(roundsThatKeep(stacks, {"a"})).line, "keep (log.py:3)");
}

TEST(LeakPlace, GivesEachBlockToOneKeeper)
{
    const std::string stacks = "stack a = /app/keep.py:1 one | /app/train.py:20 main\n"
                               "stack b = /app/keep.py:2 two | /app/train.py:24 main\n";
    const LeakPlace place = placeIn(
        "stack z = /app/keep.py:1 one | /app/train.py:21 main\n" + roundsThatKeep(stacks, {"a", "z", "b"}));
    ASSERT_EQ(place.keepers.size(), 2u);
    EXPECT_EQ(place.keepers[0].line, "one (keep.py:1)");
    EXPECT_EQ(place.keepers[1].line, "two (keep.py:2)");
    std::vector<Finding> findings(1);
    findings[0].keepers = place.keepers;
    for (const Keeper& keeper : place.keepers)
        for (const AllocationIndex i : keeper.allocations)
            EXPECT_EQ(findKeeper(findings, i)->line, keeper.line);
    EXPECT_EQ(findKeeper(findings, 0), nullptr);
}

TEST(LeakPlace, IsNotKnownWithoutStacks)
{
    EXPECT_EQ(placeIn("alloc a 1000\nalloc b 1000\nend\n").line, "");
    EXPECT_EQ(placeIn("alloc a 1000\nend\n").sentence(), "");
}

} // namespace highwater
