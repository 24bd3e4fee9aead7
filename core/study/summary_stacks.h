#pragma once

#include <unordered_map>

#include "core/trace/summary/rank_summary.h"
#include "core/trace/trace.h"

namespace highwater {

/// Copies stacks of a trace into a summary, each frame and each text once.
class SummaryStacks
{
public:
    /// Both arguments must outlive it.
    SummaryStacks(const Trace& trace, RankSummary& summary);

    /// Returns the stack in the summary. O(new frames).
    SummaryStack of(StackId stack);

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
