#pragma once

#include <string_view>

#include "core/base/hash.h"
#include "core/trace/trace_builder.h"

namespace highwater::kineto {

/// Creates frames from the names of slices.
class SliceFrames
{
public:
    explicit SliceFrames(TraceBuilder& builder)
        : m_builder(builder)
    {
    }

    FrameId operatorFrame(StringId name) { return nativeFrame(name); }
    /// Returns the frame of a Python slice, by its name. "file(line): function" has a source; "nn.Module: …"
    /// and "<built-in …>" have none.
    FrameId pythonFrame(StringId name);
    /// Returns the stack for "file(line): function;…", innermost first.
    StackId parseCallStack(StringId calls);

private:
    FrameId nativeFrame(StringId name);
    FrameId parsePythonFrame(std::string_view text);

    TraceBuilder& m_builder;
    NumberMap<std::uint32_t, FrameId> m_python;
    NumberMap<std::uint32_t, FrameId> m_native;
    NumberMap<std::uint32_t, StackId> m_callStacks;
};

} // namespace highwater::kineto
