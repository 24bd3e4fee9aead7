#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tsl/robin_map.h>

#include "core/base/pair_numbers.h"
#include "core/base/string_pool.h"

namespace highwater {

using FrameId = StrongId<struct FrameTag>;
/// A captured call stack. None if no stack was captured; `StackTable::kEmpty` if an empty stack was captured.
using StackId = StrongId<struct StackTag>;

/// The language of a frame. The recorder interleaves Python and C++ frames by a heuristic; only the order
/// of the Python frames is reliable.
enum class FrameKind : std::uint8_t
{
    Python,
    Native
};

/// One line of a call stack.
struct Frame
{
    StringId function;
    StringId file;
    std::int32_t line = 0; ///< 0 if unknown
    FrameKind kind = FrameKind::Native;
    StringId details; ///< Further fields (FX graph nodes) as compact JSON text; may be none

    bool operator==(const Frame&) const = default;
};

/// Returns Python for a file named "….py", "….pyx" or "<…>". Also returns Python for a path with a line
/// number, unless it is a C, C++, CUDA or assembler source file or a binary: CPython's own C files do carry
/// line numbers. Returns Native for all others.
FrameKind guessFrameKind(std::string_view file, std::int64_t line);

/// Frames and stacks, each stored once. A stack is a node (innermost frame, stack of the caller), so stacks
/// with the same outer part share its nodes.
class StackTable
{
public:
    static constexpr StackId kEmpty{std::uint32_t{0}};

    StackTable();

    FrameId internFrame(const Frame& frame);
    /// Interns a stack. `frames` are innermost first, as in the files. O(number of frames).
    StackId internStack(std::span<const FrameId> frames);

    /// Interns the stack of a frame called by `caller`.
    StackId internNode(FrameId frame, StackId caller);

    /// Frees most of the memory that only interning needs. Interning again rebuilds it.
    void forgetLookup()
    {
        m_frames.forgetSlots();
        m_nodes.forgetSlots();
    }

    Frame frame(FrameId id) const
    {
        Frame frame = function(functionOf(id));
        frame.line = static_cast<std::int32_t>(m_frames[id.index()].second);
        return frame;
    }
    FrameKind kindOf(FrameId id) const { return function(functionOf(id)).kind; }
    /// Returns the number of the frame's function, counted from 0. Frames that differ only in their line have
    /// the same function: results that depend only on names can be computed once per function.
    std::size_t functionOf(FrameId id) const { return m_frames[id.index()].first; }
    /// Returns the frame of a function, without a line.
    const Frame& function(std::size_t number) const { return m_functions[number]; }
    std::size_t functionCount() const { return m_functions.size(); }
    /// Returns the frames of a stack, innermost first; empty if no stack or an empty one was captured.
    std::vector<FrameId> frames(StackId id) const;
    /// Returns the innermost frame; only for stacks with frames.
    FrameId innermost(StackId id) const { return FrameId(m_nodes[id.index()].first); }
    /// Returns the stack without its innermost frame; only for stacks with frames.
    StackId caller(StackId id) const { return StackId(m_nodes[id.index()].second); }
    bool hasFrames(StackId id) const { return !id.isNone() && id != kEmpty; }

    std::size_t frameCount() const { return m_frames.size(); }
    /// Returns the number of nodes, which is one more than the largest stack id.
    std::size_t nodeCount() const { return m_nodes.size(); }
    std::size_t memoryBytes() const
    {
        return m_functions.size() * 80 + m_frames.memoryBytes() + m_nodes.memoryBytes();
    }

private:
    struct FrameHash
    {
        std::size_t operator()(const Frame& frame) const noexcept;
    };

    std::vector<Frame> m_functions;
    tsl::robin_map<Frame, std::uint32_t, FrameHash> m_functionIds;
    PairNumbers m_frames; ///< (function, line)
    PairNumbers m_nodes; ///< Stacks as (innermost frame, caller)
    std::vector<PairNumbers::Pair> m_lastStack; ///< (frame, its node), outermost first
};

} // namespace highwater
