#include "core/analysis/stacks/stack_text.h"

#include <algorithm>
#include <array>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// The most frames of the user's code that are searched, from the innermost outwards. Names further out say
/// little about the allocation.
constexpr std::size_t kFramesThatName = 2;

constexpr std::array<std::string_view, 10> kLogitsNames = {"cross_entropy", "log_softmax", "logsumexp",
    "lm_head", "logits", "logprob", "log_prob", "logps", "nll_loss", "LogSoftmaxBackward"};

/// A library that passes calls on to torch under the names of torch's operators. Its frames do not count as
/// the user's.
constexpr std::string_view kPassThroughLibrary = "einops";

/// True for a Python frame outside torch, the standard library and libraries that pass calls on.
bool isUserFrame(const Trace& trace, const Frame& frame)
{
    const std::string_view file = trace.text(frame.file);
    return frame.kind == FrameKind::Python && !isLibraryFile(file) && !contains(file, kPassThroughLibrary);
}

} // namespace

std::span<const std::string_view> logitsNames()
{
    return kLogitsNames;
}

NamedFrame findNamedFrame(const Trace& trace, StackId stack, std::span<const std::string_view> names)
{
    if (stack.isNone())
        return NamedFrame::None;
    std::size_t userFrames = 0;
    bool isModule = false;
    for (const FrameId id : trace.stacks.frames(stack)) {
        const Frame& frame = trace.stacks.frame(id);
        if (isUserFrame(trace, frame) && ++userFrames > kFramesThatName)
            return NamedFrame::None;
        const std::string_view function = trace.text(frame.function);
        if (std::ranges::any_of(names, [&](std::string_view name) { return contains(function, name); }))
            return isModule ? NamedFrame::Caller : NamedFrame::Itself;
        isModule = isModule || (userFrames > 0 && function == "forward");
    }
    return NamedFrame::None;
}

} // namespace highwater
