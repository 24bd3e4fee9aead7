#include <array>
#include <map>
#include <ostream>

#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

/// Checks recordings whose contents are known: scripts recorded with PyTorch's allocator, and files that
/// someone studied carefully.
namespace highwater {

namespace {

constexpr Bytes kGpt2 = Bytes{124'439'808} * 4;

struct Known
{
    std::string file;
    std::map<Category, Bytes> bytes; ///< within 1% of the peak; other categories are not compared
    DeviceIndex device = 0;

    friend std::ostream& operator<<(std::ostream& out, const Known& known) { return out << known.file; }
};

struct KnownSteps
{
    std::string file;
    std::size_t steps = 0;
    bool lastIsComplete = true;

    friend std::ostream& operator<<(std::ostream& out, const KnownSteps& known) { return out << known.file; }
};

constexpr Category P = Category::Parameter;
constexpr Category G = Category::Gradient;
constexpr Category O = Category::OptimizerState;
constexpr Category T = Category::Temporary;
constexpr Category U = Category::Unknown;

const std::vector<Known>& knownCategories()
{
    static const std::vector<Known> known = {
        {"rehearsed/t_clean.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {G, 0}, {U, 0}}},
        {"rehearsed/c_copies.pickle.zst", {{P, 3 * kGpt2 + kGpt2 / 2}, {O, 2 * kGpt2}, {U, 0}}},
        {"rehearsed/d_zero_late.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {G, kGpt2}, {U, 0}}},
        {"rehearsed/f_too_big.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {T, 0}, {U, 0}}},
        {"rehearsed/f_too_big.pickle.observer.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {T, 0}, {U, 0}}},
        {"rehearsed/g_eval_grad.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {T, 0}, {U, 0}}},
        {"rehearsed/j_checkpoint.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {U, 0}}},
        {"rehearsed/k_two_streams.pickle.zst", {{P, 537'001'984}, {O, 537'001'984}, {U, 0}}},
        {"rehearsed/n_thousand.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {U, 0}}},
        {"rehearsed/o_retain.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {G, kGpt2}, {U, 0}}},
        {"rehearsed/r_overflow.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {U, 0}}},
        {"rehearsed/u3_grpo_short.pickle.zst", {{P, 2 * kGpt2}, {O, 2 * kGpt2}, {U, 0}}},
        {"rehearsed/ranks/ddp_rank0.pickle.zst", {{P, kGpt2}, {O, 2 * kGpt2}, {G, kGpt2}, {U, 0}}},
        {"rehearsed/ranks/fsdp_rank1.pickle.zst", {{O, kGpt2}, {U, 0}}},
        // None of PyTorch's optimizers changes the parameters.
        {"rehearsed/s_manual_sgd.pickle.zst", {{P, kGpt2}, {O, 0}, {U, 0}}},
        // Activations until the request failed; Python released them afterwards.
        {"judged/oom-expandable-4-devices.pickle", {{P, 0}, {G, 0}, {U, 0}}, 1},
        // 4-bit weights, 66 of which come in equal pairs; nothing is trained.
        {"judged/four-bit-weights.pickle", {{P, 1'078'344'320}, {G, 0}, {O, 0}}},
        // There is no zero_grad: gradients as large as the parameters stay throughout the trace.
        {"judged/persistent-gradients.pickle", {{P, 761'000'000}, {G, 761'000'000}, {U, 0}}},
        {"judged/two-models-forward.pickle", {{P, 21'620'000'000}, {G, 7'990'000'000}}},
        {"judged/first-step-only.pickle", {{P, 13'626'000'000}, {G, 13'626'000'000}, {O, 27'252'000'000}}},
    };
    return known;
}

const std::vector<KnownSteps>& knownSteps()
{
    static const std::vector<KnownSteps> known
        = {{"rehearsed/t_clean.pickle.zst", 8}, {"rehearsed/a1_loss_list.pickle.zst", 8},
            {"rehearsed/a2_graph_list.pickle.zst", 8}, {"rehearsed/c_copies.pickle.zst", 6},
            {"rehearsed/d_zero_late.pickle.zst", 6}, {"rehearsed/f_too_big.pickle.zst", 6, false},
            {"rehearsed/f_too_big.pickle.observer.zst", 6, false}, {"rehearsed/g_eval_grad.pickle.zst", 8},
            {"rehearsed/i_autocast.pickle.zst", 6}, {"rehearsed/j_checkpoint.pickle.zst", 6},
            {"rehearsed/k_two_streams.pickle.zst", 30}, {"rehearsed/n_thousand.pickle.zst", 1000},
            {"rehearsed/o_retain.pickle.zst", 6}, {"rehearsed/p_math_attention.pickle.zst", 6},
            {"rehearsed/r_overflow.pickle.zst", 3}, {"rehearsed/s_manual_sgd.pickle.zst", 6},
            {"rehearsed/u2_grpo_renamed.pickle.zst", 6}, {"rehearsed/u3_grpo_short.pickle.zst", 6},
            {"rehearsed/ranks/ddp_rank0.pickle.zst", 6}, {"rehearsed/ranks/ddp_rank1.pickle.zst", 6},
            {"rehearsed/ranks/fsdp_rank0.pickle.zst", 6}, {"rehearsed/ranks/fsdp_rank1.pickle.zst", 6}};
    return known;
}

template <typename T>
std::string nameOfRecording(const testing::TestParamInfo<T>& info)
{
    return test::testNameOf(info.param.file);
}

std::shared_ptr<const Trace> traceInFile(const std::string& path)
{
    return openTrace(path, {})->trace;
}

CategoryBytes categoriesAtPeak(const DeviceStudy& study)
{
    return categoriesAt(study.allocations, study.categories, {study.curve.peak().event}).front();
}

} // namespace

class KnownCategories : public testing::TestWithParam<Known>
{
};

TEST_P(KnownCategories, AreWithinAHundredthOfThePeak)
{
    const auto path = test::realFilePath(GetParam().file);
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    const DeviceStudy study(*trace, GetParam().device);
    const CurvePeak peak = study.curve.peak();
    const CategoryBytes bytes = categoriesAtPeak(study);
    for (const auto& [category, wanted] : GetParam().bytes)
        EXPECT_NEAR(static_cast<double>(bytes[static_cast<std::size_t>(category)]),
            static_cast<double>(wanted), static_cast<double>(peak.bytes) / 100)
            << toText(category);
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, KnownCategories, testing::ValuesIn(knownCategories()), nameOfRecording<Known>);

class KnownStepCounts : public testing::TestWithParam<KnownSteps>
{
};

TEST_P(KnownStepCounts, AreExact)
{
    const auto path = test::realFilePath(GetParam().file);
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    const StepTable steps = DeviceStudy(*trace, 0).steps;
    EXPECT_EQ(steps.count(), GetParam().steps) << steps.reason;
    const auto last = std::ranges::find_if(steps.steps.rbegin(), steps.steps.rend(), &Step::isCounted);
    ASSERT_NE(last, steps.steps.rend());
    EXPECT_EQ(last->isComplete, GetParam().lastIsComplete);
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, KnownStepCounts, testing::ValuesIn(knownSteps()), nameOfRecording<KnownSteps>);

TEST(KnownRecordings, ALostStartMakesTheFirstStepIncomplete)
{
    const auto path = test::realFilePath("rehearsed/r_overflow.pickle.zst");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    const StepTable steps = DeviceStudy(*trace, 0).steps;
    EXPECT_FALSE(steps.steps.front().isComplete);
    EXPECT_EQ(steps.countText(), "3 steps; the first is incomplete");
}

TEST(KnownRecordings, GradientsOfAnOptimizerOfTheUsersOwnAreGradients)
{
    const auto path = test::realFilePath("rehearsed/s_manual_sgd.pickle.zst");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    const DeviceStudy study(*trace, 0);
    // The last event of the backward that precedes the second step.
    std::int64_t end = 0;
    for (const PhaseRange& range : study.phases.ranges())
        if (range.phase == Phase::Backward && end == 0)
            end = range.end - 1;
    const CategoryBytes bytes = categoriesAt(study.allocations, study.categories, {end}).front();
    EXPECT_EQ(bytes[static_cast<std::size_t>(Category::Gradient)], kGpt2);
}

TEST(KnownRecordings, OfACutOffForwardTheGraphIsActivations)
{
    const auto path = test::realFilePath("judged/oom-expandable-4-devices.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    const DeviceStudy study(*trace, 1);
    const CategoryBytes bytes = categoriesAtPeak(study);
    EXPECT_GT(bytes[static_cast<std::size_t>(Category::Activation)] * 10, study.curve.peak().bytes * 9);
}

TEST(KnownRecordings, ALoopThatPreparesDataHasNoSteps)
{
    const auto path = test::realFilePath("judged/oom-expandable-4-devices.pickle");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    EXPECT_EQ(DeviceStudy(*trace, 0).steps.source, StepSource::Whole);
}

TEST(KnownRecordings, TheGraphOfAnEvaluationIsActivations)
{
    const auto path = test::realFilePath("rehearsed/g_eval_grad.pickle.zst");
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = traceInFile(*path);
    const DeviceStudy study(*trace, 0);
    const CategoryBytes bytes = categoriesAtPeak(study);
    EXPECT_GT(bytes[static_cast<std::size_t>(Category::Activation)], 6 * kGiB);
}

} // namespace highwater
