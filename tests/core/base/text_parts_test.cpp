#include "core/base/text_parts.h"

#include <array>

#include <gtest/gtest.h>

namespace highwater {

TEST(FileName, StandsBehindTheLastSlash)
{
    EXPECT_EQ(fileName("/data/run.1/rank0.pickle"), "rank0.pickle");
    EXPECT_EQ(fileName("rank0.pickle"), "rank0.pickle");
    EXPECT_EQ(fileName("a\\b.pickle"), "a\\b.pickle"); // a valid file name on this system
    EXPECT_EQ(fileName("/data/"), "");
    EXPECT_EQ(fileName(""), "");
}

TEST(FileName, OfASourceMayBeOfAnySystem)
{
    EXPECT_EQ(sourceFileName("/src/train.py"), "train.py");
    EXPECT_EQ(sourceFileName("C:\\src\\train.py"), "train.py");
    EXPECT_EQ(sourceFileName("C:\\src/nn\\module.py"), "module.py");
    EXPECT_EQ(sourceFileName("train.py"), "train.py");
    EXPECT_EQ(sourceFileName(""), "");
}

TEST(Trimmed, LosesTheBlanksAtItsEndsOnly)
{
    EXPECT_EQ(trimmed(" \t12 GiB\r\n"), "12 GiB");
    EXPECT_EQ(trimmed("12"), "12");
    EXPECT_EQ(trimmed(" \t\r\n"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Trimmed, LosesOnlyWhatIsCalledBlank)
{
    EXPECT_EQ(trimmed(" \t12 \n", " "), "\t12 \n");
}

TEST(Lowered, ChangesLettersOfAsciiOnly)
{
    EXPECT_EQ(lowered("CUDA Out-of-Memory [@Z]"), "cuda out-of-memory [@z]");
    EXPECT_EQ(lowered("Ünder"), "Ünder");
    EXPECT_EQ(lowered(""), "");
}

TEST(Contains, FindsAPartAnywhere)
{
    EXPECT_TRUE(contains("log_softmax", "softmax"));
    EXPECT_TRUE(contains("softmax", "softmax"));
    EXPECT_TRUE(contains("softmax", ""));
    EXPECT_FALSE(contains("soft", "softmax"));
}

TEST(ContainsAny, FindsOneOfTheWords)
{
    EXPECT_TRUE(containsAny("torch/optim/adam.py", {"muon", "adam"}));
    EXPECT_FALSE(containsAny("torch/nn/module.py", {"muon", "adam"}));
    EXPECT_FALSE(containsAny("torch/nn/module.py", {}));
}

TEST(IsAnyOf, ComparesWholeWords)
{
    EXPECT_TRUE(isAnyOf("step", {"update", "step"}));
    EXPECT_FALSE(isAnyOf("optimizer_step", {"update", "step"}));
}

TEST(ContainsAny, TakesATableOfWords)
{
    constexpr std::array<std::string_view, 2> kFolders = {"/Python/", "/Objects/"};
    EXPECT_TRUE(containsAny("/build/Objects/call.c", kFolders));
    EXPECT_FALSE(containsAny("/build/Modules/gc.c", kFolders));
}

} // namespace highwater
