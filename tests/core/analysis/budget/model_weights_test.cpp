// Compares parameter counts with those on the models' own pages, or counted from their files.
#include "core/analysis/budget/model_weights.h"

#include <gtest/gtest.h>

#include "core/run/configuration.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

ModelShape shapeOf(const std::string& json)
{
    const auto shape = parseConfiguration(json).and_then(parseModelShape);
    EXPECT_TRUE(shape) << shape.error().message;
    return shape.value_or(ModelShape());
}

ModelShape sampleShape(const std::string& name)
{
    return shapeOf(test::readWholeFile(test::samplePath("budget/models/" + name + ".json")));
}

std::int64_t parametersOf(const ModelShape& shape)
{
    EXPECT_TRUE(missingForWeights(shape).empty());
    return countParameters(weightGroups(shape)).value();
}

const char* const kT5
    = R"({"model_type": "t5", "vocab_size": 32128, "d_model": 1024, "d_kv": 128, "d_ff": 16384,
    "num_heads": 32, "num_layers": 24})";

} // namespace

TEST(ModelWeights, OfGpt2AreCounted)
{
    EXPECT_EQ(parametersOf(sampleShape("gpt2")), 124'439'808);
}

TEST(ModelWeights, OfLlama3AreCounted)
{
    EXPECT_EQ(parametersOf(sampleShape("llama-3-8b")), 8'030'261'248);
}

TEST(ModelWeights, OfQwen3AreCountedWithItsNormsAndTiedEmbeddings)
{
    EXPECT_EQ(parametersOf(sampleShape("qwen3-0.6b")), 596'049'920);
}

TEST(ModelWeights, OfFlanT5AreCountedWithGatesAndAnOutputLayer)
{
    EXPECT_EQ(parametersOf(sampleShape("flan-t5-xl")), 2'849'757'184);
}

TEST(ModelWeights, OfT5AreCountedWithTiedEmbeddings)
{
    EXPECT_EQ(parametersOf(shapeOf(kT5)), 2'851'598'336);
}

TEST(ModelWeights, OfQwen2AreCountedWithItsBiases)
{
    EXPECT_EQ(parametersOf(shapeOf(R"({"model_type": "qwen2", "vocab_size": 151936, "hidden_size": 896,
        "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14, "num_key_value_heads": 2,
        "tie_word_embeddings": true})")),
        494'032'768);
}

TEST(ModelWeights, OfMixtralAreCountedWithAllExperts)
{
    EXPECT_EQ(parametersOf(shapeOf(R"({"model_type": "mixtral", "vocab_size": 32000, "hidden_size": 4096,
        "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 8, "num_local_experts": 8})")),
        46'702'792'704);
}

TEST(ModelWeights, OfQwen3WithExpertsAreCounted)
{
    EXPECT_EQ(parametersOf(shapeOf(R"({"model_type": "qwen3_moe", "vocab_size": 151936, "hidden_size": 2048,
        "moe_intermediate_size": 768, "intermediate_size": 6144, "num_hidden_layers": 48,
        "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128,
        "tie_word_embeddings": false})")),
        30'532'122'624);
}

TEST(ModelWeights, GetAdaptersOnEveryLinearLayer)
{
    EXPECT_EQ(adapterParameters(weightGroups(sampleShape("llama-3-8b")), 16).value(), 41'943'040);
}

TEST(ModelWeights, HaveALargestMatrixAndALargestUnit)
{
    EXPECT_EQ(largestMatrix(weightGroups(shapeOf(kT5))).value(), 32128 * 1024);
    const std::vector<WeightGroup> llama = weightGroups(sampleShape("llama-3-8b"));
    EXPECT_EQ(
        largestGatheredUnit(llama, 32).value(), 128256ll * 4096); // the embedding; each layer has 218,112,000
}

TEST(ModelWeights, HaveAFactoredMomentOfRowsAndColumns)
{
    const std::vector<WeightGroup> weights
        = {{WeightGroup::Kind::Linear, 10, 20, 3}, {WeightGroup::Kind::Vector, 7, 1, 2}};
    EXPECT_EQ(factoredMomentElements(weights).value(), 3 * 30 + 2 * 7);
    EXPECT_EQ(countParameters(weights).value(), 600 + 14);
}

TEST(ModelWeights, SayWhatIsMissing)
{
    ModelShape shape;
    shape.family = ModelFamily::Llama;
    shape.vocab = 100;
    const std::vector<std::string> expected = {"hidden", "layers", "heads", "intermediate"};
    EXPECT_EQ(missingForWeights(shape), expected);
}

TEST(ModelWeights, OfAbsurdSizesOverflowAndDoNotWrap)
{
    ModelShape shape = sampleShape("llama-3-8b");
    shape.hidden = ModelLimits::hidden;
    shape.heads = ModelLimits::heads;
    shape.headSize = ModelLimits::hidden;
    shape.intermediate = ModelLimits::intermediate;
    shape.layers = ModelLimits::layers;
    EXPECT_TRUE(countParameters(weightGroups(shape)).overflows());
    EXPECT_TRUE(adapterParameters(weightGroups(shape), ModelLimits::hidden).overflows());
}

} // namespace highwater
