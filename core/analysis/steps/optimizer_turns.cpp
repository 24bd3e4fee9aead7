#include "core/analysis/steps/optimizer_turns.h"

#include <algorithm>
#include <set>
#include <span>

#include "core/base/interruption.h"
#include "core/base/text_parts.h"
#include "core/trace/stack_bits.h"

namespace highwater {

namespace {

constexpr std::size_t kPhasesExamined = 48;
constexpr std::size_t kLongestRound = 8;

/// Finds the user's part of a stack: from the outermost frame up to the first one of PyTorch or C++.
class UserStacks
{
public:
    explicit UserStacks(const Trace& trace)
        : m_trace(trace)
        , m_isLibrary(resultsByFunction(trace.stacks, [&](const Frame& frame) {
            return frame.kind != FrameKind::Python
                || containsAny(trace.text(frame.file), {"/torch/", "\\torch\\"});
        }))
    {
    }

    /// Returns the user's part of a stack; isNone() if the outermost frame is not the user's.
    StackId userPartOf(StackId stack) const
    {
        StackId user = stack;
        for (StackId node = stack; node != StackTable::kEmpty; node = m_trace.stacks.caller(node))
            if (m_isLibrary[m_trace.stacks.functionOf(m_trace.stacks.innermost(node))])
                user = m_trace.stacks.caller(node);
        return user == StackTable::kEmpty ? StackId() : user;
    }

private:
    const Trace& m_trace;
    std::vector<bool> m_isLibrary; ///< by function id
};

/// Lines of the user's code, each given by the user's part of a stack.
using Lines = std::set<StackId>;

/// Returns, for each optimizer phase, the lines whose memory was freed by the backward before it.
std::vector<Lines> consumedLines(const StepInput& input, const std::vector<std::int64_t>& ends)
{
    const UserStacks userStacks(input.trace);
    const AllocationTable& allocations = input.allocations;
    std::vector<Lines> lines(std::min(ends.size(), kPhasesExamined));
    InterruptionCounter interruption;
    for (auto i = static_cast<AllocationIndex>(allocations.olderCount());
         i < allocations.size() && allocations.birth(i) < ends[lines.size() - 1]; ++i) {
        interruption.round();
        const std::int64_t death = allocations.death(i);
        const StackId stack = allocations.stack(i);
        if (death >= ends[lines.size() - 1] || !input.trace.stacks.hasFrames(stack)
            || input.phases.at(death) != Phase::Backward
            || input.phases.at(allocations.birth(i)) == Phase::Backward)
            continue;
        const auto phase = std::ranges::upper_bound(ends, death) - ends.begin();
        if (const StackId user = userStacks.userPartOf(stack); !user.isNone())
            lines[static_cast<std::size_t>(phase)].insert(user);
    }
    return lines;
}

bool areDisjoint(const Lines& a, const Lines& b)
{
    return std::ranges::none_of(a, [&](StackId line) { return b.contains(line); });
}

/// True if every phase shares lines with the phase `length` later, and any two phases of the first round have
/// either equal or disjoint lines.
bool isRound(std::span<const Lines> lines, std::size_t length)
{
    if (lines.size() < 2 * length)
        return false;
    for (std::size_t i = 0; i + length < lines.size(); ++i)
        if (areDisjoint(lines[i], lines[i + length]))
            return false;
    for (std::size_t i = 0; i < length; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (lines[i] != lines[j] && !areDisjoint(lines[i], lines[j]))
                return false;
    return true;
}

/// Returns the number of optimizer phases per round; 0 if they do not repeat.
std::size_t roundLength(std::span<const Lines> lines)
{
    std::size_t length = 1;
    while (length <= kLongestRound && !isRound(lines, length))
        ++length;
    return length <= kLongestRound ? length : 0;
}

} // namespace

std::vector<std::int64_t> selectStepEnds(const StepInput& input, std::vector<std::int64_t> ends)
{
    if (ends.size() < 4 || input.trace.stacks.frameCount() == 0)
        return ends;
    const std::vector<Lines> lines = consumedLines(input, ends);
    // Training may begin with a stage without turns, in which each optimizer phase ends a step.
    std::size_t first = 0;
    std::size_t length = roundLength(lines);
    while (length == 0 && (first + 1) * 2 <= lines.size())
        length = roundLength(std::span(lines).subspan(++first));
    if (length <= 1)
        return ends;
    std::vector<std::int64_t> rounds(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t i = first + length - 1; i < ends.size(); i += length)
        rounds.push_back(ends[i]);
    return rounds;
}

} // namespace highwater
