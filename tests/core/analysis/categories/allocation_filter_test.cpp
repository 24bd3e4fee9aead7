#include "core/analysis/categories/allocation_filter.h"

#include <gtest/gtest.h>

#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Allocations: 0 is old (900), 1 is a (100, lives two events), 2 is b (2 KiB), 3 is c (3 MiB).
class Filtered : public testing::Test
{
protected:
    std::vector<AllocationIndex> matching(const std::string& query) const
    {
        const Result<FilterSpec> spec = parseFilter(query);
        EXPECT_TRUE(spec) << query;
        return indicesOf(*spec);
    }
    std::vector<AllocationIndex> indicesOf(const FilterSpec& spec) const
    {
        const Result<FilterResult> result = filterAllocations(allocations, categories, spec);
        std::vector<AllocationIndex> found;
        for (AllocationIndex i = 0; i < result->matches.size(); ++i)
            if (result->matches[i])
                found.push_back(i);
        EXPECT_EQ(result->count, static_cast<std::int64_t>(found.size()));
        Bytes bytes = 0;
        for (const AllocationIndex i : found)
            bytes += allocations.bytes(i);
        EXPECT_EQ(result->bytes, bytes);
        return found;
    }

    std::shared_ptr<const Trace> trace = test::traceFromText(R"(
        stack s = ??:0 at::_ops::bmm::call | /app/model.py:12 attend | /app/train.py:3 main
        stack t = /app/data.py:7 Collate | /app/train.py:3 main
        alloc a 100 @s
        alloc b 2KiB @t
        free_once a
        alloc c 3MiB
        end
        final old 900 @t
    )");
    AllocationTable allocations{*trace, 0};
    CategoryTable categories{allocations.size()};
};

using Matches = std::vector<AllocationIndex>;

} // namespace

TEST_F(Filtered, AnEmptyQueryMatchesEverything)
{
    EXPECT_EQ(matching(""), (Matches{0, 1, 2, 3}));
    EXPECT_TRUE(parseFilter("")->isEmpty());
}

TEST_F(Filtered, ConditionsInAListMayHaveCommas)
{
    EXPECT_EQ(matching("train.py, size > 1 KiB"), matching("train.py size>1KiB"));
    EXPECT_FALSE(matching("train.py, size > 1 KiB").empty());
}

TEST_F(Filtered, TextIsFoundInFunctionFileAndLine)
{
    EXPECT_EQ(matching("attend"), (Matches{1}));
    EXPECT_EQ(matching("model.py:12"), (Matches{1}));
    EXPECT_EQ(matching("bmm"), (Matches{1}));
    EXPECT_EQ(matching("train.py"), (Matches{0, 1, 2}));
}

TEST_F(Filtered, LetterCaseDoesNotMatter)
{
    EXPECT_EQ(matching("collate"), (Matches{0, 2}));
    EXPECT_EQ(matching("ATTEND"), (Matches{1}));
}

TEST_F(Filtered, TextIsNoExpression)
{
    EXPECT_EQ(matching("a.tend"), (Matches{}));
    EXPECT_EQ(matching("/a.tend/"), (Matches{1}));
}

TEST_F(Filtered, SizesAreBounded)
{
    EXPECT_EQ(matching("size>=2KiB"), (Matches{2, 3}));
    EXPECT_EQ(matching("size>2KiB"), (Matches{3}));
    EXPECT_EQ(matching("size<900"), (Matches{1}));
    EXPECT_EQ(matching("size<=900"), (Matches{0, 1}));
    EXPECT_EQ(matching("size=100B"), (Matches{1}));
}

TEST_F(Filtered, LifetimesAreBoundedInEvents)
{
    EXPECT_EQ(matching("life<=2"), (Matches{1, 3}));
    EXPECT_EQ(matching("life>2"), (Matches{0, 2}));
}

TEST_F(Filtered, NothingIsBeyondTheLargestNumber)
{
    EXPECT_EQ(matching("life>9223372036854775807"), (Matches{}));
}

TEST_F(Filtered, EveryPartMustHold)
{
    EXPECT_EQ(matching("train.py size>=1KiB"), (Matches{2}));
}

TEST_F(Filtered, AddressesAreFound)
{
    EXPECT_EQ(matching("0x200000000"), (Matches{2}));
}

TEST_F(Filtered, AnAddressInsideFindsWhatContainedIt)
{
    EXPECT_EQ(matching("0x200000001"), (Matches{2}));
}

TEST_F(Filtered, AWindowMayAskForBirthsOrForLives)
{
    FilterSpec spec;
    spec.window = FilterSpec::Window::BornIn;
    spec.firstEvent = 1;
    spec.lastEvent = 3;
    EXPECT_EQ(indicesOf(spec), (Matches{2}));
    spec.window = FilterSpec::Window::LiveIn;
    EXPECT_EQ(indicesOf(spec), (Matches{0, 1, 2}));
    spec.firstEvent = 3;
    spec.lastEvent = 4;
    EXPECT_EQ(indicesOf(spec), (Matches{0, 2, 3}));
}

TEST_F(Filtered, ACategoryIsFoundByTheBeginningOfItsNameInTheLegend)
{
    categories.set(1, Category::Activation, Grade::A, CategoryReason::Nothing);
    categories.set(2, Category::OptimizerState, Grade::A, CategoryReason::Nothing);
    categories.set(3, Category::Parameter, Grade::A, CategoryReason::Nothing);
    for (const char* text : {"category:activation", "cat:activations", "Category : act", "CAT:Activation"})
        EXPECT_EQ(matching(text), (Matches{1})) << text;
    for (const char* text : {"cat:optimizer", "category:optimizer_state", "category: optimizer state"})
        EXPECT_EQ(matching(text), (Matches{2})) << text;
    for (const char* text : {"cat:weight", "cat:weights", "category:parameter"})
        EXPECT_EQ(matching(text), (Matches{3})) << text;
}

TEST_F(Filtered, ACategoryAndOtherConditionsHoldTogether)
{
    categories.set(2, Category::Activation, Grade::A, CategoryReason::Nothing);
    categories.set(3, Category::Activation, Grade::A, CategoryReason::Nothing);
    EXPECT_EQ(matching("cat:activation size>=1MiB"), (Matches{3}));
    EXPECT_EQ(matching("collate cat:activation"), (Matches{2}));
    EXPECT_FALSE(parseFilter("cat:activation")->isEmpty());
}

TEST_F(Filtered, AnUnknownCategoryIsNamedWithThoseThatThereAre)
{
    const Result<FilterSpec> spec = parseFilter("category:actors");
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error().code, ErrorCode::BadRequest);
    EXPECT_NE(spec.error().message.find("\"actors\" is not a category"), std::string::npos);
    EXPECT_NE(spec.error().message.find("gradients"), std::string::npos);
    EXPECT_FALSE(parseFilter("cat:"));
}

TEST_F(Filtered, BadFiguresAreNamed)
{
    EXPECT_EQ(parseFilter("size>=lots").error().code, ErrorCode::BadRequest);
    EXPECT_NE(parseFilter("size>=lots").error().message.find("lots"), std::string::npos);
    EXPECT_FALSE(parseFilter("life>soon"));
}

TEST_F(Filtered, ConditionsOnSomethingElseAreNamed)
{
    for (const char* query : {"step:6", "age>100", "bytes>=3MiB", "foo:bar"})
        EXPECT_FALSE(parseFilter(query)) << query;
    for (const char* query : {"lifetime>100", "model.py:39", "std::vector", "a=b"})
        EXPECT_TRUE(parseFilter(query)) << query;
}

TEST_F(Filtered, ABadExpressionIsABadRequest)
{
    FilterSpec spec;
    spec.text = "(";
    spec.isRegularExpression = true;
    const Result<FilterResult> result = filterAllocations(allocations, categories, spec);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::BadRequest);
}

TEST_F(Filtered, AFrameIsFoundByItsOwnText)
{
    EXPECT_EQ(frameFilterText("attend", "/app/model.py", 12), "/^attend /app/model\\.py:12$/");
    EXPECT_EQ(matching(frameFilterText("attend", "/app/model.py", 12)), (Matches{1}));
    EXPECT_EQ(matching(frameFilterText("main", "/app/train.py", 3)), (Matches{0, 1, 2}));
    EXPECT_EQ(matching(frameFilterText("attend", "/app/model.py", 1)), (Matches{}));
    EXPECT_EQ(frameFilterText("void f<int>(size= 3)", "??", 0), "/^void\\sf<int>\\(size=\\s3\\) \\?\\?:0$/");
}

} // namespace highwater
