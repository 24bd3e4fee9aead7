#include "core/analysis/categories/model_copies.h"

#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

const char* const kFrames = R"(
    stack load = /x/torch/nn/modules/module.py:9 convert | /app/train.py:2 main
    stack read = /x/torch/serialization.py:9 _load | /app/train.py:1 main
    stack own = /app/train.py:7 average | /app/train.py:2 main
    stack best = /app/train.py:30 main
    stack forward = /app/model.py:5 forward | /x/torch/nn/modules/module.py:9 _call_impl | /app/train.py:3 main
    stack backward = ??:0 torch::autograd::generated::MmBackward0::apply() | ??:0 torch::autograd::Engine::thread_main()
    stack step = /x/torch/optim/adamw.py:7 step | /x/torch/optim/optimizer.py:8 wrapper | /app/train.py:5 main
    stack zero = /x/torch/optim/optimizer.py:9 zero_grad | /app/train.py:6 main
)";

/// Sizes of five weights. No size is twice another.
constexpr std::array<Bytes, 5> kSizes = {1000, 3000, 7000, 9200, 11000};
constexpr Bytes kAll = 31200;

/// Allocates a block for each weight.
std::string set(const std::string& name, const std::string& stack, Bytes times = 1, Bytes part = 1)
{
    std::string text;
    for (std::size_t i = 0; i < kSizes.size(); ++i)
        text += fmt::format("alloc {}{} {} @{}\n", name, i, kSizes[i] * times / part, stack);
    return text;
}

std::string freed(const std::string& name, const std::string& stack)
{
    std::string text;
    for (std::size_t i = 0; i < kSizes.size(); ++i)
        text += fmt::format("free {}{} @{}\n", name, i, stack);
    return text;
}

/// Returns two steps with Adam, whose state is `stateTimes` times as large as the weights.
std::string stepsWithAdam(Bytes stateTimes, const std::string& between = {})
{
    std::string text;
    for (const std::string number : {"p", "q"}) {
        text += fmt::format("alloc a{0} 5000 @forward\n", number) + set("g" + number, "backward")
            + fmt::format("free a{0} @backward\n", number);
        if (number == "p")
            text += set("m", "step", stateTimes) + set("v", "step", stateTimes);
        else
            text += "alloc t 16 @step\nfree t @step\n";
        text += freed("g" + number, "zero") + between;
    }
    return text + "alloc last 5000 @forward\nend\n";
}

/// Returns the category of these allocations, or Unknown if they have several.
Category calledOf(const std::string& text, std::size_t first, std::size_t count)
{
    const auto trace = test::traceFromText(kFrames + text);
    const DeviceStudy study(*trace, 0, std::vector<CategoryRule>());
    const Category category = study.categories.of(static_cast<AllocationIndex>(first));
    for (std::size_t i = first; i < first + count; ++i)
        if (study.categories.of(static_cast<AllocationIndex>(i)) != category)
            return Category::Unknown;
    return category;
}

} // namespace

TEST(ModelCopies, InTwiceThePrecisionAreMastersWhereTheStateIsAsWide)
{
    EXPECT_EQ(
        calledOf(set("w", "load") + set("c", "own", 2) + stepsWithAdam(2), 5, 5), Category::OptimizerState);
}

TEST(ModelCopies, InTwiceThePrecisionAreTheModelOnceMoreWhereTheStateIsNarrow)
{
    EXPECT_EQ(calledOf(set("w", "load") + set("c", "own", 2) + stepsWithAdam(1), 5, 5), Category::Parameter);
    EXPECT_EQ(calledOf(set("w", "load") + set("c", "read", 2) + stepsWithAdam(1), 5, 5), Category::Parameter);
}

TEST(ModelCopies, MayBeOneBlockOfAsManyBytesAsAllWeights)
{
    const std::string flat = fmt::format("alloc flat {} @own\n", 3 * kAll);
    EXPECT_EQ(calledOf(set("w", "load") + flat + stepsWithAdam(1), 5, 1), Category::Input)
        << "three times: data";
    std::string large;
    for (std::size_t i = 0; i < kSizes.size(); ++i)
        large += fmt::format("alloc w{} {} @load\n", i, kSizes[i] * 4);
    const std::string average = fmt::format("alloc flat {} @own\n", 4 * kAll);
    EXPECT_EQ(calledOf(large + average + stepsWithAdam(4), 5, 1), Category::Parameter);
}

TEST(ModelCopies, MadeWhileTrainingInHalfThePrecisionAreWeights)
{
    std::string more;
    for (int i = 0; i < 4; ++i)
        more += fmt::format("alloc n{} 500 @load\n", i);
    std::string copy = set("c", "best", 1, 2);
    for (int i = 0; i < 4; ++i)
        copy += fmt::format("alloc d{} 250 @best\n", i);
    const std::string text = set("w", "load") + more + stepsWithAdam(1);
    // The copies are made after the second step, where the next forward would be.
    const std::string with
        = text.substr(0, text.find("alloc last")) + copy + "alloc last 5000 @forward\nend\n";
    const auto trace = test::traceFromText(kFrames + with);
    const DeviceStudy study(*trace, 0, std::vector<CategoryRule>());
    const auto first = static_cast<AllocationIndex>(study.allocations.size() - 10);
    for (AllocationIndex i = first; i < first + 9; ++i)
        EXPECT_EQ(study.categories.reasonOf(i), CategoryReason::SetOfCopies) << i;
}

} // namespace highwater
