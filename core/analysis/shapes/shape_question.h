#pragma once

#include "core/analysis/device/device_study.h"

namespace highwater {

/// What the innermost frames of a stack speak of.
enum class StackTopic : std::uint8_t
{
    None,
    Attention, ///< scores of attention: `scaled_dot_product`, `softmax`
    Logits, ///< logits and their loss: `lm_head`, `cross_entropy`
};

/// O(frames × names).
StackTopic topicOfStack(const Trace& trace, StackId stack);

/// An allocation as far as its shape depends on it.
struct ShapeQuestion
{
    Bytes bytes = 0; ///< as recorded
    bool rounded = false; ///< up to a multiple of 512, as everything but requested bytes is
    Category category = Category::Unknown;
    StackTopic topic = StackTopic::None;
    bool hasFrames = false; ///< a topic would have shown
    bool inOptimizer = false; ///< born in that phase

    bool operator==(const ShapeQuestion&) const = default;
};

/// Of one allocation. O(frames of its stack).
ShapeQuestion shapeQuestion(const DeviceStudy& study, AllocationIndex allocation);

} // namespace highwater
