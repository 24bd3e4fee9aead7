#include "core/analysis/tensor_shapes/shape_question.h"

#include <array>

#include "core/analysis/stacks/stack_text.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 6> kAttentionNames = {"scaled_dot_product", "softmax",
    "SoftmaxBackward", "attention_scores", "attn_weights", "eager_attention"};

} // namespace

StackTopic topicOfStack(const Trace& trace, StackId stack)
{
    if (findNamedFrame(trace, stack, logitsNames()) != NamedFrame::None)
        return StackTopic::Logits;
    return findNamedFrame(trace, stack, kAttentionNames) != NamedFrame::None ? StackTopic::Attention
                                                                             : StackTopic::None;
}

ShapeQuestion shapeQuestion(const DeviceStudy& study, AllocationIndex allocation)
{
    const AllocationTable& table = study.allocations;
    ShapeQuestion question;
    question.bytes = table.recordedBytes(allocation);
    question.isRounded = study.about().quantity != Quantity::Requested;
    question.category = study.categories.of(allocation);
    question.hasFrames = table.stackOrigin(allocation) != StackOrigin::Free
        && study.trace.stacks.hasFrames(table.stack(allocation));
    if (question.hasFrames)
        question.topic = topicOfStack(study.trace, table.stack(allocation));
    const std::int64_t birth = table.birth(allocation);
    question.inOptimizer
        = birth != AllocationTable::kBeforeTrace && study.phases.at(birth) == Phase::Optimizer;
    return question;
}

} // namespace highwater
