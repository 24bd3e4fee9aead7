#include "core/analysis/categories/categories.h"

#include <numeric>

#include <gtest/gtest.h>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/usage/live_index.h"
#include "importers/registry/open_trace.h"
#include "tests/core/analysis/snapshot_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

/// Category and grade of each allocation.
using Found = std::vector<std::pair<Category, Grade>>;

/// Returns the results for all allocations, in table order.
Found judged(const Trace& trace, const std::vector<CategoryRule>& rules = {})
{
    const DeviceStudy study(trace, 0, rules);
    Found found;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        found.emplace_back(study.categories.of(i), study.categories.gradeOf(i));
    return found;
}

const char* const kStacks = R"(
    stack forward = /app/model.py:5 forward | /x/torch/nn/modules/module.py:9 _call_impl | /app/train.py:3 main
    stack backward = ??:0 torch::autograd::generated::MmBackward0::apply() | ??:0 torch::autograd::Engine::thread_main()
    stack step = /x/torch/optim/adamw.py:7 step | /x/torch/optim/optimizer.py:8 wrapper | /app/train.py:5 main
    stack zero = /x/torch/optim/optimizer.py:9 zero_grad | /app/train.py:6 main
    stack init = /app/model.py:1 build | /app/train.py:1 main
)";

std::shared_ptr<const Trace> traceOf(const std::string& lines)
{
    return test::traceFromText(kStacks + lines);
}

const char* const kOneStep = R"(
    alloc weight 4096 @init
    alloc kept 1000 @forward
    alloc brief 300 @forward
    free brief @forward
    alloc gradient 4096 @backward
    alloc running 1000 @backward
    free kept @backward
    free running @backward
    alloc first 4096 @step
    alloc second 4096 @step
    alloc root 4096 @step
    free root @step
    free gradient @zero
    alloc next 1000 @forward
    end
)";

/// Returns the true category, which the stacks of birth and death reveal in a simulated training step.
Category meant(const Trace& trace, const AllocationTable& allocations, AllocationIndex i)
{
    const auto holds = [&](StackId stack, std::string_view word) {
        for (; trace.stacks.hasFrames(stack); stack = trace.stacks.caller(stack))
            if (trace.text(trace.stacks.frame(trace.stacks.innermost(stack)).function).find(word)
                != std::string_view::npos)
                return true;
        return false;
    };
    const StackId born = allocations.stack(i);
    const bool freed = allocations.death(i) != AllocationTable::kNeverFreed;
    const bool byEngine = freed
        && holds(trace.events.stack[trace.row(allocations.device(), allocations.death(i))], "PythonEngine");
    if (holds(born, "build_model"))
        return Category::Parameter;
    if (holds(born, "_init_group"))
        return Category::OptimizerState;
    if (holds(born, "_multi_tensor_adamw"))
        return Category::Temporary;
    if (holds(born, "PythonEngine"))
        return byEngine ? Category::Temporary : Category::Gradient;
    return byEngine ? Category::Activation : Category::Temporary;
}

CategoryBytes bytesAtPeak(const Trace& trace)
{
    const DeviceStudy study(trace, 0);
    return categoriesAt(study.allocations, study.categories, {study.curve.peak().event}).front();
}

Bytes bytesOf(const CategoryBytes& bytes, Category category)
{
    return bytes[static_cast<std::size_t>(category)];
}

} // namespace

TEST(Categories, FollowLifetimeAndPairing)
{
    const Found expected = {{Category::Parameter, Grade::B}, {Category::Activation, Grade::A},
        {Category::Temporary, Grade::A}, {Category::Gradient, Grade::A}, {Category::Temporary, Grade::A},
        {Category::OptimizerState, Grade::A}, {Category::OptimizerState, Grade::A},
        {Category::Temporary, Grade::A}, {Category::Activation, Grade::B}};
    EXPECT_EQ(judged(*traceOf(kOneStep)), expected);
}

TEST(Categories, OfTheUserOverrideAllOthersAndTheFirstThatFitsWins)
{
    const Bytes noLimit = CategoryRule().maxBytes;
    const std::vector<CategoryRule> rules = {{Category::Workspace, "build /app/model.py:1$", 0, noLimit, ""},
        {Category::Input, "", 1000, 1000, "backward"}, {Category::KvCache, "model.py", 0, noLimit, ""}};
    const Found found = judged(*traceOf(kOneStep), rules);
    EXPECT_EQ(found[0], (Found::value_type{Category::Workspace, Grade::A}));
    EXPECT_EQ(found[1], (Found::value_type{Category::KvCache, Grade::A}));
    EXPECT_EQ(found[4], (Found::value_type{Category::Input, Grade::A}));
    EXPECT_EQ(found[3].first, Category::Gradient);
}

TEST(Categories, OlderStateIsToldFromParametersBySumsAlone)
{
    const auto trace = traceOf(R"(
        alloc kept 1000 @forward
        alloc gradient 4096 @backward
        free kept @backward
        alloc root 4096 @step
        free root @step
        free gradient @zero
        alloc next 1000 @forward
        final a 4096
        final b 4096
        final c 4096
        final buffer 700
        final next 1000
    )");
    const Found found = judged(*trace);
    EXPECT_EQ(found[0], (Found::value_type{Category::Parameter, Grade::C}));
    EXPECT_EQ(found[1], (Found::value_type{Category::OptimizerState, Grade::C}));
    EXPECT_EQ(found[2], (Found::value_type{Category::OptimizerState, Grade::C}));
    EXPECT_EQ(found[3], (Found::value_type{Category::BeforeRecording, Grade::A}));
}

TEST(Categories, GradientsThatBackwardAddsToStandBesideTheirParameters)
{
    const auto trace = traceOf(R"(
        alloc kept 1000 @forward
        alloc part 4096 @backward
        free kept @backward
        free part @backward
        alloc next 500 @forward
        final a 4096
        final b 4096
        final odd 600
        final next 500
    )");
    const Found found = judged(*trace);
    EXPECT_EQ(found[0], (Found::value_type{Category::Parameter, Grade::C}));
    EXPECT_EQ(found[1], (Found::value_type{Category::Gradient, Grade::C}));
    EXPECT_EQ(found[2], (Found::value_type{Category::BeforeRecording, Grade::A}));
}

TEST(Categories, ATraceThatOnlyRunsTheModelHasItsParametersFromBefore)
{
    const Found found = judged(*traceOf("alloc a 700 @forward\nfree a @forward\nfinal weight 4096\n"));
    EXPECT_EQ(found[0], (Found::value_type{Category::Parameter, Grade::B}));
    EXPECT_EQ(found[1], (Found::value_type{Category::Temporary, Grade::A}));
}

TEST(Categories, WithoutEventsNothingIsKnownOfWhatHasNoStack)
{
    EXPECT_EQ(judged(*test::traceFromText("final a 4096\nfinal b 4096\n")),
        (Found(2, {Category::Unknown, Grade::C})));
}

TEST(Categories, WorkspacesAreKnownByTheirFramesOrTheirOddSize)
{
    const auto trace = traceOf("stack cublas = ??:0 at::cuda::getNewWorkspace() | /app/model.py:5 forward\n"
                               "alloc a 64 @cublas\nalloc b 64 @forward\nfree b @forward\n"
                               "final a 64 @cublas\nfinal c 8519680\n");
    const Found found = judged(*trace);
    EXPECT_EQ(found[0], (Found::value_type{Category::Workspace, Grade::B}));
    EXPECT_EQ(found[1], (Found::value_type{Category::Workspace, Grade::B}));
}

TEST(Categories, WorkspacesOfOneCallHaveCublasSizeToo)
{
    const auto trace = traceOf("alloc a 1000 @forward\nalloc w 8519680 @forward\nfree w @forward\n"
                               "alloc v 8519672 @forward\nfree v @forward\nend\n");
    const Found found = judged(*trace);
    EXPECT_EQ(found[1].first, Category::Workspace);
    EXPECT_EQ(found[2].first, Category::Temporary);
}

TEST(Categories, OfSimulatedTrainingAreWhatTheSimulationMeant)
{
    for (const char* name : {"training-6-steps-annotated", "training-6-steps-bare"}) {
        const auto trace = test::snapshotTrace(name);
        ASSERT_TRUE(trace);
        const DeviceStudy study(*trace, 0);
        for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
            ASSERT_EQ(study.categories.of(i), meant(*trace, study.allocations, i))
                << name << ", born at event " << study.allocations.birth(i);
    }
}

TEST(Categories, OfTheReferenceCaseShowTheModelThreeTimes)
{
    const auto trace = test::snapshotTrace("r5-flan-t5-xl-before");
    ASSERT_TRUE(trace);
    const CategoryBytes bytes = bytesAtPeak(*trace);
    EXPECT_EQ(bytesOf(bytes, Category::Parameter), 3 * 5'699'514'368);
    EXPECT_EQ(bytesOf(bytes, Category::OptimizerState), 5'699'514'368);
    EXPECT_EQ(bytesOf(bytes, Category::Gradient), 5'699'514'368);
    EXPECT_EQ(bytesOf(bytes, Category::Unknown), 0);
}

TEST(Categories, OfALeakOfForwardsAreActivations)
{
    const auto trace = test::snapshotTrace("r1-grpo-after");
    ASSERT_TRUE(trace);
    const CategoryBytes bytes = bytesAtPeak(*trace);
    EXPECT_EQ(bytesOf(bytes, Category::Parameter), 2 * 248'879'616); // policy and reference model
    EXPECT_EQ(bytesOf(bytes, Category::OptimizerState), 2 * 248'879'616);
    EXPECT_EQ(bytesOf(bytes, Category::Gradient), 248'879'616);
    EXPECT_EQ(bytesOf(bytes, Category::KvCache), 51'019'776);
    EXPECT_EQ(bytesOf(bytes, Category::Activation), 22'949'958'624);
}

TEST(Categories, DoNotDependOnTheQuantity)
{
    const auto trace = test::snapshotTrace("training-6-steps-bare");
    ASSERT_TRUE(trace);
    const DeviceStudy study(*trace, 0);
    const AllocationTable occupied(*trace, 0, Quantity::Allocated);
    const CategoryTable again = categorize(*trace, occupied, study.phases, study.steps);
    for (AllocationIndex i = 0; i < again.size(); ++i)
        ASSERT_EQ(again.of(i), study.categories.of(i));
}

TEST(CategoryBytes, SumToTheTotalAtAnyEvent)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const auto trace = test::randomTrace(seed, {.events = 400, .consistent = seed % 2 == 0});
        const DeviceStudy study(*trace, 0);
        std::vector<std::int64_t> events;
        for (std::int64_t event = -1; event < trace->eventCount(0); event += 1 + seed)
            events.push_back(event);
        const std::vector<CategoryBytes> rows = categoriesAt(study.allocations, study.categories, events);
        ASSERT_EQ(rows.size(), events.size());
        for (std::size_t row = 0; row < rows.size(); ++row)
            ASSERT_EQ(
                std::accumulate(rows[row].begin(), rows[row].end(), Bytes{0}), study.curve.at(events[row]))
                << "seed " << seed << ", event " << events[row];
    }
}

TEST(CategoryBytes, AreThoseOfTheLiveSet)
{
    const auto trace = traceOf(kOneStep);
    const DeviceStudy study(*trace, 0);
    const std::vector<CategoryBytes> rows = categoriesAt(study.allocations, study.categories, {-1, 1, 7});
    EXPECT_EQ(rows[0], CategoryBytes{});
    EXPECT_EQ(bytesOf(rows[1], Category::Parameter), 4096);
    EXPECT_EQ(bytesOf(rows[1], Category::Activation), 1000);
    EXPECT_EQ(bytesOf(rows[2], Category::Gradient), 4096);
    EXPECT_TRUE(categoriesAt(study.allocations, study.categories, {}).empty());
}

TEST(Composition, ByCategoryHasTheKeysOfTheManual)
{
    const auto trace = traceOf(kOneStep);
    const DeviceStudy study(*trace, 0);
    const Composition composition
        = compositionAt(*trace, study.allocations, study.sites, 7, GroupKey::Category, &study.categories);
    std::vector<std::string> keys;
    for (const CompositionGroup& group : composition.groups)
        keys.push_back(group.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"gradient", "parameter", "activation", "temporary"}));
}

TEST(Composition, ByModuleSaysWhyBytesAreInNone)
{
    const auto trace = traceOf(kOneStep);
    const DeviceStudy study(*trace, 0);
    const Composition composition
        = compositionAt(*trace, study.allocations, study.sites, 7, GroupKey::Module);
    Bytes sum = 0;
    std::size_t reasons = 0;
    for (const CompositionGroup& group : composition.groups) {
        sum += group.bytes;
        reasons += group.key.starts_with('(');
    }
    EXPECT_EQ(sum, study.curve.at(7));
    EXPECT_GT(reasons, 0u);
}

TEST(StackingOrder, PutsWhatStaysAtTheBottomAndWhatIsTemporaryOnTop)
{
    CategoryBytes bytes{};
    bytes[static_cast<std::size_t>(Category::Temporary)] = 100;
    bytes[static_cast<std::size_t>(Category::Unknown)] = 20;
    bytes[static_cast<std::size_t>(Category::Activation)] = 10;
    bytes[static_cast<std::size_t>(Category::Gradient)] = 1;
    using enum Category;
    EXPECT_EQ(stackingOrder(bytes),
        (std::array{Parameter, OptimizerState, Gradient, KvCache, BeforeRecording, Unknown, Activation, Input,
            Workspace, Temporary}));
}

TEST(BandGroups, ByCategoryLieInTheirStackingOrder)
{
    const auto trace = test::snapshotTrace("training-6-steps-bare");
    ASSERT_TRUE(trace);
    const DeviceStudy study(*trace, 0);
    const LiveIndex live(study.allocations);
    const BandGroups groups = groupBands(
        *trace, live, study.sites, study.curve.peak().event, BandMode::Category, &study.categories);
    std::vector<std::string> keys;
    for (const BandGroup& group : groups.groups)
        keys.push_back(group.key);
    EXPECT_EQ(keys,
        (std::vector<std::string>{"parameter", "optimizer_state", "gradient", "activation", "temporary"}));
    EXPECT_EQ(groups.groups[1].label, "optimizer state");
    EXPECT_EQ(groups.groups[3].bytesAtPeak, 272'629'760);
}

TEST(Categories, OfWhatTheDriverHandedOutAreKnownForPoolsAlone)
{
    const auto stocks = openTrace(test::samplePath("nsys/training-3.7.2.sqlite"), {});
    for (const auto& [category, grade] : judged(*stocks->trace))
        EXPECT_TRUE(isUncategorized(category));
    const auto tensors = openTrace(test::samplePath("nsys/memory-pools-3.25.0.sqlite"), {});
    EXPECT_EQ(judged(*tensors->trace)[0].first, Category::Temporary); // allocated in forward, freed after it
}

} // namespace highwater
