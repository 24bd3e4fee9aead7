#include "core/analysis/categories/category_reason.h"

#include <set>

#include <gtest/gtest.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/device/device_study.h"
#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

TEST(CategoryReason, HasATextOfItsOwnForEachRule)
{
    std::set<std::string_view> texts;
    for (std::size_t reason = 0; reason < kCategoryReasonCount; ++reason)
        texts.insert(toText(static_cast<CategoryReason>(reason)));
    EXPECT_EQ(texts.size(), kCategoryReasonCount);
    EXPECT_FALSE(texts.contains(""));
}

TEST(CategoryReason, IsThatOfTheRuleThatDecided)
{
    const auto trace = test::traceFromText(R"(
        stack forward = /app/model.py:5 forward | /x/torch/nn/modules/module.py:9 _call_impl | /app/train.py:3 main
        stack backward = ??:0 torch::autograd::generated::MmBackward0::apply() | ??:0 torch::autograd::Engine::thread_main()
        stack step = /x/torch/optim/adamw.py:7 step | /x/torch/optim/optimizer.py:8 wrapper | /app/train.py:5 main
        stack zero = /x/torch/optim/optimizer.py:9 zero_grad | /app/train.py:6 main
        alloc kept 1000 @forward
        alloc gradient 4096 @backward
        alloc running 1000 @backward
        free kept @backward
        free running @backward
        alloc state 4096 @step
        free gradient @zero
        alloc next 1000 @forward
        end
    )");
    const DeviceStudy study(*trace, 0, std::vector<CategoryRule>());
    std::vector<CategoryReason> found;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i)
        found.push_back(study.categories.reasonOf(i));
    EXPECT_EQ(found,
        (std::vector{CategoryReason::BackwardFrees, CategoryReason::ZeroGradFrees,
            CategoryReason::DiesInItsPhase, CategoryReason::OptimizerKeeps,
            CategoryReason::OthersOfItsStack}));
}

TEST(CategoryReason, OfACategoryExplainAllOfItsBytes)
{
    const auto trace = openTrace(test::samplePath("rehearsed/small-gpt.pickle.zst"), {})->trace;
    const DeviceStudy study(*trace, 0);
    const Composition peak = compositionAt(*trace, study.allocations, study.sites, study.curve.peak().event,
        GroupKey::Category, &study.categories);
    ASSERT_GT(peak.groups.size(), 3u);
    for (const CompositionGroup& group : peak.groups) {
        Bytes sum = 0;
        for (const auto& [reason, bytes] : group.reasons())
            sum += bytes;
        EXPECT_EQ(sum, group.bytes) << group.key;
    }
}

} // namespace highwater
