#include <fmt/format.h>

#include "tests/core/analysis/detectors/detector_test_support.h"
#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

constexpr const char* kLoadStacks = R"(
stack load = hub.py:9 make | train.py:3 load | train.py:1 main
stack convert = train.py:4 convert | train.py:1 main
stack reference = hub.py:9 make | train.py:6 load_reference | train.py:1 main
)";

/// Allocates eight tensors of three sizes.
std::string tensorsOf(const char* name, const char* stack, Bytes scale = 1000)
{
    std::string text;
    for (int tensor = 0; tensor < 8; ++tensor)
        text += fmt::format("alloc {}{} {} @{}\n", name, tensor, scale * (1 + tensor % 3), stack);
    return text;
}
constexpr Bytes kModelBytes = 15'000;

std::vector<Finding> copiesIn(const std::string& text)
{
    const test::DetectorCase tiny(kLoadStacks + text + "end\n");
    return findDuplicateModel(tiny.input);
}

} // namespace

TEST(DuplicateModel, IsFoundWithTheBytesOfAllCopiesButOne)
{
    const auto found = copiesIn(tensorsOf("a", "load") + tensorsOf("b", "convert"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].bytes, kModelBytes);
    EXPECT_EQ(found[0].grade, Grade::A);
    EXPECT_EQ(found[0].kind, FindingKind::Fault);
    EXPECT_EQ(found[0].remedy.savedBytes, kModelBytes);
}

TEST(DuplicateModel, NamesThePathOfEachCopy)
{
    const auto found = copiesIn(tensorsOf("a", "load") + tensorsOf("b", "convert"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(test::hasParts(found[0].evidence.at(0).sentence, {"load (train.py:3) [make (hub.py:9)]"}));
    EXPECT_TRUE(test::hasParts(found[0].evidence.at(1).sentence, {"convert (train.py:4)"}));
}

TEST(DuplicateModel, AdvisesToDoWithoutTheCopyThatIsNotNeeded)
{
    const auto converted = copiesIn(tensorsOf("a", "load") + tensorsOf("b", "convert"));
    ASSERT_EQ(converted.size(), 1u);
    EXPECT_TRUE(test::hasParts(converted[0].remedy.action, {"convert (train.py:4)"}));
    EXPECT_EQ(converted[0].remedy.action.find("train.py:3"), std::string::npos);
    const auto narrowed = copiesIn(tensorsOf("a", "load", 1000) + tensorsOf("b", "convert", 500));
    ASSERT_EQ(narrowed.size(), 1u);
    EXPECT_TRUE(test::hasParts(narrowed[0].remedy.action, {"load (train.py:3)"}));
}

TEST(DuplicateModel, IsAFactWhereACopyIsAReference)
{
    const auto found = copiesIn(tensorsOf("a", "load") + tensorsOf("b", "reference"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, FindingKind::Fact);
}

TEST(DuplicateModel, IsNoneWhereAModelBuildsTwoEqualParts)
{
    EXPECT_TRUE(copiesIn(R"(
stack encoder = layers.py:5 make | model.py:7 __init__ | train.py:1 main
stack decoder = layers.py:5 make | model.py:8 __init__ | train.py:1 main
)" + tensorsOf("a", "encoder")
        + tensorsOf("b", "decoder"))
                    .empty());
}

TEST(DuplicateModel, IsNoneWhereTheCopiesAreLittleOfWhatWasLoaded)
{
    EXPECT_TRUE(
        copiesIn(tensorsOf("a", "load") + tensorsOf("b", "convert") + "alloc more 31000 @load\n").empty());
}

TEST(DuplicateModel, IsNoneWhereTheSizesDiffer)
{
    EXPECT_TRUE(copiesIn(tensorsOf("a", "load") + tensorsOf("b", "convert", 1001)).empty());
}

TEST(DuplicateModel, IsNoneWhereTheFirstCopyIsGoneAtThePeak)
{
    std::string text = tensorsOf("a", "load");
    for (int tensor = 0; tensor < 8; ++tensor)
        text += fmt::format("free a{}\n", tensor);
    EXPECT_TRUE(copiesIn(text + tensorsOf("b", "convert") + "alloc more 10000\n").empty());
}

} // namespace highwater
