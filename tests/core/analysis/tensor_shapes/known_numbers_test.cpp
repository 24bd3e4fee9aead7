#include "core/analysis/tensor_shapes/known_numbers.h"

#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr Bytes kHidden = 256;
constexpr Bytes kTokens = 96;

/// Returns two layers of an fp32 model with norms, the activations of one forward, and optionally those of
/// another shape.
std::string model(const std::string& more = "")
{
    std::string text = R"(
stack load = /site-packages/torch/nn/modules/module.py:9 to | train.py:2 main
stack forward = model.py:9 forward | train.py:3 main
stack softmax = model.py:5 softmax | model.py:7 attention | train.py:3 main
stack backward = backward.cpp:1 MmBackward0
annotation forward 100 199
annotation backward 200 299
)";
    text += fmt::format("alloc embedding {} @load t=1\n", 50257 * kHidden * 4);
    for (int i = 0; i < 4; ++i)
        text += fmt::format("alloc n{0} {1} @load t=2\nalloc s{0} {2} @load t=2\nalloc m{0} {3} @load t=2\n",
            i, kHidden * 4, kHidden * kHidden * 4, kHidden * 1024 * 4);
    return text + more;
}

std::string activations()
{
    std::string text;
    for (const Bytes columns : {Bytes{1}, kHidden, Bytes{1024}, Bytes{50257}})
        text += fmt::format("alloc a{0} {1} @forward t=110\n", columns, kTokens * columns * 4);
    for (const Bytes columns : {Bytes{1}, kHidden, Bytes{1024}, Bytes{50257}})
        text += fmt::format("free a{0} t=210\n", columns);
    return text;
}

std::optional<KnownNumber> numberIn(const KnownNumbers& numbers, Dimension dimension)
{
    for (const KnownNumber& number : numbers.all)
        if (number.dimension == dimension)
            return number;
    return std::nullopt;
}

KnownNumbers numbersOf(const std::string& text, const std::vector<ConfigurationEntry>& settings = {})
{
    const auto trace = test::traceFromText(text + "end\n");
    const DeviceStudy study(*trace, 0);
    return knownNumbers(study, settings);
}

std::int64_t valueIn(const KnownNumbers& numbers, Dimension dimension)
{
    const auto number = numberIn(numbers, dimension);
    return number ? number->value : 0;
}

} // namespace

TEST(KnownNumbers, AreInferredFromTheSizesOfParameters)
{
    const KnownNumbers numbers = numbersOf(model());
    EXPECT_EQ(valueIn(numbers, Dimension::Hidden), kHidden);
    EXPECT_EQ(valueIn(numbers, Dimension::Intermediate), 1024);
    EXPECT_EQ(valueIn(numbers, Dimension::Vocabulary), 50257);
    EXPECT_EQ(numbers.parameterWidth, 4);
    EXPECT_FALSE(numbers.hasHalf);
    for (const KnownNumber& number : numbers.all) {
        EXPECT_EQ(number.source, NumberSource::Inferred);
        EXPECT_EQ(number.reason.substr(0, 9), "inferred:");
    }
}

TEST(KnownNumbers, FindTheTokensThatExplainMostActivations)
{
    const KnownNumbers numbers = numbersOf(model(activations()));
    EXPECT_EQ(valueIn(numbers, Dimension::Tokens), kTokens);
}

TEST(KnownNumbers, InferTheLengthFromTokensAndAGivenBatch)
{
    const KnownNumbers numbers = numbersOf(model(activations()), {{"batch_size", "8", "json", 0}});
    EXPECT_EQ(numberIn(numbers, Dimension::Batch)->source, NumberSource::Given);
    EXPECT_EQ(valueIn(numbers, Dimension::Sequence), kTokens / 8);
    EXPECT_EQ(numberIn(numbers, Dimension::Sequence)->source, NumberSource::Inferred);
}

TEST(KnownNumbers, BelieveTheSettings)
{
    const KnownNumbers numbers = numbersOf(model(),
        {{"model.hidden_size", "512", "json", 0}, {"num_attention_heads", "8", "json", 0},
            {"batch", "2", "json", 0}, {"group", "4", "json", 0}});
    EXPECT_EQ(valueIn(numbers, Dimension::Hidden), 512);
    EXPECT_EQ(valueIn(numbers, Dimension::HeadSize), 64);
    EXPECT_EQ(std::ranges::count(numbers.all, 8, &KnownNumber::value), 2) << "heads, and batch × group";
}

TEST(KnownNumbers, AreNoneWhereMostParametersAreNoMatricesOfTheHiddenSize)
{
    std::string convolutions;
    for (int i = 0; i < 4; ++i)
        convolutions += fmt::format("alloc c{0} {1} @load t=2\nalloc d{0} {2} @load t=2\n", i,
            9 * kHidden * kHidden * 4, 18 * 1024 * 1024 * 4);
    EXPECT_TRUE(numbersOf(model(convolutions)).all.empty());
    EXPECT_EQ(numbersOf(model(convolutions)).parameterWidth, 0);
}

TEST(KnownNumbers, TellAnEmbeddingOfSeveralCopiesFromTheMlp)
{
    std::string copies;
    for (int i = 0; i < 3; ++i)
        copies += fmt::format("alloc e{} {} @load t=2\n", i, 50257 * kHidden * 4);
    const KnownNumbers numbers = numbersOf(model(copies));
    EXPECT_EQ(valueIn(numbers, Dimension::Intermediate), 1024);
    EXPECT_EQ(valueIn(numbers, Dimension::Vocabulary), 50257);
}

TEST(KnownNumbers, AreNoneOfSizesThatAreNoTransformers)
{
    const KnownNumbers numbers
        = numbersOf("stack load = torch/nn/modules/module.py:9 to | train.py:2 main\n"
                    "alloc a 1000 @load\nalloc b 1000 @load\nalloc c 123456 @load\nalloc d 123456 @load\n");
    EXPECT_TRUE(numbers.all.empty());
    EXPECT_TRUE(numbersOf("").all.empty());
}

} // namespace highwater
