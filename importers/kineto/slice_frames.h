#pragma once

#include <string_view>

#include <tsl/robin_map.h>

#include "core/trace/trace_builder.h"

namespace highwater::kineto {

/// Frames out of the names of slices.
class SliceFrames
{
public:
    explicit SliceFrames(TraceBuilder& builder)
        : m_builder(builder)
    {
    }

    FrameId ofOperator(StringId name) { return native(name); }
    /// "file(line): function" is Python code; "nn.Module: …" and "<built-in …>" have no source.
    FrameId ofPython(StringId name);
    /// "file(line): function;…", innermost first.
    StackId ofCallStack(StringId calls);

private:
    FrameId native(StringId name);
    FrameId parse(std::string_view text);

    TraceBuilder& m_builder;
    tsl::robin_map<std::uint32_t, FrameId> m_python;
    tsl::robin_map<std::uint32_t, FrameId> m_native;
    tsl::robin_map<std::uint32_t, StackId> m_callStacks;
};

} // namespace highwater::kineto
