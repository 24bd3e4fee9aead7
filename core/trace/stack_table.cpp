#include "core/trace/stack_table.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/hash.h"

namespace highwater {

namespace {

/// True for a library or an interpreter. For code without symbols, recorders give the binary's file and an
/// offset instead of a line.
bool isBinary(std::string_view file)
{
    const std::string_view name = file.substr(file.find_last_of("/\\") + 1);
    const std::size_t so = name.rfind(".so");
    return (so != name.npos && (so + 3 == name.size() || name[so + 3] == '.'))
        || std::ranges::any_of(std::array<std::string_view, 4>{".dll", ".dylib", ".pyd", ".exe"},
            [&](std::string_view end) { return name.ends_with(end); })
        || name.starts_with("python");
}

} // namespace

FrameKind guessFrameKind(std::string_view file, std::int64_t line)
{
    if (file.ends_with(".py") || file.ends_with(".pyx")
        || (file.starts_with('<') && file.find('>') != std::string_view::npos))
        return FrameKind::Python;
    static constexpr std::array<std::string_view, 11> nativeEndings
        = {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cu", ".cuh", ".inl", ".inc", ".S"};
    const bool isNativeSource
        = std::ranges::any_of(nativeEndings, [&](std::string_view end) { return file.ends_with(end); });
    const bool isPath = file.find_first_of("/\\") != std::string_view::npos;
    return line > 0 && isPath && !isNativeSource && !isBinary(file) ? FrameKind::Python : FrameKind::Native;
}

std::size_t StackTable::FrameHash::operator()(const Frame& frame) const noexcept
{
    return hashOf(hashOf(frame.function.value(), frame.file.value()), frame.details.value());
}

StackTable::StackTable()
{
    m_nodes.internNode(FrameId::kNone, StackId::kNone); // kEmpty
}

FrameId StackTable::internFrame(const Frame& frame)
{
    Frame function = frame;
    function.line = 0;
    const auto next = static_cast<std::uint32_t>(m_functions.size());
    const auto [found, inserted] = m_functionIds.try_emplace(function, next);
    if (inserted)
        m_functions.push_back(function);
    return FrameId(m_frames.intern(found->second, static_cast<std::uint32_t>(frame.line)));
}

StackId StackTable::internNode(FrameId frame, StackId caller)
{
    return StackId(m_nodes.internNode(frame.value(), caller.value()));
}

StackId StackTable::internStack(std::span<const FrameId> frames)
{
    // Successive stacks mostly share their outer frames, whose nodes need no lookup.
    StackId stack = kEmpty;
    auto frame = frames.rbegin();
    auto shared = m_lastStack.begin();
    for (; frame != frames.rend() && shared != m_lastStack.end() && shared->first == frame->value();
         ++frame, ++shared)
        stack = StackId(shared->second);
    m_lastStack.erase(shared, m_lastStack.end());
    for (; frame != frames.rend(); ++frame) {
        stack = internNode(*frame, stack);
        m_lastStack.push_back({frame->value(), stack.value()});
    }
    return stack;
}

std::vector<FrameId> StackTable::frames(StackId id) const
{
    std::vector<FrameId> ids;
    for (; hasFrames(id); id = caller(id))
        ids.push_back(innermost(id));
    return ids;
}

} // namespace highwater
