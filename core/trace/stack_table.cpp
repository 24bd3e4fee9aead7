#include "core/trace/stack_table.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace highwater {

FrameKind frameKindOf(std::string_view file, std::int64_t line)
{
    if (file.ends_with(".py") || file.ends_with(".pyx")
        || (file.starts_with('<') && file.find('>') != std::string_view::npos))
        return FrameKind::Python;
    static constexpr std::array<std::string_view, 11> native
        = {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cu", ".cuh", ".inl", ".inc", ".S"};
    const bool nativeSource = std::any_of(
        native.begin(), native.end(), [&](std::string_view end) { return file.ends_with(end); });
    const bool path = file.find_first_of("/\\") != std::string_view::npos;
    return line > 0 && path && !nativeSource ? FrameKind::Python : FrameKind::Native;
}

std::size_t StackTable::FrameHash::operator()(const Frame& frame) const noexcept
{
    std::uint64_t hash = (std::uint64_t{frame.function.value()} << 32) | frame.file.value();
    hash = (hash ^ (hash >> 31)) * 0x9E3779B97F4A7C15ull;
    hash ^= (std::uint64_t{static_cast<std::uint32_t>(frame.line)} << 32) | frame.details.value();
    return (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ull;
}

StackTable::StackTable()
{
    m_nodes.push_back({});
}

FrameId StackTable::internFrame(const Frame& frame)
{
    const auto next = static_cast<std::uint32_t>(m_frames.size());
    const auto [found, inserted] = m_frameIds.try_emplace(frame, next);
    if (inserted)
        m_frames.push_back(frame);
    return FrameId(found->second);
}

StackId StackTable::internNode(FrameId frame, StackId caller)
{
    const std::uint64_t key = (std::uint64_t{caller.value()} << 32) | frame.value();
    const auto next = static_cast<std::uint32_t>(m_nodes.size());
    const auto [found, inserted] = m_nodeIds.try_emplace(key, next);
    if (inserted)
        m_nodes.push_back({frame, caller});
    return StackId(found->second);
}

StackId StackTable::internStack(std::span<const FrameId> frames)
{
    StackId stack = kEmpty;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        stack = internNode(*frame, stack);
    return stack;
}

std::vector<FrameId> StackTable::frames(StackId id) const
{
    std::vector<FrameId> out;
    for (; hasFrames(id); id = caller(id))
        out.push_back(innermost(id));
    return out;
}

} // namespace highwater
