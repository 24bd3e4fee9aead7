#include <fmt/format.h>

#include "tests/core/analysis/detectors/detector_test_support.h"

namespace highwater {

namespace {

constexpr const char* kStacks = R"(
stack load = hub.py:9 make | train.py:3 load | train.py:1 main
stack convert = train.py:4 convert | train.py:1 main
stack reference = hub.py:9 make | train.py:6 load_reference | train.py:1 main
)";

/// Eight tensors of three sizes.
std::string model(const char* name, const char* stack, Bytes scale = 1000)
{
    std::string text;
    for (int tensor = 0; tensor < 8; ++tensor)
        text += fmt::format("alloc {}{} {} @{}\n", name, tensor, scale * (1 + tensor % 3), stack);
    return text;
}
constexpr Bytes kModel = 15'000;

std::vector<Finding> copiesIn(const std::string& text)
{
    const test::DetectorCase tiny(kStacks + text + "end\n");
    return findDuplicateModel(tiny.input);
}

} // namespace

TEST(DuplicateModel, IsFoundWithTheBytesOfAllCopiesButOne)
{
    const auto found = copiesIn(model("a", "load") + model("b", "convert"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, kModel);
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_EQ(found[0].kind, FindingKind::Fault);
    EXPECT_EQ(found[0].remedy.savedBytes, kModel);
}

TEST(DuplicateModel, NamesThePathOfEachCopy)
{
    const auto found = copiesIn(model("a", "load") + model("b", "convert"));
    EXPECT_EQ(found[0].evidence[0].sentence, "copy 1: load (train.py:3) → make (hub.py:9)");
    EXPECT_EQ(found[0].evidence[1].sentence, "copy 2: convert (train.py:4)");
}

TEST(DuplicateModel, IsAFactWhereACopyIsAReference)
{
    const auto found = copiesIn(model("a", "load") + model("b", "reference"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
}

TEST(DuplicateModel, IsNoneWhereAModelBuildsTwoEqualParts)
{
    EXPECT_TRUE(copiesIn(R"(
stack encoder = layers.py:5 make | model.py:7 __init__ | train.py:1 main
stack decoder = layers.py:5 make | model.py:8 __init__ | train.py:1 main
)" + model("a", "encoder")
        + model("b", "decoder"))
                    .empty());
}

TEST(DuplicateModel, IsNoneWhereTheCopiesAreLittleOfWhatWasLoaded)
{
    EXPECT_TRUE(copiesIn(model("a", "load") + model("b", "convert") + "alloc more 31000 @load\n").empty());
}

TEST(DuplicateModel, IsNoneWhereTheSizesDiffer)
{
    EXPECT_TRUE(copiesIn(model("a", "load") + model("b", "convert", 1001)).empty());
}

TEST(DuplicateModel, IsNoneWhereTheFirstCopyIsGoneAtThePeak)
{
    std::string text = model("a", "load");
    for (int tensor = 0; tensor < 8; ++tensor)
        text += fmt::format("free a{}\n", tensor);
    EXPECT_TRUE(copiesIn(text + model("b", "convert") + "alloc more 10000\n").empty());
}

} // namespace highwater
