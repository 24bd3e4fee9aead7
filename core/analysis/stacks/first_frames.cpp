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
    const std::vector<bool> plain = judgedFunctions(trace.stacks, isPlain);
    std::vector<std::uint32_t> first(plain.size());
    std::iota(first.begin(), first.end(), 0u);
    if (std::ranges::find(plain, false) == plain.end())
        return first;
    tsl::robin_map<std::string, std::uint32_t> ofText;
    for (std::uint32_t function = 0; function < first.size(); ++function) {
        const Frame& frame = trace.stacks.function(function);
        const std::string text = fmt::format(
            "{}\n{}", sanitizedText(trace.text(frame.function)), sanitizedText(trace.text(frame.file)));
        first[function] = ofText.emplace(text, function).first->second;
    }
    return first;
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
    NumberMap<std::pair<std::uint32_t, std::int32_t>, FrameId> ofPlace;
    std::vector<FrameId> first;
    first.reserve(stacks.frameCount());
    for (std::uint32_t i = 0; i < stacks.frameCount(); ++i) {
        const FrameId frame(i);
        const std::int32_t line = std::max(stacks.frame(frame).line, 0);
        first.push_back(
            ofPlace.try_emplace({functions[stacks.functionOf(frame)], line}, frame).first->second);
    }
    return first;
}

} // namespace highwater
