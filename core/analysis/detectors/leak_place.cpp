#include "core/analysis/detectors/leak_place.h"

#include <algorithm>
#include <utility>
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

/// True for the frame of a comprehension, which has no name of its own: the frame of the function around it
/// comes next.
bool isComprehension(std::string_view function)
{
    return function == "<genexpr>" || function == "<listcomp>" || function == "<setcomp>"
        || function == "<dictcomp>";
}

OwnFrames ownFrames(const Trace& trace, StackId stack)
{
    OwnFrames frames;
    for (; trace.stacks.hasFrames(stack); stack = trace.stacks.caller(stack)) {
        const FrameId id = trace.stacks.innermost(stack);
        const Frame& frame = trace.stacks.frame(id);
        if (frame.kind != FrameKind::Python || isComprehension(trace.text(frame.function)))
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

/// Returns the frame as "log_probs (r1_grpo.py:70)".
std::string lineOf(const Trace& trace, FrameId id)
{
    const Frame frame = trace.stacks.frame(id);
    return codePlaceText(trace.text(frame.function), trace.text(frame.file), frame.line);
}

/// The blocks of one stack.
struct LeakStack
{
    StackId stack;
    OwnFrames own;
    std::vector<FrameId> frames; ///< all of `own`, sorted, each once even if it recurs
    std::vector<AllocationIndex> blocks;
    Bytes bytes = 0;

    bool passes(FrameId frame) const { return std::ranges::binary_search(frames, frame); }
};

/// Returns the blocks by stack, the stack with the most bytes first.
std::vector<LeakStack> leakStacks(const DeviceStudy& study, std::span<const AllocationIndex> blocks)
{
    NumberMap<StackId, std::size_t> positions;
    std::vector<LeakStack> stacks;
    for (const AllocationIndex i : blocks) {
        const StackId stack = study.allocations.stack(i);
        const auto [position, isNew] = positions.try_emplace(stack, stacks.size());
        if (isNew)
            stacks.push_back({stack, ownFrames(study.trace, stack), {}, {}, 0});
        LeakStack& leak = stacks[position->second];
        leak.blocks.push_back(i);
        leak.bytes += study.allocations.bytes(i);
    }
    for (LeakStack& leak : stacks) {
        leak.frames = leak.own.outside;
        leak.frames.insert(leak.frames.end(), leak.own.inModel.begin(), leak.own.inModel.end());
        std::ranges::sort(leak.frames);
        leak.frames.erase(std::unique(leak.frames.begin(), leak.frames.end()), leak.frames.end());
    }
    std::ranges::sort(
        stacks, {}, [](const LeakStack& leak) { return std::pair(-leak.bytes, leak.stack.value()); });
    return stacks;
}

/// Bytes of some stacks, by the user's own frames that they pass through.
class BytesThrough
{
public:
    explicit BytesThrough(const std::vector<LeakStack>& stacks)
    {
        for (const LeakStack& leak : stacks) {
            m_allBytes += leak.bytes;
            for (const FrameId frame : leak.frames)
                m_bytes[frame] += leak.bytes;
        }
    }

    Bytes allBytes() const { return m_allBytes; }
    /// Returns the first of `frames` that at least this share of the bytes passes through, in 1/10; isNone()
    /// if there is none.
    FrameId firstWith(std::int64_t tenths, const std::vector<FrameId>& frames) const
    {
        return firstWhere(frames, [&](Bytes bytes) { return bytes * 10 >= m_allBytes * tenths; });
    }
    /// Returns the first of `frames` that more than half of the bytes passes through. A frame with half of
    /// them is one of two places, and naming it would be a guess.
    FrameId firstWithMost(const std::vector<FrameId>& frames) const
    {
        return firstWhere(frames, [&](Bytes bytes) { return bytes * 2 > m_allBytes; });
    }

private:
    template <typename Accepts>
    FrameId firstWhere(const std::vector<FrameId>& frames, const Accepts& accepts) const
    {
        const auto found = std::ranges::find_if(
            frames, [&](FrameId frame) { return accepts(m_bytes.find(frame)->second); });
        return found == frames.end() ? FrameId() : *found;
    }

    NumberMap<FrameId, Bytes> m_bytes;
    Bytes m_allBytes = 0;
};

/// Returns the frame that more than half of the bytes pass through; isNone() if there is none.
FrameId keepingFrame(const std::vector<LeakStack>& stacks)
{
    const BytesThrough through(stacks);
    for (const LeakStack& leak : stacks)
        if (const FrameId frame = through.firstWithMost(leak.own.outside); !frame.isNone())
            return frame;
    return {};
}

/// Takes the blocks that pass through the frame out of the stacks.
Keeper takeKeeper(const Trace& trace, FrameId frame, std::vector<LeakStack>& stacks)
{
    Keeper keeper{frame, lineOf(trace, frame), {}, 0};
    for (const LeakStack& leak : stacks)
        if (leak.passes(frame)) {
            keeper.allocations.insert(keeper.allocations.end(), leak.blocks.begin(), leak.blocks.end());
            keeper.bytes += leak.bytes;
        }
    std::ranges::sort(keeper.allocations);
    std::erase_if(stacks, [&](const LeakStack& leak) { return leak.passes(frame); });
    return keeper;
}

/// Finds the keepers one after the other, each among the stacks that the earlier ones leave.
std::vector<Keeper> takeKeepers(const Trace& trace, std::vector<LeakStack> stacks)
{
    std::vector<Keeper> keepers;
    for (FrameId frame = keepingFrame(stacks); !frame.isNone(); frame = keepingFrame(stacks))
        keepers.push_back(takeKeeper(trace, frame, stacks));
    return keepers;
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
            return fmt::format("{} returned to {}",
                codePlaceText(trace.text(frame.function), trace.text(frame.file), 0), lineOf(trace, loop));
    }
    return "the loop came back to " + lineOf(trace, loop);
}

} // namespace

std::vector<Keeper> findKeepers(const DeviceStudy& study, std::span<const AllocationIndex> blocks)
{
    return takeKeepers(study.trace, leakStacks(study, blocks));
}

LeakPlace findLeakPlace(const DeviceStudy& study, std::span<const AllocationIndex> blocks)
{
    const std::vector<LeakStack> stacks = leakStacks(study, blocks);
    LeakPlace place;
    place.keepers = takeKeepers(study.trace, stacks);
    if (place.keepers.empty())
        return place;
    const Keeper& keeper = place.keepers.front();
    const LeakStack& example
        = *std::ranges::find_if(stacks, [&](const LeakStack& leak) { return leak.passes(keeper.frame); });
    const BytesThrough through(stacks);
    place.line = keeper.line;
    place.throughBytes = keeper.bytes;
    place.allBytes = through.allBytes();
    const FrameId common = through.firstWith(10, example.own.outside);
    if (!common.isNone() && !place.isNearlyAll())
        place.commonLine = lineOf(study.trace, common);
    if (const FrameId inner = through.firstWith(9, example.own.inModel); !inner.isNone())
        place.inModel = lineOf(study.trace, inner);
    if (const std::ptrdiff_t loop = loopAmong(study, example.own.outside); loop >= 0)
        place.end = endText(study.trace, example.stack, example.own.outside[static_cast<std::size_t>(loop)]);
    return place;
}

std::string LeakPlace::inTitle() const
{
    if (line.empty())
        return {};
    return (isNearlyAll() ? " from " : ", mostly from ") + line;
}

std::string LeakPlace::sentence() const
{
    if (line.empty())
        return {};
    const std::string share = formatShare(throughBytes, allBytes);
    std::string text;
    if (!commonLine.empty())
        text = fmt::format(
            "All of the leak comes from {}, {} of it from {}", commonLine, formatBytes(throughBytes), line);
    else if (isNearlyAll() && share != "100%")
        text = fmt::format("{} of the leak comes from this line", share);
    if (!inModel.empty())
        text += (text.empty() ? "It is allocated in " : ", allocated in ") + inModel;
    if (!end.empty())
        text
            += (text.empty() ? "It should have been freed when " : "; it should have been freed when ") + end;
    return text;
}

std::string callKeeping(const Finding& finding, std::string_view otherwise)
{
    return finding.keepers.empty() ? std::string(otherwise) : "the call at " + finding.keepers.front().line;
}

} // namespace highwater
