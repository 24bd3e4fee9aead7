#pragma once

#include <unordered_map>

#include "core/trace/summary/rank_summary.h"
#include "core/trace/trace.h"

namespace highwater {

/// Copies stacks of a trace into a summary. Each frame and each text is copied once.
class SummaryStacks
{
public:
    /// Both arguments must outlive the object.
    SummaryStacks(const Trace& trace, RankSummary& summary);

    /// Copies a stack into the summary, or finds its copy; kNoSummaryStack for no stack. O(new frames).
    SummaryStack copy(StackId stack);

private:
    std::uint32_t text(StringId id);
    std::uint32_t frame(FrameId id);

    const Trace& m_trace;
    RankSummary& m_summary;
    std::unordered_map<std::uint32_t, std::uint32_t> m_texts;
    std::unordered_map<std::uint32_t, std::uint32_t> m_frames;
    std::unordered_map<std::uint32_t, SummaryStack> m_nodes;
};

} // namespace highwater
