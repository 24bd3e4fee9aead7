#pragma once

#include "core/analysis/device/device_study.h"

namespace highwater {

/// The topic of the innermost frames of a stack.
enum class StackTopic : std::uint8_t
{
    None,
    Attention, ///< attention scores: `scaled_dot_product`, `softmax`
    Logits, ///< logits and their loss: `lm_head`, `cross_entropy`
};

/// Returns the topic of a stack. O(frames × names).
StackTopic topicOfStack(const Trace& trace, StackId stack);

/// The facts about an allocation that determine its shape.
struct ShapeQuestion
{
    Bytes bytes = 0; ///< recorded size
    /// True if `bytes` is rounded up to a multiple of 512, as in all quantities except requested bytes.
    bool isRounded = false;
    Category category = Category::Unknown;
    StackTopic topic = StackTopic::None;
    bool hasFrames = false; ///< true if its stack has frames, so that a topic would be visible
    bool inOptimizer = false; ///< allocated in the optimizer phase

    bool operator==(const ShapeQuestion&) const = default;
};

/// Collects the facts about one allocation. O(frames of its stack).
ShapeQuestion shapeQuestion(const DeviceStudy& study, AllocationIndex allocation);

} // namespace highwater
