#include "core/analysis/tensor_shapes/attention_scores.h"

#include <set>

#include "core/analysis/tensor_shapes/shape_question.h"
#include "core/base/hash.h"

namespace highwater {

std::int64_t scoreElements(const DeviceStudy& study, std::int64_t tokens, std::int64_t hidden, bool hasHalf)
{
    const Bytes hiddenBytes = tokens * hidden * (hasHalf ? 2 : 4);
    NumberMap<std::uint32_t, bool> isAttention;
    std::set<Bytes> sizes;
    for (AllocationIndex i = 0; i < study.allocations.size(); ++i) {
        const Category category = study.categories.of(i);
        const StackId stack = study.allocations.stack(i);
        if ((category != Category::Activation && category != Category::Temporary) || stack.isNone()
            || study.allocations.recordedBytes(i) <= hiddenBytes)
            continue;
        const auto [entry, isNew] = isAttention.try_emplace(stack.value(), false);
        if (isNew)
            entry.value() = topicOfStack(study.trace, stack) == StackTopic::Attention;
        if (entry->second)
            sizes.insert(study.allocations.recordedBytes(i));
    }
    if (sizes.empty())
        return 0;
    const Bytes largest = *sizes.rbegin();
    return largest / (hasHalf && !sizes.contains(largest / 2) ? 2 : 4);
}

} // namespace highwater
