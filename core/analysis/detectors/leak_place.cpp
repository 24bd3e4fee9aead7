#include "core/analysis/detectors/leak_place.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/analysis/stacks/call_site.h"
#include "core/analysis/steps/loop_lines.h"
#include "core/base/hash.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

/// The user's own frames of one stack, innermost first: those outside any model, and those within one.
struct OwnFrames
{
    std::vector<FrameId> outside;
    std::vector<FrameId> inModel;
};

OwnFrames ownFrames(const Trace& trace, StackId stack)
{
    OwnFrames frames;
    for (; trace.stacks.hasFrames(stack); stack = trace.stacks.caller(stack)) {
        const FrameId id = trace.stacks.innermost(stack);
        const Frame& frame = trace.stacks.frame(id);
        if (frame.kind != FrameKind::Python)
            continue;
        const std::string_view file = trace.text(frame.file);
        if (isUserFile(file)) {
            frames.outside.push_back(id);
        } else if (forwardSlashes(file).ends_with("/torch/nn/modules/module.py")) {
            frames.inModel.insert(frames.inModel.end(), frames.outside.begin(), frames.outside.end());
            frames.outside.clear();
        }
    }
    return frames;
}

bool isSameFunction(const Trace& trace, FrameId a, FrameId b)
{
    const Frame firstFrame = trace.stacks.frame(a);
    const Frame secondFrame = trace.stacks.frame(b);
    return firstFrame.function == secondFrame.function && firstFrame.file == secondFrame.file;
}

/// Returns the frame as "log_probs r1_grpo.py:70".
std::string lineOf(const Trace& trace, FrameId id)
{
    const Frame frame = trace.stacks.frame(id);
    return fmt::format("{} {}:{}", nameText(trace.text(frame.function)),
        nameText(sourceFileName(trace.text(frame.file))), frame.line);
}

/// Bytes by stack, and the stack with the most bytes.
struct BytesByStack
{
    NumberMap<StackId, Bytes> bytes;
    StackId largest;
    Bytes allBytes = 0;
};

BytesByStack bytesByStack(const DeviceStudy& study, std::span<const AllocationIndex> blocks)
{
    BytesByStack totals;
    for (const AllocationIndex i : blocks) {
        totals.bytes[study.allocations.stack(i)] += study.allocations.bytes(i);
        totals.allBytes += study.allocations.bytes(i);
    }
    Bytes mostBytes = 0;
    for (const auto& [stack, bytes] : totals.bytes)
        if (!stack.isNone()
            && (bytes > mostBytes || (bytes == mostBytes && stack.value() < totals.largest.value()))) {
            mostBytes = bytes;
            totals.largest = stack;
        }
    return totals;
}

/// Returns the index of the training loop's frame in `frames` (outermost last), or −1 if the loop is unknown
/// or not among them.
std::ptrdiff_t loopAmong(const DeviceStudy& study, const std::vector<FrameId>& frames)
{
    const StepInput input{study.trace, study.allocations, study.curve, study.phases};
    const std::optional<LoopLine> loop = findLoopLine(input);
    if (!loop)
        return -1;
    const auto found = std::ranges::find_if(
        frames, [&](FrameId frame) { return isSameFunction(study.trace, frame, loop->head); });
    return found == frames.end() ? -1 : found - frames.begin();
}

/// Returns when the blocks that `stack` allocates in the training loop should be freed, as words. That is
/// when the function called by the loop returns. If the loop calls the model itself, the output of the model
/// lives until the next output replaces it.
std::string endText(const Trace& trace, StackId stack, FrameId loop)
{
    FrameId called;
    for (; trace.stacks.hasFrames(stack) && trace.stacks.innermost(stack) != loop;
         stack = trace.stacks.caller(stack))
        called = trace.stacks.innermost(stack);
    if (!called.isNone()) {
        const Frame frame = trace.stacks.frame(called);
        if (frame.kind == FrameKind::Python && isUserFile(trace.text(frame.file)))
            return fmt::format(
                "{}, called at {}, returned", nameText(trace.text(frame.function)), lineOf(trace, loop));
    }
    return "the loop came back to " + lineOf(trace, loop);
}

} // namespace

LeakPlace leakPlaceOf(const DeviceStudy& study, std::span<const AllocationIndex> blocks)
{
    const BytesByStack stacks = bytesByStack(study, blocks);
    if (stacks.largest.isNone())
        return {};
    NumberMap<FrameId, Bytes> throughFrame; // each frame counts once per stack, even if it recurs
    for (const auto& [stack, bytes] : stacks.bytes) {
        OwnFrames own = ownFrames(study.trace, stack);
        std::vector<FrameId>& frames = own.outside;
        frames.insert(frames.end(), own.inModel.begin(), own.inModel.end());
        std::ranges::sort(frames, {}, [](FrameId frame) { return frame.value(); });
        frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
        for (const FrameId frame : frames)
            throughFrame[frame] += bytes;
    }
    const OwnFrames own = ownFrames(study.trace, stacks.largest);
    const auto carriesTenths = [&](Bytes tenths) {
        return [&, tenths](FrameId frame) {
            return throughFrame.find(frame)->second * 10 >= stacks.allBytes * tenths;
        };
    };
    const auto line = std::ranges::find_if(own.outside, carriesTenths(5));
    if (line == own.outside.end())
        return {};
    LeakPlace place{lineOf(study.trace, *line), throughFrame.find(*line)->second, stacks.allBytes, {}, {}};
    if (const auto inner = std::ranges::find_if(own.inModel, carriesTenths(9)); inner != own.inModel.end())
        place.inModel = lineOf(study.trace, *inner);
    if (const std::ptrdiff_t loop = loopAmong(study, own.outside); loop >= 0)
        place.end = endText(study.trace, stacks.largest, own.outside[static_cast<std::size_t>(loop)]);
    return place;
}

std::string LeakPlace::sentence() const
{
    if (line.empty())
        return {};
    const std::string share = formatShare(throughBytes, allBytes);
    std::string text = fmt::format("{} of the leak comes through {}", share == "100%" ? "All" : share, line);
    if (!inModel.empty())
        text += fmt::format(", allocated in {}", inModel);
    return end.empty() ? text : fmt::format("{}; it should have been freed when {}", text, end);
}

} // namespace highwater
