#include "importers/nsys/row_stacks.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/hash.h"
#include "importers/nsys/nvtx_name.h"

namespace highwater::nsys {

namespace {

/// Most visits of rows without a call; each thread of the process visits all of them.
constexpr std::size_t kMaxVisits = 20'000'000;
/// Most nested ranges in a stack; further outer ranges are dropped.
constexpr std::size_t kDeepestRange = 200;

using RowIndex = std::uint32_t;

/// The ranges that contain a moment, outermost first. The moment only moves forward.
class OpenRanges
{
public:
    void push(const NvtxRange& range)
    {
        while (!m_open.empty() && m_open.back()->end <= range.begin && range.end > m_open.back()->end)
            m_open.pop_back();
        m_open.push_back(&range);
    }
    void closeBefore(Nanoseconds time)
    {
        while (!m_open.empty() && m_open.back()->end < time)
            m_open.pop_back();
    }
    const std::vector<const NvtxRange*>& ranges() const { return m_open; }

private:
    std::vector<const NvtxRange*> m_open;
};

class Attribution
{
public:
    Attribution(std::vector<MemoryRow>& rows, const std::vector<RuntimeCall>& calls, const CallChains& chains,
        TraceBuilder& builder)
        : m_rows(rows)
        , m_calls(calls)
        , m_chains(chains)
        , m_builder(builder)
        , m_rangeStacks(rows.size(), StackTable::kEmpty)
    {
        for (RowIndex i = 0; i < rows.size(); ++i)
            if (rows[i].call >= 0)
                m_byThread[m_calls[static_cast<std::size_t>(rows[i].call)].thread].push_back(i);
            else
                m_withoutCall[rows[i].process].push_back(i);
    }

    /// Attributes the rows of one thread. `first` to `last` are all its ranges, ordered by begin, outer
    /// before inner.
    void attributeThread(const NvtxRange* first, const NvtxRange* last)
    {
        const auto rowsOfThread = m_byThread.find(first->thread);
        if (rowsOfThread != m_byThread.end())
            attributeRows(rowsOfThread->second, first, last, false);
        const auto rowsWithoutCall = m_withoutCall.find(processOf(first->thread));
        if (rowsWithoutCall == m_withoutCall.end()
            || m_visitCount + rowsWithoutCall->second.size() > kMaxVisits)
            return;
        m_visitCount += rowsWithoutCall->second.size();
        attributeRows(rowsWithoutCall->second, first, last, true);
    }

    void finish()
    {
        for (RowIndex i = 0; i < m_rows.size(); ++i) {
            MemoryRow& row = m_rows[i];
            StackId stack = m_rangeStacks[i];
            row.stackFoundByTime = row.call < 0 && m_builder.stacks().hasFrames(stack);
            if (row.call >= 0)
                stack = addCall(m_calls[static_cast<std::size_t>(row.call)], stack);
            row.stack = m_builder.stacks().hasFrames(stack) ? stack : StackId();
        }
    }

private:
    void attributeRows(
        const std::vector<RowIndex>& rows, const NvtxRange* next, const NvtxRange* last, bool isGuess)
    {
        OpenRanges open;
        for (const RowIndex i : rows) {
            for (; next != last && next->begin <= m_rows[i].time; ++next)
                open.push(*next);
            open.closeBefore(m_rows[i].time);
            if (open.ranges().empty())
                continue;
            // If two threads have ranges that contain the row's time, neither thread can be chosen.
            const bool isOfOtherThread = isGuess && m_builder.stacks().hasFrames(m_rangeStacks[i]);
            m_rangeStacks[i]
                = isOfOtherThread || m_isAmbiguous[i] ? StackTable::kEmpty : stackOf(open.ranges());
            if (isOfOtherThread)
                m_isAmbiguous[i] = true;
        }
    }

    StackId stackOf(const std::vector<const NvtxRange*>& ranges)
    {
        StackId stack = StackTable::kEmpty;
        for (std::size_t i = ranges.size() - std::min(ranges.size(), kDeepestRange); i < ranges.size(); ++i)
            if (!isStep(ranges[i]->name))
                stack = m_builder.stacks().internNode(frameOf(ranges[i]->name), stack);
        return stack;
    }

    bool isStep(StringId name)
    {
        const auto [found, isNew] = m_isStep.try_emplace(name.value(), false);
        if (isNew)
            found.value() = isStepName(m_builder.strings().view(name));
        return found->second;
    }

    FrameId frameOf(StringId name)
    {
        return m_builder.stacks().internFrame(
            {name, m_builder.strings().intern(""), 0, FrameKind::Native, {}});
    }

    StackId addCall(const RuntimeCall& call, StackId stack)
    {
        if (const auto chain = m_chains.find(call.callChain); chain != m_chains.end())
            for (auto frame = chain->second.rbegin(); frame != chain->second.rend(); ++frame)
                stack = m_builder.stacks().internNode(*frame, stack);
        return isInnermost(stack, call.name) ? stack
                                             : m_builder.stacks().internNode(frameOf(call.name), stack);
    }

    /// True if the innermost frame is the call itself, which some call chains include.
    bool isInnermost(StackId stack, StringId call)
    {
        const StackTable& stacks = m_builder.stacks();
        return stacks.hasFrames(stack) && stacks.frame(stacks.innermost(stack)).function == call;
    }

    std::vector<MemoryRow>& m_rows;
    const std::vector<RuntimeCall>& m_calls;
    const CallChains& m_chains;
    TraceBuilder& m_builder;
    std::map<GlobalId, std::vector<RowIndex>> m_byThread; ///< ordered by time
    std::map<GlobalId, std::vector<RowIndex>> m_withoutCall; ///< rows without a call, by process
    std::vector<StackId> m_rangeStacks; ///< for each row, the stack of the ranges that contain it
    NumberMap<RowIndex, bool> m_isAmbiguous;
    NumberMap<std::uint32_t, bool> m_isStep;
    std::size_t m_visitCount = 0;
};

} // namespace

void attributeStacks(std::vector<MemoryRow>& rows, const std::vector<RuntimeCall>& calls,
    const CallChains& chains, std::vector<NvtxRange>& ranges, TraceBuilder& builder)
{
    Attribution attribution(rows, calls, chains, builder);
    // Sorts ranges that do not nest to the end, because they belong to no single thread.
    std::ranges::stable_sort(ranges, [](const NvtxRange& a, const NvtxRange& b) {
        return std::tuple(!a.nests, a.thread, a.begin, -a.end)
            < std::tuple(!b.nests, b.thread, b.begin, -b.end);
    });
    const NvtxRange* first = ranges.data();
    const NvtxRange* const end = first + ranges.size();
    while (first != end && first->nests) {
        const NvtxRange* last = std::find_if(first, end,
            [first](const NvtxRange& range) { return !range.nests || range.thread != first->thread; });
        attribution.attributeThread(first, last);
        first = last;
    }
    attribution.finish();
}

} // namespace highwater::nsys
