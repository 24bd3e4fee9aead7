#include "core/analysis/stacks/first_frames.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/base/text_format.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

/// Returns, for each function, the first one with the same displayed name and file.
std::vector<std::uint32_t> functionsByText(const Trace& trace)
{
    const auto isPlain = [&](const Frame& frame) {
        return frame.details.isNone()
            && sanitizedText(trace.text(frame.function)) == trace.text(frame.function)
            && sanitizedText(trace.text(frame.file)) == trace.text(frame.file);
    };
    const std::vector<bool> isPlainFunction = resultsByFunction(trace.stacks, isPlain);
    std::vector<std::uint32_t> firstOfText(isPlainFunction.size());
    std::iota(firstOfText.begin(), firstOfText.end(), 0u);
    if (std::ranges::find(isPlainFunction, false) == isPlainFunction.end())
        return firstOfText;
    tsl::robin_map<std::string, std::uint32_t> functionOfText;
    for (std::uint32_t function = 0; function < firstOfText.size(); ++function) {
        const Frame& frame = trace.stacks.function(function);
        const std::string text = fmt::format(
            "{}\n{}", sanitizedText(trace.text(frame.function)), sanitizedText(trace.text(frame.file)));
        firstOfText[function] = functionOfText.emplace(text, function).first->second;
    }
    return firstOfText;
}

} // namespace

std::vector<FrameId> firstFrames(const Trace& trace)
{
    const StackTable& stacks = trace.stacks;
    const std::vector<std::uint32_t> functions = functionsByText(trace);
    const auto isFirst = [&](FrameId frame) {
        return functions[stacks.functionOf(frame)] == stacks.functionOf(frame)
            && stacks.frame(frame).line >= 0;
    };
    bool allFirst = true;
    for (std::uint32_t frame = 0; frame < stacks.frameCount() && allFirst; ++frame)
        allFirst = isFirst(FrameId(frame));
    if (allFirst)
        return {};
    NumberMap<std::pair<std::uint32_t, std::int32_t>, FrameId> frameOfPlace;
    std::vector<FrameId> first;
    first.reserve(stacks.frameCount());
    for (std::uint32_t i = 0; i < stacks.frameCount(); ++i) {
        const FrameId frame(i);
        const std::int32_t line = std::max(stacks.frame(frame).line, 0);
        first.push_back(
            frameOfPlace.try_emplace({functions[stacks.functionOf(frame)], line}, frame).first->second);
    }
    return first;
}

} // namespace highwater
