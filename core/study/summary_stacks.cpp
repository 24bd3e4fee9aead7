#include "core/study/summary_stacks.h"

#include <vector>

namespace highwater {

SummaryStacks::SummaryStacks(const Trace& trace, RankSummary& summary)
    : m_trace(trace)
    , m_summary(summary)
{
    if (m_summary.nodes.empty())
        m_summary.nodes.emplace_back();
}

SummaryStack SummaryStacks::copy(StackId stack)
{
    if (stack.isNone())
        return kNoSummaryStack;
    std::vector<StackId> newNodes; // innermost first
    SummaryStack caller = 0;
    for (StackId node = stack; m_trace.stacks.hasFrames(node); node = m_trace.stacks.caller(node)) {
        if (const auto known = m_nodes.find(node.value()); known != m_nodes.end()) {
            caller = known->second;
            break;
        }
        newNodes.push_back(node);
    }
    while (!newNodes.empty()) {
        const StackId node = newNodes.back();
        newNodes.pop_back();
        m_summary.nodes.push_back({frame(m_trace.stacks.innermost(node)), caller});
        caller = static_cast<SummaryStack>(m_summary.nodes.size() - 1);
        m_nodes.emplace(node.value(), caller);
    }
    return caller;
}

std::uint32_t SummaryStacks::text(StringId id)
{
    const auto [found, isNew]
        = m_texts.try_emplace(id.value(), static_cast<std::uint32_t>(m_summary.strings.size()));
    if (isNew)
        m_summary.strings.emplace_back(id.isNone() ? std::string_view() : m_trace.text(id));
    return found->second;
}

std::uint32_t SummaryStacks::frame(FrameId id)
{
    const auto [found, isNew]
        = m_frames.try_emplace(id.value(), static_cast<std::uint32_t>(m_summary.frames.size()));
    if (isNew) {
        const Frame frame = m_trace.stacks.frame(id);
        m_summary.frames.push_back({text(frame.function), text(frame.file), frame.line, frame.kind});
    }
    return found->second;
}

} // namespace highwater
