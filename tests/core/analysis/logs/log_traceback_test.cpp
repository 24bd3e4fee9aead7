#include "core/analysis/logs/log_traceback.h"

#include <gtest/gtest.h>

namespace highwater {

namespace {

/// Searches a trace with one event whose frames have these files.
std::optional<std::size_t> userFrame(const std::vector<std::string>& files)
{
    Trace trace;
    LogEvent event;
    for (const std::string& file : files)
        event.frames.push_back({{}, trace.strings.intern(file), {}, 1});
    return findUserFrame(trace, event);
}

} // namespace

TEST(UserFrame, IsTheInnermostOneOfTheUsersCode)
{
    EXPECT_EQ(userFrame({"/opt/a/train.py", "/opt/a/model.py",
                  "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py"}),
        1u);
    EXPECT_EQ(
        userFrame({"<frozen runpy>", "C:\\work\\train.py", "C:\\py\\Lib\\site-packages\\torch\\_ops.py"}),
        1u);
}

TEST(UserFrame, IsNotTorchRunFromItsSource)
{
    EXPECT_EQ(userFrame({"/src/torchtitan/torchtitan/train.py", "/src/pytorch/torch/autograd/graph.py"}), 0u);
    EXPECT_EQ(userFrame({"/a/train.py", "/cache/torchinductor_me/ab/cab.py"}), 0u);
    EXPECT_EQ(
        userFrame({"/a/train.py", "/cache/fv/cfvyrmqvxe2yeialcpsu7xlbs6xefgd5rsa6mjwycewdrpeq2jca.py"}), 0u);
}

TEST(UserFrame, IsALibrarysWhereThereIsNoOther)
{
    EXPECT_EQ(userFrame({"/usr/lib/python3.10/runpy.py",
                  "/v/lib/python3.10/site-packages/transformers/modeling_llama.py",
                  "/v/lib/python3.10/site-packages/torch/nn/functional.py"}),
        1u);
    EXPECT_EQ(userFrame({"/usr/lib/python3.10/runpy.py"}), std::nullopt);
}

TEST(UserFrame, IsACallRatherThanTheDefinitionOfACompiledFunction)
{
    Trace trace;
    LogEvent event;
    for (const auto& [file, source] :
        {std::pair("/a/decoder.py", "h = layer(h)"), std::pair("/a/model.py", "def forward("),
            std::pair("/a/torch/_dynamo/eval_frame.py", "return f()")})
        event.frames.push_back({{}, trace.strings.intern(file), trace.strings.intern(source), 1});
    EXPECT_EQ(findUserFrame(trace, event), 0u);
    event.frames.erase(event.frames.begin());
    EXPECT_EQ(findUserFrame(trace, event), 0u);
}

TEST(NamedTensor, StandsInTheSourceOfGeneratedCode)
{
    const auto tensor = tensorFromSource(
        "buf26 = empty_strided_cuda((5, 4096, 17408), (71303168, 17408, 1), torch.bfloat16)");
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->shape, (std::vector<std::int64_t>{5, 4096, 17408}));
    EXPECT_EQ(tensor->bytes, 680 * kMiB);
    EXPECT_EQ(toText(*tensor), "(5, 4096, 17408) torch.bfloat16 = 680 MiB");
    LogEvent event;
    event.figures.emplace();
    event.figures->requested = WrittenBytes{680 * kMiB, 5243};
    EXPECT_TRUE(explainsRequest(*tensor, event));
    event.figures->requested = WrittenBytes{681 * kMiB, 5243};
    EXPECT_FALSE(explainsRequest(*tensor, event));
}

TEST(NamedTensor, StandsInAPlainCallWithLiteralSizes)
{
    EXPECT_EQ(tensorFromSource("x = torch.empty((2, 3), dtype=torch.float32)")->bytes, 24);
    EXPECT_FALSE(tensorFromSource("x = torch.empty(n, dtype=torch.uint8)"));
    EXPECT_FALSE(tensorFromSource(
        "empty_strided_cuda((9223372036854775807, 9223372036854775807), (1, 1), torch.float64)"));
}

} // namespace highwater
