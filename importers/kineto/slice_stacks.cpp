#include "importers/kineto/slice_stacks.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "importers/kineto/slice_frames.h"

namespace highwater::kineto {

namespace {

/// Tolerance in nanoseconds, because writers round begin and duration separately.
constexpr Nanoseconds kRounding = 1;

/// The slices of one kind that are open at the current moment, outermost first.
class OpenSlices
{
public:
    void clear() { m_open.clear(); }

    void push(const Slice& slice)
    {
        while (!m_open.empty() && m_open.back()->end <= slice.begin + kRounding
            && slice.end > m_open.back()->end)
            m_open.pop_back();
        m_open.push_back(&slice);
    }
    /// Removes the slices that ended before this time.
    void closeBefore(Nanoseconds time)
    {
        std::erase_if(m_open, [time](const Slice* slice) { return slice->end < time; });
    }
    const std::vector<const Slice*>& slices() const { return m_open; }

private:
    std::vector<const Slice*> m_open;
};

/// Visits the threads one by one, and the instants and slices of each thread in time order.
class Attribution
{
public:
    Attribution(Records& records, TraceBuilder& builder)
        : m_records(records)
        , m_builder(builder)
        , m_frames(builder)
    {
    }

    void attributeAll()
    {
        const auto sliceKey = [](const Slice& s) { return std::tuple(s.thread, s.begin, -s.end); };
        std::ranges::stable_sort(
            m_records.slices, [&](const Slice& a, const Slice& b) { return sliceKey(a) < sliceKey(b); });
        std::vector<std::uint32_t> order(m_records.instants.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto instantKey = [this](std::uint32_t i) {
            return std::pair(m_records.instants[i].thread, m_records.instants[i].time);
        };
        std::ranges::stable_sort(
            order, [&](std::uint32_t a, std::uint32_t b) { return instantKey(a) < instantKey(b); });
        for (const std::uint32_t i : order)
            attribute(m_records.instants[i]);
    }

private:
    void attribute(MemoryInstant& instant)
    {
        if (instant.thread != m_thread) {
            m_thread = instant.thread;
            m_operators.clear();
            m_python.clear();
        }
        const Column<Slice>& slices = m_records.slices;
        for (; m_next < slices.size() && isBefore(slices[m_next], instant); ++m_next) {
            if (slices[m_next].thread != m_thread)
                continue;
            if (slices[m_next].kind == SliceKind::Operator)
                m_operators.push(slices[m_next]);
            else if (slices[m_next].kind == SliceKind::PythonFrame)
                m_python.push(slices[m_next]);
        }
        m_operators.closeBefore(instant.time);
        m_python.closeBefore(instant.time);
        instant.stack = currentStack();
    }

    bool isBefore(const Slice& slice, const MemoryInstant& instant) const
    {
        return slice.thread < instant.thread
            || (slice.thread == instant.thread && slice.begin <= instant.time);
    }

    /// Returns the stack of the open slices, ordered by their begin.
    StackId currentStack()
    {
        const std::vector<const Slice*>& operators = m_operators.slices();
        const std::vector<const Slice*>& python = m_python.slices();
        if (operators.empty() && python.empty())
            return {};
        StackId stack = StackTable::kEmpty;
        if (python.empty() && !operators.back()->callStack.isNone())
            stack = m_frames.parseCallStack(operators.back()->callStack);
        auto op = operators.begin();
        auto call = python.begin();
        while (op != operators.end() || call != python.end()) {
            const bool isPythonNext
                = call != python.end() && (op == operators.end() || (*call)->begin <= (*op)->begin);
            const FrameId frame = isPythonNext ? m_frames.pythonFrame((*call++)->name)
                                               : m_frames.operatorFrame((*op++)->name);
            stack = m_builder.stacks().internNode(frame, stack);
        }
        return stack;
    }

    Records& m_records;
    TraceBuilder& m_builder;
    SliceFrames m_frames;
    OpenSlices m_operators;
    OpenSlices m_python;
    std::size_t m_next = 0;
    std::uint32_t m_thread = 0;
};

} // namespace

void attributeStacks(Records& records, TraceBuilder& builder)
{
    Attribution(records, builder).attributeAll();
}

} // namespace highwater::kineto
