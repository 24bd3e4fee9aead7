#include "core/analysis/steps/loop_lines.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/analysis/steps/stack_roles.h"
#include "core/base/column.h"
#include "core/base/interruption.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxLevels = 24;
constexpr std::int64_t kFewestAllocations = 8; ///< median per round, for a loop that counts

/// Consecutive allocations with the same stack.
struct StackSpan
{
    StackId stack;
    std::int32_t firstEvent = 0;
    std::int32_t allocationCount = 0;
};

/// Returns all allocations in order, grouped by stack.
Column<StackSpan> stackSpans(const StepInput& input)
{
    Column<StackSpan> spans;
    InterruptionCounter interruption;
    const auto count = static_cast<std::int32_t>(input.eventCount());
    for (std::int32_t event = 0; event < count; ++event) {
        interruption.round();
        const std::size_t row = input.trace.row(input.device(), event);
        if (!isAllocationAction(input.trace.events.action[row]))
            continue;
        const StackId stack = input.trace.events.stack[row];
        if (spans.empty() || spans.back().stack != stack)
            spans.push_back({stack, event, 0});
        ++spans.back().allocationCount;
    }
    return spans;
}

/// Consecutive allocations that pass through the same line of one function.
struct LineSpan
{
    FrameId frame;
    std::int32_t line = 0;
    std::int64_t firstEvent = 0;
    std::int64_t allocationCount = 0;
};

/// The Python frame of every stack at the current depth, counted from the outermost. `enter` restricts the
/// stacks to those through one frame, and goes one frame deeper.
class FrameLevels
{
public:
    explicit FrameLevels(const StackTable& stacks)
        : m_stacks(stacks)
        , m_depth(stacks.nodeCount())
        , m_frames(stacks.nodeCount())
        , m_active(stacks.nodeCount(), true)
    {
        for (std::size_t i = 1; i < m_depth.size(); ++i)
            m_depth[i] = m_depth[stacks.caller(StackId(i)).index()] + (isPython(i) ? 1u : 0u);
        update();
    }

    /// Returns the frame of a stack at the current depth; isNone() if the stack ends before or does not pass
    /// through the entered frames.
    FrameId at(StackId stack) const { return stack.isNone() ? FrameId() : m_frames[stack.index()]; }

    void enter(FrameId frame)
    {
        for (std::size_t i = 0; i < m_active.size(); ++i)
            m_active[i] = m_active[i] && m_frames[i] == frame;
        ++m_level;
        update();
    }

private:
    bool isPython(std::size_t node) const
    {
        return m_stacks.kindOf(m_stacks.innermost(StackId(node))) == FrameKind::Python;
    }

    void update()
    {
        for (std::size_t i = 1; i < m_frames.size(); ++i) {
            const std::size_t caller = m_stacks.caller(StackId(i)).index();
            const bool isAtLevel = m_depth[caller] == m_level && isPython(i);
            m_frames[i] = !m_active[i] ? FrameId()
                : isAtLevel            ? m_stacks.innermost(StackId(i))
                                       : (m_depth[caller] > m_level ? m_frames[caller] : FrameId());
        }
    }

    const StackTable& m_stacks;
    std::vector<std::uint32_t> m_depth;
    std::vector<FrameId> m_frames;
    std::vector<bool> m_active;
    std::uint32_t m_level = 0;
};

using FunctionKey = std::pair<StringId, StringId>;

FunctionKey functionOf(const Frame& frame)
{
    return {frame.function, frame.file};
}

/// Returns the key with the most allocations.
template <typename Key>
Key heaviest(const std::map<Key, std::int64_t>& weights)
{
    return std::ranges::max_element(weights, [](const auto& a, const auto& b) {
        return a.second < b.second;
    })->first;
}

/// Finds the function that most allocations pass through at the current depth. Returns the lines of this
/// function in the order of the allocations, each with the number of consecutive allocations.
std::vector<LineSpan> linesAtLevel(
    const StackTable& stacks, const FrameLevels& levels, const Column<StackSpan>& spans)
{
    std::map<FunctionKey, std::int64_t> weights;
    for (const StackSpan& span : spans)
        if (const FrameId frame = levels.at(span.stack); !frame.isNone())
            weights[functionOf(stacks.frame(frame))] += span.allocationCount;
    std::vector<LineSpan> lines;
    if (weights.empty())
        return lines;
    const FunctionKey function = heaviest(weights);
    for (const StackSpan& span : spans) {
        const FrameId frame = levels.at(span.stack);
        if (frame.isNone() || functionOf(stacks.frame(frame)) != function)
            continue;
        const std::int32_t line = stacks.frame(frame).line;
        if (lines.empty() || lines.back().line != line)
            lines.push_back({frame, line, span.firstEvent, 0});
        lines.back().allocationCount += span.allocationCount;
    }
    return lines;
}

/// Returns the frame with the most allocations. There must be a line.
FrameId heaviestFrame(const std::vector<LineSpan>& lines)
{
    std::map<FrameId, std::int64_t> weights;
    for (const LineSpan& line : lines)
        weights[line.frame] += line.allocationCount;
    return heaviest(weights);
}

/// Returns the indices at which the rounds of the loop begin. The head of the loop is the smallest line that
/// a jump back reaches. The first round begins where the head is first reached, the others at jumps back to
/// it. A statement over several lines or an inner loop may jump back to the head as well, but from a smaller
/// line number than the end of the round. So only jumps from the last frequent line, or from lines after it,
/// count. A line is frequent if at least half as many jumps start from it as from the most frequent one.
std::vector<std::size_t> roundBegins(const std::vector<LineSpan>& lines)
{
    std::optional<std::int32_t> headLine;
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (lines[i].line < lines[i - 1].line)
            headLine = headLine ? std::min(*headLine, lines[i].line) : lines[i].line;
    std::map<std::int32_t, std::int64_t> jumpsFromLine;
    std::int64_t mostJumps = 0;
    for (std::size_t i = 1; i < lines.size(); ++i)
        if (headLine && lines[i].line == *headLine && lines[i].line < lines[i - 1].line)
            mostJumps = std::max(mostJumps, ++jumpsFromLine[lines[i - 1].line]);
    std::vector<std::size_t> begins;
    if (jumpsFromLine.empty())
        return begins;
    const std::int32_t lastLine
        = std::find_if(jumpsFromLine.rbegin(), jumpsFromLine.rend(), [mostJumps](const auto& source) {
              return source.second * 2 >= mostJumps;
          })->first;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].line == *headLine && (begins.empty() || lines[i - 1].line >= lastLine))
            begins.push_back(i);
    return begins;
}

/// Returns the number of allocations in each round.
std::vector<std::int64_t> roundLengths(
    const std::vector<LineSpan>& lines, const std::vector<std::size_t>& begins)
{
    std::vector<std::int64_t> lengths(begins.size());
    for (std::size_t round = 0; round < begins.size(); ++round)
        for (std::size_t i = begins[round];
             i < (round + 1 < begins.size() ? begins[round + 1] : lines.size()); ++i)
            lengths[round] += lines[i].allocationCount;
    return lengths;
}

/// Returns the loop of one function; nullopt if it has fewer than two rounds, if their median is below
/// `kFewestAllocations`, or if fewer than half of them are within a factor of two of the median.
std::optional<LoopLine> loopIn(const std::vector<LineSpan>& lines)
{
    const std::vector<std::size_t> begins = roundBegins(lines);
    if (begins.size() < 2)
        return std::nullopt;
    const std::vector<std::int64_t> lengths = roundLengths(lines, begins);
    std::vector<std::int64_t> sorted = lengths;
    std::nth_element(
        sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
    const std::int64_t median = sorted[sorted.size() / 2];
    const auto alike = std::ranges::count_if(
        lengths, [median](std::int64_t length) { return length * 2 >= median && length <= median * 2; });
    if (median < kFewestAllocations || alike * 2 < static_cast<std::int64_t>(lengths.size()))
        return std::nullopt;
    LoopLine loop;
    loop.head = lines[begins.front()].frame;
    loop.isEven = std::all_of(lengths.begin() + 1, lengths.end() - 1,
        [median](std::int64_t length) { return length * 4 >= median * 3 && length * 4 <= median * 5; });
    for (const std::size_t begin : begins)
        loop.begins.push_back(lines[begin].firstEvent);
    return loop;
}

} // namespace

std::optional<LoopLine> findLoopLine(const StepInput& input)
{
    const StackTable& stacks = input.trace.stacks;
    const Column<StackSpan> spans = stackSpans(input);
    FrameLevels levels(stacks);
    for (std::size_t depth = 0; depth < kMaxLevels; ++depth) {
        const std::vector<LineSpan> lines = linesAtLevel(stacks, levels, spans);
        if (lines.empty())
            break;
        const Frame& frame = stacks.frame(lines.front().frame);
        if (phaseOfPythonFrame(input.trace.text(frame.function), input.trace.text(frame.file))
            != Phase::Unknown)
            break;
        if (std::optional<LoopLine> loop = loopIn(lines))
            return loop;
        levels.enter(heaviestFrame(lines));
    }
    return std::nullopt;
}

} // namespace highwater
