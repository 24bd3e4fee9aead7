#include "core/analysis/categories/lifetimes_alone.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

constexpr int kWeights = 6;
constexpr int kActivations = 12;
constexpr Bytes kActivationSize = 100'000;

Bytes weightSize(int i)
{
    return 1000 * (i + 1);
}

/// Allocates a block of each weight's size.
std::string weightsNamed(const std::string& name)
{
    std::string text;
    for (int i = 0; i < kWeights; ++i)
        text += fmt::format("alloc {}{} {}\n", name, i, weightSize(i));
    return text;
}

std::string freedWeights(const std::string& name)
{
    std::string text;
    for (int i = 0; i < kWeights; ++i)
        text += fmt::format("free {}{}\n", name, i);
    return text;
}

/// Allocates activations and frees them in reverse order. A scratch block is live at the turn, another one
/// early in the forward. Between two activations, so many blocks come and go that no activation dies at once.
std::string pass(const std::string& name)
{
    std::string text;
    for (int i = 0; i < kActivations; ++i) {
        text += fmt::format("alloc {}{} {}\n", name, i, kActivationSize + i);
        if (i == 1)
            text += fmt::format("alloc early{0} 700\nfree early{0}\n", name);
        for (int k = 0; k < 6; ++k)
            text += fmt::format("alloc t{0}{1}{2} 64\nfree t{0}{1}{2}\n", name, i, k);
    }
    text += fmt::format("alloc turn{0} 900\n", name);
    for (int i = kActivations; i-- > 0;)
        text += fmt::format("free {}{}\n", name, i);
    return text + fmt::format("free turn{0}\n", name);
}

/// Returns three steps whose gradients are freed before the next forward, with two sets of state.
std::string trainingWithoutStacks()
{
    std::string text = weightsNamed("w");
    for (const char* step : {"p", "q", "r"}) {
        text += pass(step) + weightsNamed(fmt::format("g{}", step));
        if (step[0] == 'p')
            text += weightsNamed("m") + weightsNamed("v");
        for (int k = 0; k < 20; ++k)
            text += fmt::format("alloc s{0}{1} 32\nfree s{0}{1}\n", step, k);
        text += freedWeights(fmt::format("g{}", step));
    }
    return text + "end\n";
}

/// The categories of a trace, by birth.
class Categories
{
public:
    explicit Categories(const std::string& text)
        : m_trace(test::traceFromText(text))
        , m_study(*m_trace, 0)
    {
    }

    /// Returns the category of the nth allocation of this size, from 0.
    Category of(Bytes size, std::size_t nth = 0) const
    {
        for (AllocationIndex i = 0; i < m_study.allocations.size(); ++i)
            if (m_study.allocations.recordedBytes(i) == size && nth-- == 0) {
                EXPECT_TRUE(m_study.categories.of(i) == Category::Temporary
                    || m_study.categories.gradeOf(i) == Grade::C);
                return m_study.categories.of(i);
            }
        ADD_FAILURE() << "no allocation of " << size;
        return Category::Unknown;
    }

private:
    std::shared_ptr<const Trace> m_trace;
    DeviceStudy m_study;
};

} // namespace

TEST(LifetimesAlone, TakeWhatIsFreedInReverseForActivations)
{
    const Categories found(trainingWithoutStacks());
    for (int i = 0; i < kActivations; ++i)
        EXPECT_EQ(found.of(kActivationSize + i), Category::Activation) << i;
}

TEST(LifetimesAlone, TakeWhatStaysFromTheBeginningForWeights)
{
    const Categories found(trainingWithoutStacks());
    for (int i = 0; i < kWeights; ++i)
        EXPECT_EQ(found.of(weightSize(i), 0), Category::Parameter) << i;
}

TEST(LifetimesAlone, TakeFurtherSetsThatStayForOptimizerState)
{
    const Categories found(trainingWithoutStacks());
    for (const std::size_t nth : {2u, 3u})
        EXPECT_EQ(found.of(weightSize(2), nth), Category::OptimizerState) << nth;
}

TEST(LifetimesAlone, TakeSetsThatComeAndGoForGradients)
{
    const Categories found(trainingWithoutStacks());
    for (const std::size_t nth : {1u, 4u, 5u})
        EXPECT_EQ(found.of(weightSize(2), nth), Category::Gradient) << nth;
}

TEST(LifetimesAlone, LeaveWhatIsLiveAroundTheTurnUnknown)
{
    const Categories found(trainingWithoutStacks());
    EXPECT_EQ(found.of(900), Category::Unknown) << "scratch memory or the last activation";
    EXPECT_EQ(found.of(700), Category::Temporary);
}

TEST(LifetimesAlone, CallNoBlockOptimizerStateIfNothingIsTrained)
{
    std::string text = weightsNamed("w") + "alloc batch 5000000\n";
    for (int k = 0; k < 20; ++k)
        text += fmt::format("alloc t{0} 64\nfree t{0}\n", k);
    const Categories found(text + "free batch\n" + weightsNamed("more") + "end\n");
    EXPECT_EQ(found.of(weightSize(2), 0), Category::Parameter);
    EXPECT_EQ(found.of(weightSize(2), 1), Category::Unknown);
    EXPECT_EQ(found.of(5'000'000), Category::Unknown) << "nothing shows that it is a temporary";
}

TEST(LifetimesAlone, AreNotUsedWhereStacksAreKnown)
{
    const auto trace
        = openTrace(test::samplePath("pytorch-snapshot/training-6-steps-bare.pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    EXPECT_FALSE(
        showsLifetimesAlone(CategoryEvidence(study.trace, study.allocations, study.phases, study.steps)));
}

/// The same run was recorded with and without stacks.
TEST(LifetimesAlone, ContradictNoCategoryFromStacksAtThePeak)
{
    const auto with
        = openTrace(test::samplePath("pytorch-snapshot/training-6-steps-bare.pickle.zst"), {})->trace;
    const auto without
        = openTrace(test::samplePath("pytorch-snapshot/training-6-steps-no-frames.pickle.zst"), {})->trace;
    const DeviceStudy known(*with, 0);
    const DeviceStudy guessed(*without, 0);
    Bytes agreed = 0;
    for (const AllocationIndex i : guessed.allocations.liveAt(guessed.curve.peak().event)) {
        const Category category = guessed.categories.of(i);
        EXPECT_TRUE(category == Category::Unknown || category == known.categories.of(i)) << i;
        if (category == known.categories.of(i))
            agreed += guessed.allocations.bytes(i);
    }
    EXPECT_GE(2 * agreed, guessed.curve.peak().bytes);
}

} // namespace highwater
