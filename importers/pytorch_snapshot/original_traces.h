#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/trace/trace_builder.h"

namespace highwater {

/// The lines of the model from which torch.compile generated the code of a frame (`fx_original_trace`). They
/// are put inside the generated frame, as if it called them, so that everything that looks for the innermost
/// line of the user's code finds the model's. The builder must outlive the object.
class OriginalTraces
{
public:
    /// Most lines that are kept of one trace; the outermost ones are left out.
    static constexpr std::size_t kMaxFrames = 64;

    explicit OriginalTraces(TraceBuilder& builder)
        : m_builder(builder)
    {
    }

    /// Reads a trace in the form of Python's tracebacks. Returns false if it names no line. O(length), at the
    /// first call for this text.
    bool read(StringId trace);
    /// Registers that a frame was generated from the lines of this trace, which must have been read.
    void assign(FrameId generated, StringId trace);

    /// Inserts the lines of the innermost generated frame before it. Those of further generated frames are
    /// left out, since a trace starts at the outermost line. `frames` are innermost first. O(frames).
    void insertInto(std::vector<FrameId>& frames) const;
    /// Returns frames without what `insertInto` inserted.
    std::vector<FrameId> without(std::vector<FrameId> frames) const;

    std::size_t memoryBytes() const;

private:
    /// Returns the position of the innermost frame with a trace; the number of frames if there is none.
    std::size_t innermostGenerated(const std::vector<FrameId>& frames) const;
    FrameId frameOfLine(std::string_view line);

    TraceBuilder& m_builder;
    std::vector<std::vector<FrameId>> m_traces; ///< lines of each trace, innermost first
    std::size_t m_lineCount = 0; ///< of all traces
    NumberMap<std::uint32_t, std::uint32_t> m_traceOfText;
    NumberMap<std::uint32_t, std::uint32_t> m_traceOfFrame;
};

} // namespace highwater
