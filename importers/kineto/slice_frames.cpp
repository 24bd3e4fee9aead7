#include "importers/kineto/slice_frames.h"

#include <string>
#include <vector>

#include "core/base/text_parts.h"

namespace highwater::kineto {

FrameId SliceFrames::nativeFrame(StringId name)
{
    const auto [found, isNew] = m_native.try_emplace(name.value(), FrameId());
    if (isNew)
        found.value() = m_builder.stacks().internFrame(
            {name, m_builder.strings().intern(""), 0, FrameKind::Native, {}});
    return found->second;
}

FrameId SliceFrames::parsePythonFrame(std::string_view text)
{
    StringPool& strings = m_builder.strings();
    const std::size_t close = text.find("): ");
    const std::size_t open = close == std::string_view::npos ? close : text.rfind('(', close);
    if (open != std::string_view::npos && open > 0 && text[0] != '<')
        if (const auto line = parsedNumber<std::int32_t>(text.substr(open + 1, close - open - 1))) {
            const std::string file(text.substr(0, open));
            const std::string function(text.substr(close + 3));
            return m_builder.stacks().internFrame(
                {strings.intern(function), strings.intern(file), *line, FrameKind::Python, {}});
        }
    return nativeFrame(strings.intern(std::string(text)));
}

FrameId SliceFrames::pythonFrame(StringId name)
{
    if (const auto found = m_python.find(name.value()); found != m_python.end())
        return found->second;
    const FrameId frame = parsePythonFrame(m_builder.strings().view(name));
    m_python.insert({name.value(), frame});
    return frame;
}

StackId SliceFrames::parseCallStack(StringId calls)
{
    if (const auto found = m_callStacks.find(calls.value()); found != m_callStacks.end())
        return found->second;
    std::vector<FrameId> frames;
    std::string_view rest = m_builder.strings().view(calls);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        if (end > 0)
            frames.push_back(parsePythonFrame(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const StackId stack = m_builder.stacks().internStack(frames);
    m_callStacks.insert({calls.value(), stack});
    return stack;
}

} // namespace highwater::kineto
