#include <fmt/format.h>

#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

/// Returns an evaluation of 40 blocks of 1,000 bytes in five layers, and then a training step. Each block is
/// freed when `lives` more have been allocated; the training step's blocks are freed in backward.
std::string evaluation(int lives, const char* freedBy = "train")
{
    std::string text = "stack train = train.py:9 main\n"
                       "stack backward = /site-packages/torch/autograd/graph.py:7 _engine_run_backward\n";
    for (int layer = 0; layer < 5; ++layer)
        text += fmt::format("stack eval{0} = model.py:{0} forward | train.py:3 main\n"
                            "stack layer{0} = model.py:{0} forward | train.py:5 main\n",
            layer);
    text += "annotation forward 100 299\nannotation backward 300 399\nannotation optimizer 400 450\n"
            "annotation evaluation 10 99\n";
    for (int block = 0; block < 40; ++block) {
        text += fmt::format("alloc e{0} 1000 @eval{1} t={2}\n", block, block % 5, 11 + block);
        if (block >= lives)
            text += fmt::format("free e{} @train t={}\n", block - lives, 11 + block);
    }
    for (int block = std::max(0, 40 - lives); block < 40; ++block)
        text += fmt::format(
            "free e{} @{} t={}\n", block, freedBy, std::string_view(freedBy) == "train" ? 60 : 310);
    for (int block = 0; block < 30; ++block)
        text += fmt::format("alloc t{0} 100 @layer{1} t={2}\n", block, block % 5, 110 + block);
    for (int block = 0; block < 30; ++block)
        text += fmt::format("free t{} @backward t={}\n", block, 311 + block);
    return text + "alloc s 10 @train t=410\nfree s @train t=411\nend\n";
}

std::vector<Finding> unusedIn(const std::string& text)
{
    const test::DetectorCase tiny(text);
    return findUnusedGraph(tiny.input);
}

} // namespace

TEST(UnusedGraph, IsWhatAnEvaluationWithGradientsPilesUp)
{
    const auto found = unusedIn(evaluation(40));
    ASSERT_EQ(test::bytesOfOnly(found), 40'000);
    EXPECT_EQ(found[0].kind, FindingKind::Fault);
    EXPECT_TRUE(found[0].title.starts_with("Evaluation ")) << found[0].title;
    EXPECT_TRUE(found[0].title.ends_with("39.06 KiB")) << found[0].title << ": of one call";
    EXPECT_TRUE(found[0].evidence.at(0).sentence.starts_with("The graph consists of 7.81 KiB from forward "))
        << found[0].evidence.at(0).sentence;
    EXPECT_TRUE(found[0].evidence.at(0).sentence.ends_with(" KiB from elsewhere"))
        << found[0].evidence.at(0).sentence << ": its parts are all of the graph";
    // Without the graph, the training step's 3,000 bytes are the peak.
    EXPECT_EQ(found[0].remedy.savedBytes, 40'000 - 3'000);
}

TEST(UnusedGraph, IsNoCopyThatAutocastKeeps)
{
    // For each of 40 weights of 2,000 bytes there is a copy of half the width.
    std::string weights
        = "stack load = /site-packages/torch/nn/modules/module.py:9 convert | train.py:2 main\n";
    for (int i = 0; i < 40; ++i)
        weights += fmt::format("alloc w{} 2000 @load t=1\n", i);
    EXPECT_TRUE(unusedIn(weights + evaluation(40)).empty());
    EXPECT_FALSE(unusedIn(evaluation(40)).empty());
}

TEST(UnusedGraph, IsNotThereWithoutGradients)
{
    EXPECT_TRUE(unusedIn(evaluation(3)).empty());
}

TEST(UnusedGraph, IsNotWhatABackwardGoesThrough)
{
    EXPECT_TRUE(unusedIn(evaluation(40, "backward")).empty());
}

} // namespace highwater
