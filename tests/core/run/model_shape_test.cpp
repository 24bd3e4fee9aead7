#include "core/run/model_shape.h"

#include <gtest/gtest.h>

#include "core/run/configuration.h"

namespace highwater {

namespace {

Result<ModelShape> shapeOf(std::string_view json)
{
    return parseConfiguration(json).and_then(parseModelShape);
}

} // namespace

TEST(ModelShapes, TakeTheDefaultsOfTheirType)
{
    const auto gpt2 = shapeOf(R"({"model_type": "gpt2", "n_embd": 768, "n_inner": null})");
    ASSERT_TRUE(gpt2);
    EXPECT_TRUE(gpt2->tiedEmbeddings);
    EXPECT_EQ(effectiveIntermediate(*gpt2), 3072);
    const auto llama = shapeOf(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})");
    ASSERT_TRUE(llama);
    EXPECT_FALSE(llama->tiedEmbeddings);
    EXPECT_EQ(effectiveKeyValueHeads(*llama), 4);
    EXPECT_EQ(effectiveHeadSize(*llama), 16);
}

TEST(ModelShapes, KnowWhatTheirTypeAddsToLlama)
{
    EXPECT_TRUE(shapeOf(R"({"model_type": "qwen2"})")->queryKeyValueBias);
    EXPECT_TRUE(shapeOf(R"({"model_type": "qwen3"})")->queryKeyNorms);
    EXPECT_EQ(shapeOf(R"({"model_type": "mixtral"})")->experts, 8);
}

TEST(ModelShapes, OfOtherTypesAreRefusedByName)
{
    const auto shape = shapeOf(R"({"model_type": "mamba"})");
    ASSERT_FALSE(shape);
    EXPECT_NE(shape.error().message.find("mamba"), std::string::npos);
    EXPECT_NE(shape.error().message.find("llama"), std::string::npos);
    EXPECT_FALSE(shapeOf(R"({"hidden_size": 768})"));
}

TEST(ModelShapes, WithNumbersThatCannotBeAreRefusedWithTheKey)
{
    for (const char* text : {R"({"model_type": "llama", "num_hidden_layers": 9223372036854775808})",
             R"({"model_type": "llama", "num_hidden_layers": -1})",
             R"({"model_type": "llama", "num_hidden_layers": 1e30})",
             R"({"model_type": "llama", "num_hidden_layers": "many"})",
             R"({"model_type": "llama", "num_hidden_layers": 0})"}) {
        const auto shape = shapeOf(text);
        ASSERT_FALSE(shape) << text;
        EXPECT_NE(shape.error().message.find("\"num_hidden_layers\""), std::string::npos)
            << shape.error().message;
    }
}

} // namespace highwater
